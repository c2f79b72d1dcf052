#include "tools/report/render_text.h"

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tools/report/text_columns.h"

namespace heddle::report {

namespace {

using command::lines_of;

Document chart(std::vector<Bar> bars, bool has_track = false) {
  BarChart chart;
  chart.has_track = has_track;
  chart.bars = std::move(bars);
  Document document;
  document.items.push_back(chart);
  return document;
}

Bar bar(double begin, double end, std::string note = {}) {
  return {"x", begin, end, "v", std::move(note), Tone::Plain};
}

std::string ascii(const Document& document) { return render_text(document, {false, true}); }

}  // namespace

TEST_CASE("A bar fills its share of the width, in eighths of a cell where there are block elements") {
  // 12 cells at 80 columns.
  CHECK(ascii(chart({bar(0, 0.5)}, true)) == "x  ######......       v\n");
  CHECK(ascii(chart({bar(0, 1)}, true)) == "x  ############       v\n");
  CHECK(ascii(chart({bar(0, 0)}, true)) == "x  ............       v\n");
  const std::string quarter_cell = render_text(chart({bar(0, 1.25 / 12)}), {});
  CHECK(quarter_cell == "x  █▎                 v\n");
}

TEST_CASE(
    "What is more than nothing is seen, however little, wherever it stands, and less than 4 % is not drawn like it") {
  CHECK(ascii(chart({bar(0, 1e-9)}, true)) == "x  :...........       v\n");
  CHECK(ascii(chart({bar(0, 0.03)}, true)) == "x  :...........       v\n");
  CHECK(ascii(chart({bar(0, 0.05)}, true)) == "x  #...........       v\n");
  CHECK(ascii(chart({bar(1 - 1e-9, 1)})) == "x             :       v\n");
  CHECK(render_text(chart({bar(0.5, 0.5 + 1e-9)}), {}) == "x        ▏            v\n");
  CHECK(render_text(chart({bar(0, 0.04)}), {}) == "x  ▌                  v\n");
}

TEST_CASE("A bar is as long wherever it begins") {
  const auto length_of = [](double begin, double share) {
    const std::string line = render_text(chart({bar(begin, begin + share)}), {});
    const std::size_t first = line.find("\xe2\x96");
    return first == std::string::npos ? std::string() : line.substr(first, line.find(' ', first) - first);
  };
  for (const double share : {0.002, 0.02, 0.043, 0.26}) {
    INFO(share);
    for (const double begin : {0.04, 0.1, 0.3333, 0.4583, 0.7})
      CHECK(length_of(begin, share) == length_of(0, share));
  }
}

TEST_CASE("Values outside of the scale do not break the line") {
  for (const Bar& wild : {bar(-1, 2), bar(2, 3), bar(0.9, 0.1), bar(5, 5)}) {
    const std::string line = ascii(chart({wild}));
    CHECK(line.size() == std::string("x  ").size() + 12 + std::string("       v\n").size());
  }
}

TEST_CASE("Bars of all charts stand below one another, and notes do not make them shorter") {
  Document document = chart({bar(0, 1, std::string(50, 'n') + ' ' + std::string(20, 'm'))});
  BarChart second;
  second.title = "title";
  second.bars = {{"a longer label", 0, 1, "100.0 %", "note", Tone::Used}};
  document.items.push_back(second);
  const auto lines = lines_of(ascii(document));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].find('#') == lines[3].find('#'));
  for (const std::size_t line : {0, 3}) CHECK(std::count(lines[line].begin(), lines[line].end(), '#') == 12);
  CHECK(lines[0].ends_with("  " + std::string(40, 'n')));
  CHECK(lines[0].size() == kTextColumns);
  // A word that is wider than its place is broken.
  CHECK(lines[1] == std::string(40, ' ') + std::string(10, 'n') + ' ' + std::string(20, 'm'));
  CHECK(lines[2] == "title");
}

TEST_CASE("Wider pages have longer bars, up to a measure, and narrow ones have notes below") {
  const Document document = chart({bar(0, 1, "note")});
  const auto bar_at = [&](std::size_t columns) {
    const std::string text = render_text(document, {false, true, columns});
    return std::count(text.begin(), text.end(), '#');
  };
  CHECK(bar_at(100) == 22);
  CHECK(bar_at(120) == 32);
  CHECK(bar_at(300) == 32);
  CHECK(render_text(document, {false, true, 30}) == "x  ######       v\n    note\n");
}

TEST_CASE("Colour changes nothing but the escape sequences") {
  Document document = chart({bar(0, 0.3, "note")}, true);
  document.items.push_back(Statement{"Label:", "text", Tone::Lost});
  const std::string plain = render_text(document, {});
  const std::string coloured = render_text(document, {true, false});
  CHECK(plain.find('\x1b') == std::string::npos);
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      stripped += coloured[i];
    }
  }
  CHECK(coloured != plain);
  CHECK(stripped == plain);
}

