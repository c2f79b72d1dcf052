#include "tools/validate/csv_table.h"

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"

namespace heddle::validate {

namespace {

using launch::check_says;
using launch::message_of;
using Texts = std::vector<std::string>;

TEST_CASE("A CSV table has columns and rows, without comments and empty lines") {
  const CsvTable table =
      parse_csv("# made by hand\nname, cycles\r\n\nsaxpy,12\r\n \t\n# more\nscan, 7 \n", "f");
  CHECK(table.columns == Texts{"name", "cycles"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells == Texts{"saxpy", "12"});
  CHECK(table.rows[0].line == 4);
  CHECK(table.rows[1].cells == Texts{"scan", "7"});
  CHECK(table.rows[1].line == 7);
}

TEST_CASE("Quotes keep commas, quotes and the ends of lines in a cell") {
  const CsvTable table = parse_csv("\"a,b\",c\n\"x \"\"y\"\"\n z\",\"\"\nlast,1", "f");
  CHECK(table.columns == Texts{"a,b", "c"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells == Texts{"x \"y\"\n z", ""});
  CHECK(table.rows[1].cells == Texts{"last", "1"});
  CHECK(table.rows[1].line == 4);
}

TEST_CASE("All rows of another length are told of, and a quote that is never closed") {
  const std::string message = message_of([] { parse_csv("a,b\n1\n1,2\n1,2,3\n", "f.csv"); });
  check_says(message, "f.csv:2: error: a row has as many cells as there are columns, 2; found 1");
  check_says(message, "f.csv:4: error: a row has as many cells as there are columns, 2; found 3");
  check_says(message_of([] { parse_csv("a,b\n1,\"2\n\n", "f.csv"); }),
             "f.csv:2: error: this line opens a quote that is never closed");
  check_says(message_of([] { parse_csv("# nothing\n", "f.csv"); }),
             "there is no line with the names of the columns");
  check_says(message_of([] { load_csv("nowhere.csv"); }), "nowhere.csv: error: no such file");
}

}  // namespace

}  // namespace heddle::validate
