#include "sim/config/yaml_document.h"

#include <fmt/format.h>

#include "tests/sim/config/refusal.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::sim {

namespace {

YamlValue root_of(const std::string& text) { return YamlDocument::parse(text, "f.yaml").root(); }

/// The one message about a document that cannot be parsed, with its place: "2:3: message".
std::string parse_refusal(const std::string& text) {
  const auto list = refusal([&] { YamlDocument::parse(text, "f.yaml"); });
  if (list.size() != 1) return fmt::format("{} messages", list.size());
  return fmt::format("{}:{}: {}", list[0].where.line, list[0].where.column, list[0].message);
}

/// Reads the value of key `k` in all ways; answers what `read` recorded.
template <typename Read>
std::string read_refusal(const std::string& value, Read read) {
  Diagnostics problems;
  const auto result = read(*root_of("k: " + value).find("k"), problems);
  if (result.has_value() != problems.empty()) return "a result and a problem, or neither";
  return problems.empty() ? "" : problems.list()[0].message;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("YAML values know their text, place and path") {
  const YamlValue root = root_of("a: 1\nb:\n  - x\n  - c: \"two words\"\n    d: [1, 2]\n");
  REQUIRE(root.is_map());
  CHECK(root.path().empty());
  const YamlValue second = root.find("b")->items()[1];
  const YamlValue words = *second.find("c");
  CHECK(words.text() == "two words");
  CHECK(words.is_quoted());
  CHECK(words.path() == "b[1].c");
  CHECK(words.where().file == "f.yaml");
  CHECK(words.where().line == 4);
  CHECK(words.where().column == 8);
  CHECK(second.find("d")->items()[1].path() == "b[1].d[1]");
  CHECK(second.find("d")->items()[1].where().column == 12);
  CHECK_FALSE(root.find("c").has_value());
  CHECK_FALSE(words.find("c").has_value());
}

TEST_CASE("a value outlives its document") {
  const YamlValue value = *root_of("k: kept").find("k");
  CHECK(value.text() == "kept");
}

TEST_CASE("YAML numbers are read as written and nothing else is one") {
  Diagnostics problems;
  const auto value = [](const std::string& text) { return *root_of("k: " + text).find("k"); };
  CHECK(value("18446744073709551615").as_unsigned(problems) == 18446744073709551615u);
  CHECK(value("0xff").as_unsigned(problems) == 255u);
  CHECK(value("-9223372036854775808").as_signed(problems) == std::numeric_limits<std::int64_t>::min());
  CHECK(value("0x10").as_signed(problems) == 16);
  CHECK(value("1.5e3").as_double(problems) == 1500.0);
  CHECK(value("7").as_double(problems) == 7.0);
  CHECK(value("true").as_bool(problems) == true);
  CHECK(value("false").as_bool(problems) == false);
  CHECK(value("65536").as_bytes(problems) == 65536u);
  CHECK(value("228 KiB").as_bytes(problems) == 233472u);
  CHECK(value("6MiB").as_bytes(problems) == 6291456u);
  CHECK(value("1 GiB").as_bytes(problems) == 1073741824u);
  CHECK(problems.empty());
  for (const char* text :
       {"18446744073709551616", "-1", "1.0", "12x", "0x", "+1", "1_000", "\"1\"", "~", "[1]", "{}"}) {
    CAPTURE(text);
    CHECK(read_refusal(text, [](auto v, auto& p) { return v.as_unsigned(p); }) != "");
  }
  for (const char* text : {"nan", ".nan", "inf", ".inf", "1e999", "1.5.2", "0x10", "one"}) {
    CAPTURE(text);
    CHECK(read_refusal(text, [](auto v, auto& p) { return v.as_double(p); }) != "");
  }
  for (const char* text : {"KiB", "-1 KiB", "1 kB", "1.5 KiB", "18014398509481984 KiB", "\"1 KiB\""}) {
    CAPTURE(text);
    CHECK(read_refusal(text, [](auto v, auto& p) { return v.as_bytes(p); }) != "");
  }
  for (const char* text : {"yes", "True", "1", "\"true\"", "~"}) {
    CAPTURE(text);
    CHECK(read_refusal(text, [](auto v, auto& p) { return v.as_bool(p); }) != "");
  }
}

TEST_CASE("messages about YAML values say what was found and what is allowed") {
  const auto number = [](auto v, auto& p) { return v.as_unsigned(p, 1, 9); };
  CHECK(read_refusal("10", number) == "'k' must be a whole number from 1 to 9; found '10'");
  CHECK(read_refusal("\"3\"", number) == "'k' must be a whole number from 1 to 9; found the text \"3\"");
  CHECK(read_refusal("[3]", number) == "'k' must be a whole number from 1 to 9; found a list");
  CHECK(read_refusal("{a: 3}", number) == "'k' must be a whole number from 1 to 9; found a map");
  CHECK(read_refusal("", number) == "'k' must be a whole number from 1 to 9; found nothing");
  CHECK(read_refusal("x", [](auto v, auto& p) { return v.as_unsigned(p, 2); }) ==
        "'k' must be a whole number of at least 2; found 'x'");
  CHECK(read_refusal("x", [](auto v, auto& p) { return v.as_signed(p); }) ==
        "'k' must be a whole number; found 'x'");
  CHECK(read_refusal("3", [](auto v, auto& p) { return v.as_list(p); }) == "'k' must be a list; found '3'");
  CHECK(read_refusal("[]", [](auto v, auto& p) { return v.as_string(p); }) ==
        "'k' must be text; found a list");
}

TEST_CASE("a YAML map refuses unknown and missing keys") {
  Diagnostics problems;
  YamlMap map(root_of("block: 3\ngird: 4\nzzz:\n"), problems);
  CHECK(map.require("block").has_value());
  CHECK_FALSE(map.require("grid").has_value());
  CHECK_FALSE(map.find("shared").has_value());
  map.finish();
  REQUIRE(problems.list().size() == 3);
  CHECK(problems.list()[0].message == "key 'grid' is missing");
  CHECK(problems.list()[1].message == "unknown key 'gird'; did you mean 'grid'?");
  CHECK(problems.list()[1].where.line == 2);
  CHECK(problems.list()[1].where.column == 1);
  CHECK(problems.list()[1].source_line == "gird: 4");
  CHECK(problems.list()[2].message == "unknown key 'zzz'; known are 'block', 'grid', 'shared'");
}

TEST_CASE("what is no map is said to be none, once") {
  Diagnostics problems;
  YamlMap map(*root_of("k: [1]").find("k"), problems);
  CHECK_FALSE(map.require("a").has_value());
  map.finish();
  REQUIRE(problems.list().size() == 1);
  CHECK(problems.list()[0].message == "'k' must be a map (key: value); found a list");
}

TEST_CASE("arguments are named without line and column") {
  const YamlValue value = YamlDocument::parse_argument("[1, x]", "--set a.b=[1, x]", "a.b").root();
  Diagnostics problems;
  CHECK_FALSE(value.items()[1].as_unsigned(problems).has_value());
  REQUIRE(problems.list().size() == 1);
  CHECK(to_text(problems.list()[0]) ==
        "--set a.b=[1, x]: error: 'a.b[1]' must be a whole number of at least 0; found 'x'\n");
}

TEST_CASE("YAML that goes beyond maps, lists and scalars is refused") {
  CHECK(parse_refusal("a: &x 1\n") == "1:4: anchors (&x) are not taken: write each value out");
  CHECK(parse_refusal("b: *x\n").find("1:4: ") == 0);
  CHECK(parse_refusal("a: !!int 3\n") == "1:4: tags (!tag:yaml.org,2002:int) are not taken");
  CHECK(parse_refusal("a: 1\n---\nb: 2\n") == "2:1: a second document begins; a file holds one");
  CHECK(parse_refusal("a: 1\nb: 2\na: 3\n") == "3:1: key 'a' is given twice");
  CHECK(parse_refusal("? [1]\n: 2\n") ==
        "1:3: a key must be text; found a list or a map, or one that is never closed");
  CHECK(parse_refusal("~: 2\n") == "1:1: a key must be text; found nothing");
}

TEST_CASE("YAML syntax errors have line and column") {
  CHECK(parse_refusal("a: 1\nb: [1, 2\nc: 3\n").find("not valid YAML: ") != std::string::npos);
  CHECK(parse_refusal("a: 1\n\tb: 2\n").substr(0, 2) == "2:");
  CHECK(parse_refusal("a: b: c\n") == "1:5: not valid YAML: illegal map value");
  CHECK(parse_refusal("a: \"x").find("not valid YAML: ") != std::string::npos);
  CHECK(parse_refusal("a: \"x\\\"\nb: 3\n") == "1:4: not valid YAML: this quote is never closed");
  CHECK(parse_refusal("a: 3\nb: 'it''s\n") == "2:4: not valid YAML: this quote is never closed");
  CHECK(parse_refusal("a: 3\nb: 'x\n") == "2:4: not valid YAML: this quote is never closed");
  CHECK(parse_refusal("a: 'it''s'\nb: \"\\\"\"\n") == "0 messages");
}

TEST_CASE("all keys that are given twice are told at once") {
  const auto list = refusal([] { YamlDocument::parse("a: 1\na: 2\nb: {c: 1, c: 2}\n", "f"); });
  REQUIRE(list.size() == 2);
  CHECK(list[1].where.line == 3);
  CHECK(list[1].where.column == 11);
}

TEST_CASE("files that are no text are refused") {
  CHECK(parse_refusal(std::string("a: 1\nb: \0", 9)) == "2:4: not a text file: byte 0x00");
  CHECK(parse_refusal("a: \x7f"
                      "ELF") == "1:4: not a text file: byte 0x7f");
}

TEST_CASE("YAML that would exhaust the program is refused") {
  const int many = 200'000;
  CHECK(parse_refusal(repeated("[", many) + repeated("]", many)).find("nested deeper than 64 levels") !=
        std::string::npos);
  CHECK(parse_refusal(repeated("- ", many)).find("nested deeper than 64 levels") != std::string::npos);
  CHECK(parse_refusal(fmt::format("[{}]", repeated("1,", 1'100'000))).find("more than 1000000 values") !=
        std::string::npos);
  CHECK(parse_refusal(std::string((16u << 20) + 1, '#')).find("larger than the 16777216 bytes") !=
        std::string::npos);
  for (const char* text :
       {"{a: ", "? ", "[? ", "a: ", "!a ", "&a ", "'", "%YAML 1.2\n", "---\n", "*a ", ":", ","}) {
    CAPTURE(text);
    // Whatever is said: that it comes, and soon, is what is asked of these.
    CHECK_NOTHROW(parse_refusal(repeated(text, many)));
  }
}

TEST_CASE("sixty-four levels are taken") {
  CHECK(parse_refusal(repeated("[", 64) + repeated("]", 64)) == "0 messages");
  CHECK(parse_refusal(repeated("[", 65) + repeated("]", 65)) == "1:65: nested deeper than 64 levels");
}

TEST_CASE("of very many mistakes the first hundred are told") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += fmt::format("key{}: 1\n", i);
  Diagnostics problems;
  YamlMap(root_of(text), problems).finish();
  REQUIRE(problems.list().size() == 101);
  CHECK(problems.list().back().message == "more mistakes follow; the first 100 are shown");
}

TEST_CASE("files that cannot be read are named") {
  const test::ScratchFolder scratch;
  const auto message = [](const std::string& path) {
    const auto list = refusal([&] { YamlDocument::load(path); });
    return list.size() == 1 && list[0].where.file == path ? list[0].message : "not refused";
  };
  CHECK(message(scratch.path() + "/none.yaml") == "no such file");
  CHECK(message(scratch.path()) == "is a directory, not a file");
  CHECK(message("/dev/null") == "not a regular file");
  CHECK(YamlDocument::load(scratch.write("a.yaml", "k: 1\n")).root().find("k").has_value());
  CHECK(YamlDocument::load(scratch.write("empty.yaml", "")).root().is_null());
}

}  // namespace heddle::sim