TEST_CASE("Facts and sentences wrap at 80 columns, and words that are wider are broken") {
  Document document;
  document.items.push_back(
      Line{{std::string(40, 'a'), std::string(37, 'b'), std::string(30, 'c')}, false, false});
  document.items.push_back(Line{{std::string(40, 'a'), std::string(36, 'b')}, false, true});
  document.items.push_back(Line{{"f" + std::string(100, 'o')}, true, false});
  Statement statement{"Label:", "", Tone::Plain};
  for (int i = 0; i < 40; ++i) statement.text += "word ";
  document.items.push_back(statement);
  const auto lines = lines_of(ascii(document));
  CHECK(lines[0] == std::string(40, 'a') + " | " + std::string(37, 'b'));
  CHECK(lines[1] == std::string(30, 'c'));
  CHECK(lines[2] == "  " + std::string(40, 'a'));
  CHECK(lines[3] == "  " + std::string(36, 'b'));
  CHECK(lines[4] == "f" + std::string(79, 'o'));
  CHECK(lines[5] == "  " + std::string(21, 'o'));
  std::string words;
  for (std::size_t i = 6; i < lines.size(); ++i) {
    CHECK(lines[i].size() <= kTextColumns);
    words += lines[i];
  }
  CHECK(words.starts_with("Label: word word"));
  CHECK(lines[7].starts_with("  word"));
  CHECK(std::count(words.begin(), words.end(), 'w') == 40);
}

TEST_CASE("A percent sign stays with its figure") {
  CHECK(wrapped_lines("so it is 99.7 % of all", 13, 13) ==
        std::vector<std::string>{"so it is", "99.7 % of all"});
}

TEST_CASE("What is too long loses its middle") {
  CHECK(shortened("abcdefghij", 10) == "abcdefghij");
  CHECK(shortened("abcdefghij", 9) == "abc...hij");
  CHECK(shortened("abcdefghij", 8) == "abc...ij");
  CHECK(shortened("abcdefghij", 3) == "abc");
  CHECK(shortened("Ünïcödë, 日本", 8) == "Ünï...日本");
}

TEST_CASE("Figures in a table stand below one another on the right") {
  Document document;
  document.items.push_back(Table{{"name", "n"}, {{"a", "1"}, {"long name", "12345"}}});
  CHECK(ascii(document) == "name           n\na              1\nlong name  12345\n");
}

TEST_CASE(
    "In a table that is too wide names lose their middle, then it goes on below, with the names again") {
  Document document;
  document.items.push_back(
      Table{{"name", "n", "m"}, {{"a_very_long_name_1", "1", "2"}, {"b", "12345", "9"}}});
  CHECK(render_text(document, {false, true, 24}) ==
        "name                n  m\n"
        "a_very...ame_1      1  2\n"
        "b               12345  9\n");
  document.items = {
      Table{{"name", "the first", "the second", "the third"}, {{"a_very_long_name_1", "1", "2", "3"}}}};
  CHECK(render_text(document, {false, true, 40}) ==
        "name                the first\n"
        "a_very_long_name_1          1\n"
        "\n"
        "name                the second\n"
        "a_very_long_name_1           2\n"
        "\n"
        "name                the third\n"
        "a_very_long_name_1          3\n");
}

TEST_CASE("A text at the right of a table takes several lines") {
  Document document;
  Table table{{"name", "n", "what it is"}, {{"a", "1", "a text of several words"}, {"b", "2", "short"}}};
  table.ends_in_text = true;
  document.items.push_back(table);
  CHECK(render_text(document, {false, true, 22}) ==
        "name  n  what it is\n"
        "a     1  a text of\n"
        "         several words\n"
        "b     2  short\n");
}

TEST_CASE("Nothing that is no text reaches a terminal") {
  CHECK(printable("plain, Ünïcode, 日本") == "plain, Ünïcode, 日本");
  CHECK(printable("\x1b[2J\n\t\x7f") == "?[2J???");
  CHECK(printable("\xc2\x9b") == "??");    // a C1 control
  CHECK(printable("a\xff\xc3") == "a??");  // no UTF-8, and a sequence that ends early
  CHECK(printable("\xc0\xaf") == "??");    // an overlong form
  CHECK(printable("\xe0\x9f\xbf \xf0\x8f\xbf\xbf") == "??? ????");
  CHECK(printable("\xed\xa0\x80") == "???");       // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "????");  // beyond Unicode
  CHECK(printable("\xed\x9f\xbf \xf4\x8f\xbf\xbf") == "\xed\x9f\xbf \xf4\x8f\xbf\xbf");
  CHECK(text_width("Ünï") == 3);
}

}  // namespace heddle::report
