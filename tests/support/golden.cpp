#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"

namespace heddle::test {

void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR "/tests/golden/") + name;
  if (std::getenv("HEDDLE_REFRESH_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ostringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  INFO(path);
  CHECK(text == golden.str());
}

}  // namespace heddle::test
