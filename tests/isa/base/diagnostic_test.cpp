#include "isa/base/diagnostic.h"

#include <fmt/format.h>

#include "tests/support/catch.h"

namespace heddle {
namespace {

Diagnostic mistake(std::string file, std::uint32_t line, std::uint32_t column, std::string message,
                   std::string source_line) {
  return {{std::move(file), line, column}, std::move(message), std::move(source_line)};
}

TEST_CASE("a diagnostic names its place and points at the column") {
  CHECK(to_text(mistake("vecadd.sass", 12, 14, "'R300' is no register", "    FADD R4, R300, R5")) ==
        "vecadd.sass:12:14: error: 'R300' is no register\n"
        "      FADD R4, R300, R5\n"
        "               ^\n");
  CHECK(to_text(mistake("f", 1, 1, "m", "x")) == "f:1:1: error: m\n  x\n  ^\n");
}

TEST_CASE("what is not known of a place is left out") {
  CHECK(to_text(mistake("f", 3, 0, "m", "text")) == "f:3: error: m\n");
  CHECK(to_text(mistake("f", 0, 0, "m", "")) == "f: error: m\n");
  CHECK(to_text(mistake("", 0, 0, "m", "")) == "error: m\n");
  CHECK(to_text(mistake("f", 3, 4, "m", "")) == "f:3:4: error: m\n");
}

TEST_CASE("the caret stands below its column behind tabs and behind the end of the line") {
  CHECK(to_text(mistake("f", 1, 4, "m", "\ta\tb")) == "f:1:4: error: m\n  \ta\tb\n  \t \t^\n");
  CHECK(to_text(mistake("f", 1, 6, "m", "abc")) == "f:1:6: error: m\n  abc\n       ^\n");
}

/// The character of the shown line that the caret stands below.
char pointed_at(const std::string& text) {
  const std::size_t line = text.find('\n') + 1;
  const std::size_t carets = text.find('\n', line) + 1;
  return text[line + (text.find('^', carets) - carets)];
}

TEST_CASE("of a very long line a window around the column is shown") {
  std::string line(100'000, '.');
  for (const std::uint32_t column : {1U, 50U, 80U, 81U, 82U, 5'000U, 99'950U, 100'000U}) {
    line[column - 1] = 'X';
    const std::string text = to_text(mistake("f", 1, column, "m", line));
    CAPTURE(column);
    CHECK(text.size() < 500);
    CHECK(pointed_at(text) == 'X');
    line[column - 1] = '.';
  }
}

TEST_CASE("the caret keeps its column in a long line with tabs") {
  const std::string line = fmt::format("\t\t{:.>200}", "");
  const std::string text = to_text(mistake("f", 1, 20, "m", line));
  CHECK(text.substr(text.rfind('\n', text.size() - 2) + 1) == fmt::format("  \t\t{:17}^\n", ""));
}

TEST_CASE("mistakes are collected and thrown together") {
  Diagnostics diagnostics;
  CHECK(diagnostics.empty());
  CHECK_NOTHROW(diagnostics.throw_if_any());
  diagnostics.add({"f", 1, 2}, "first", "abc");
  diagnostics.add(Diagnostic{{"f", 3, 0}, "second", ""});
  CHECK_FALSE(diagnostics.empty());
  try {
    diagnostics.throw_if_any();
    FAIL("did not throw");
  } catch (const InputError& error) {
    REQUIRE(error.list().size() == 2);
    CHECK(error.list()[1].message == "second");
    CHECK(std::string(error.what()) == "f:1:2: error: first\n  abc\n   ^\nf:3: error: second\n");
  }
}

TEST_CASE("one mistake alone makes an error too") {
  const InputError error({"f", 0, 0}, "cannot be opened");
  REQUIRE(error.list().size() == 1);
  CHECK(std::string(error.what()) == "f: error: cannot be opened\n");
}

}  // namespace
TEST_CASE("What was collected several times can be told once") {
  Diagnostics problems;
  CHECK_NOTHROW(problems.throw_each_once());
  problems.add({"a.yaml", 1, 2}, "wrong");
  problems.add({"a.yaml", 3, 2}, "wrong");
  problems.add({"a.yaml", 1, 2}, "wrong");
  try {
    problems.throw_each_once();
    FAIL("nothing is thrown");
  } catch (const InputError& error) {
    REQUIRE(error.list().size() == 2);
    CHECK(error.list()[1].where.line == 3);
  }
}

}  // namespace heddle
