// What printf and assert in kernels leave in a module's variable, read as the host reads it.
#include "isa/ir/printed_output.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "isa/ir/system_variables.h"
#include "tests/support/catch.h"

namespace heddle::ir {

namespace {

/// Arguments as C passes them to a device printf: each at a multiple of its size.
template <typename... Values>
std::vector<std::byte> packed(Values... values) {
  std::vector<std::byte> bytes;
  const auto put = [&](auto value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  };
  (put(values), ...);
  return bytes;
}

/// Addresses are the host's.
std::string text_at(std::uint64_t address) { return reinterpret_cast<const char*>(address); }

std::string text_of(const char* format, const std::vector<std::byte>& arguments) {
  return printed(format, arguments, text_at);
}

/// The variable of a module, as threads leave it.
class Variable {
 public:
  explicit Variable(std::size_t room) : bytes_(kOutputHeader + room) {}

  /// A record takes a multiple of 8 bytes.
  void add(std::uint64_t format, const std::vector<std::byte>& arguments) {
    const auto bytes = static_cast<std::uint32_t>((kOutputRecordHeader + arguments.size() + 7) / 8 * 8);
    put(taken_, format);
    put(taken_ + 8, bytes);
    const auto place = static_cast<std::ptrdiff_t>(kOutputHeader + taken_ + kOutputRecordHeader);
    std::copy(arguments.begin(), arguments.end(), bytes_.begin() + place);
    taken_ += bytes;
    std::memcpy(bytes_.data(), &taken_, sizeof taken_);
  }
  void lose(std::uint32_t calls) { std::memcpy(bytes_.data() + 8, &calls, sizeof calls); }
  PrintedOutput take() {
    taken_ = 0;
    return take_printed(bytes_, text_at);
  }

 private:
  template <typename Value>
  void put(std::uint64_t at, Value value) {
    std::memcpy(bytes_.data() + kOutputHeader + at, &value, sizeof value);
  }

  std::vector<std::byte> bytes_;
  std::uint64_t taken_ = 0;
};

std::uint64_t address_of(const char* text) { return reinterpret_cast<std::uint64_t>(text); }

}  // namespace

TEST_CASE("What kernels print has the form that the host's printf gives it") {
  char expected[256];
  std::snprintf(expected, sizeof expected, "%d|%5.2f|%-6s|%%|%c|%llx|%*d|%#o|%lu|%hd|%e|%+i\n", -7, 3.14159,
                "ab", 'q', 0x123456789abcULL, 6, 42, 8U, 1UL << 40, static_cast<short>(-3), 1e100, 5);
  const auto arguments =
      packed(-7, 3.14159, "ab", int{'q'}, 0x123456789abcULL, 6, 42, 8U, 1UL << 40, -3, 1e100, 5);
  CHECK(text_of("%d|%5.2f|%-6s|%%|%c|%llx|%*d|%#o|%lu|%hd|%e|%+i\n", arguments) == expected);
  CHECK(text_of("%s", packed(std::uint64_t{0})) == "(null)");
  CHECK(text_of("no arguments, and a lone %", {}) == "no arguments, and a lone ");
  CHECK(text_of("%d %d", packed(1)) == "1 0");
  CHECK(text_of("%300d", packed(1)) == std::string(299, ' ') + "1");
}

TEST_CASE("Records are taken in their order, and once") {
  Variable variable(256);
  CHECK(variable.take().text.empty());
  variable.add(address_of("first %d\n"), packed(1));
  variable.add(kTextFormat, packed('x'));  // text that a later record points to
  variable.add(address_of("second %s\n"), packed(address_of("two")));
  variable.lose(3);
  const PrintedOutput output = variable.take();
  CHECK(output.text == "first 1\nsecond two\n");
  CHECK(output.assertions.empty());
  CHECK(output.lost == 3);
  CHECK(variable.take().text.empty());
  variable.add(address_of("third\n"), {});
  CHECK(variable.take().text == "third\n");
}

TEST_CASE("A failed assertion is a line in CUDA's words") {
  Variable variable(256);
  variable.add(kAssertionFormat, packed(address_of("i < n"), address_of("app.cu"), address_of("void k(int)"),
                                        std::uint32_t{13}, 1U, 2U, 3U, 31U, 5U, 6U));
  CHECK(variable.take().assertions ==
        "app.cu:13: void k(int): block: [1,2,3], thread: [31,5,6] Assertion `i < n` failed.\n");
}

}  // namespace heddle::ir
