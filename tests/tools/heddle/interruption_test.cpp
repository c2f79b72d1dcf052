#include "tools/heddle/base/interruption.h"

#include "tests/support/catch.h"

namespace heddle::command {

TEST_CASE("Who waits for an interruption can be told to end before it has begun to wait") {
  int words = 0;
  // A signal that comes too early would end the process.
  for (int i = 0; i < 3000; ++i) Interruption([&words](int) { ++words; });
  CHECK(words == 0);
}

}  // namespace heddle::command
