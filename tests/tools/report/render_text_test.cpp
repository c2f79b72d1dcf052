#include "tools/report/render_text.h"

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"

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
  // Nothing needs room: bars are 32 cells wide.
  CHECK(ascii(chart({bar(0, 0.5)}, true)) == "x  ################................ v\n");
  CHECK(ascii(chart({bar(0, 1)}, true)) == "x  ################################ v\n");
  CHECK(ascii(chart({bar(0, 0)}, true)) == "x  ................................ v\n");
  const std::string quarter_cell = render_text(chart({bar(0, 1.25 / 32)}), {});
  CHECK(quarter_cell == "x  █▎                               v\n");
}

TEST_CASE("What is more than nothing is seen, however little, wherever it stands") {
  CHECK(ascii(chart({bar(0, 1e-9)}, true)) == "x  #............................... v\n");
  CHECK(ascii(chart({bar(1 - 1e-9, 1)})) == "x                                 # v\n");
  CHECK(render_text(chart({bar(0.5, 0.5 + 1e-9)}), {}) == "x                  ▏                v\n");
}

TEST_CASE("Values outside of the scale do not break the line") {
  for (const Bar& wild : {bar(-1, 2), bar(2, 3), bar(0.9, 0.1), bar(5, 5)}) {
    const std::string line = ascii(chart({wild}));
    CHECK(line.size() == std::string("x  ").size() + 32 + std::string(" v\n").size());
  }
}

TEST_CASE("Bars of all charts stand below one another, and give way to long notes") {
  Document document = chart({bar(0, 1, std::string(50, 'n'))});
  BarChart second;
  second.title = "title";
  second.bars = {{"a longer label", 0, 1, "100.0 %", "note", Tone::Used}};
  document.items.push_back(second);
  const auto lines = lines_of(ascii(document));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find('#') == lines[2].find('#'));
  CHECK(lines[0].find_last_of('#') == lines[2].find_last_of('#'));
  CHECK(lines[0].size() <= kTextColumns);
  CHECK(lines[1] == "title");
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

TEST_CASE("Facts and sentences wrap at 100 columns") {
  Document document;
  document.items.push_back(
      Line{{std::string(60, 'a'), std::string(37, 'b'), std::string(30, 'c')}, false, false});
  document.items.push_back(Line{{std::string(60, 'a'), std::string(36, 'b')}, false, true});
  Statement statement{"Label:", "", Tone::Plain};
  for (int i = 0; i < 40; ++i) statement.text += "word ";
  document.items.push_back(statement);
  const auto lines = lines_of(ascii(document));
  CHECK(lines[0] == std::string(60, 'a') + " | " + std::string(37, 'b'));
  CHECK(lines[1] == std::string(30, 'c'));
  CHECK(lines[2] == "  " + std::string(60, 'a'));
  CHECK(lines[3] == "  " + std::string(36, 'b'));
  std::string words;
  for (std::size_t i = 4; i < lines.size(); ++i) {
    CHECK(lines[i].size() <= kTextColumns);
    words += lines[i];
  }
  CHECK(words.starts_with("Label: word word"));
  CHECK(lines[5].starts_with("  word"));
  CHECK(std::count(words.begin(), words.end(), 'w') == 40);
}

TEST_CASE("Figures in a table stand below one another on the right") {
  Document document;
  document.items.push_back(Table{{"name", "n"}, {{"a", "1"}, {"long name", "12345"}}});
  CHECK(ascii(document) == "name           n\na              1\nlong name  12345\n");
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
