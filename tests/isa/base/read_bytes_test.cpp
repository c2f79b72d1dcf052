#include "isa/base/read_bytes.h"

#include "tests/support/catch.h"

namespace heddle {

TEST_CASE("Bytes are plain, or of a unit that is a power of 1024") {
  CHECK(bytes_in("65536") == 65536u);
  CHECK(bytes_in("0x10") == 16u);
  CHECK(bytes_in("64 KiB") == 65536u);
  CHECK(bytes_in("64KiB") == 65536u);
  CHECK(bytes_in("6 MiB") == 6u * 1024 * 1024);
  CHECK(bytes_in("4GiB") == std::uint64_t{1} << 32);
  for (const char* text : {"", "KiB", "1 kB", "1.5 KiB", "-1", "1 KiB KiB", " 1", "17179869184 GiB"}) {
    INFO(text);
    CHECK_FALSE(bytes_in(text).has_value());
  }
}

}  // namespace heddle
