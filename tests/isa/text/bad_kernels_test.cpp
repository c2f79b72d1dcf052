// Kernel files with mistakes in them. Each says itself what is expected, in the line where it is expected:
//
//   FADD R0, R300, R1   //! 14 'R300' is no register
//
// that is, the column and how the message begins or goes on. No other message may come.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "isa/base/diagnostic.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::text {
namespace {

struct Expected {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string fragment;
};

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<Expected> expectations_of(const std::vector<std::string>& lines) {
  const std::string mark = "//! ";
  std::vector<Expected> all;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    std::size_t at = lines[i].find(mark);
    while (at != std::string::npos) {
      const std::size_t next = lines[i].find(mark, at + 1);
      std::istringstream text(lines[i].substr(at + mark.size(), next - at - mark.size()));
      Expected expected;
      expected.line = i + 1;
      text >> expected.column >> std::ws;
      std::getline(text, expected.fragment);
      while (expected.fragment.ends_with(' ')) expected.fragment.pop_back();
      all.push_back(expected);
      at = next;
    }
  }
  return all;
}

std::vector<Diagnostic> diagnostics_of(const std::string& path) {
  try {
    assemble_file(path);
  } catch (const InputError& error) {
    return error.list();
  }
  return {};
}

void check_against(const std::vector<Expected>& expected, const std::vector<std::string>& lines,
                   const std::vector<Diagnostic>& found) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(to_text(found[i]));
    CHECK(found[i].where.line == expected[i].line);
    CHECK(found[i].where.column == expected[i].column);
    CHECK_FALSE(expected[i].fragment.empty());
    CHECK(found[i].message.find(expected[i].fragment) != std::string::npos);
    CHECK(found[i].source_line == lines[found[i].where.line - 1]);
  }
}

TEST_CASE("every mistake of a bad kernel file is reported at its place, and nothing else") {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/tests/isa/bad")) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  REQUIRE(paths.size() >= 30);
  for (const auto& path : paths) {
    const std::vector<std::string> lines = read_lines(path);
    const std::vector<Expected> expected = expectations_of(lines);
    const std::vector<Diagnostic> found = diagnostics_of(path.string());
    std::string all;
    for (const Diagnostic& diagnostic : found) all += to_text(diagnostic);
    INFO(path.string() << "\n" << all);
    CHECK_FALSE(expected.empty());
    check_against(expected, lines, found);
  }
}

std::vector<Diagnostic> mistakes_in(std::string_view text) {
  try {
    assemble(text, "text.sass");
  } catch (const InputError& error) {
    return error.list();
  }
  return {};
}

TEST_CASE("a message names the file, the place, and shows the line with a caret") {
  const auto mistakes = mistakes_in(".kernel k\n\tFADD R0, R300, R1\n\tEXIT\n");
  REQUIRE(mistakes.size() == 1);
  CHECK(to_text(mistakes[0]) ==
        "text.sass:2:11: error: 'R300' is no register; registers are R0 to R254 and RZ\n"
        "  \tFADD R0, R300, R1\n"
        "  \t         ^\n");
}

TEST_CASE("a text without a kernel is refused") {
  for (const char* text : {"", "\n\n", "// only a comment", "# so is this", "/* and this */", ";;;"}) {
    INFO(text);
    const auto mistakes = mistakes_in(text);
    REQUIRE(mistakes.size() == 1);
    CHECK(mistakes[0].message.find("there is no kernel in this file") != std::string::npos);
  }
}

TEST_CASE("a comment that never ends is reported where it begins") {
  const auto mistakes = mistakes_in(".kernel k\n  EXIT\n  /* here\n  EXIT\n");
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].where.line == 3);
  CHECK(mistakes[0].where.column == 3);
  CHECK(mistakes[0].message.find("a comment that never ends") != std::string::npos);
}

TEST_CASE("after a hundred mistakes the rest is not read") {
  std::string text = ".kernel k\n";
  for (int i = 0; i < 150; ++i) text += "FADD R0, R1, R300\n";
  const auto mistakes = mistakes_in(text);
  REQUIRE(mistakes.size() == 101);
  CHECK(mistakes[99].where.line == 101);
  CHECK(mistakes[100].where.line == 0);
  CHECK(mistakes[100].message.find("stopped after 100 mistakes") != std::string::npos);
}

TEST_CASE("a file has at most a million instructions and 64 MiB") {
  std::string text = ".kernel k\n";
  for (int i = 0; i < 1'000'000; ++i) text += "EXIT\n";
  CHECK(assemble(text, "long.sass")[0].instructions.size() == 1'000'000);
  text += "EXIT\n";
  const auto mistakes = mistakes_in(text);
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].where.line == 1'000'002);
  CHECK(mistakes[0].message.find("at most 1000000 instructions") != std::string::npos);
  const auto too_long = mistakes_in(std::string((std::size_t{64} << 20) + 1, ' '));
  REQUIRE(too_long.size() == 1);
  CHECK(too_long[0].message.find("at most 64 MiB") != std::string::npos);
}

TEST_CASE("a file that cannot be read is refused") {
  CHECK_THROWS_WITH(assemble_file("/nonexistent/kernel.sass"),
                    "/nonexistent/kernel.sass: error: no such file\n");
  CHECK_THROWS_AS(assemble_file("/"), InputError);
  CHECK_THROWS_AS(assemble_file("/dev/zero"), InputError);
}

}  // namespace
}  // namespace heddle::text
