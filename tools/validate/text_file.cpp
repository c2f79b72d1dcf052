#include "tools/validate/text_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "isa/base/diagnostic.h"

namespace heddle::validate {

std::string read_text_file(const std::string& path) {
  constexpr std::size_t kMostBytes = 64U << 20;
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) throw InputError({path, 0, 0}, "no such file");
  if (std::filesystem::file_size(path, failure) > kMostBytes) {
    throw InputError({path, 0, 0}, fmt::format("larger than the {} bytes that are taken", kMostBytes));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path, 0, 0}, "cannot be opened for reading");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace heddle::validate
