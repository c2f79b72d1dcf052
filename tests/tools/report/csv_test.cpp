// Objects as CSV, where they are not alike.
#include "tests/support/catch.h"
#include "tools/report/json_object.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

TEST_CASE("A column stands behind the one it follows where it is found, and is empty in rows without it") {
  const std::vector<Json> objects = {{{"a", 1}, {"pipes", {{"x", 2}}}, {"z", 3}},
                                     {{"a", 4}, {"pipes", {{"y", 5}}}, {"z", 6}},
                                     {{"a", 7}, {"pipes", {{"x", 8}}}, {"z", 9}}};
  CHECK(to_csv(objects) == "a,pipes.y,pipes.x,z\n1,,2,3\n4,5,,6\n7,,8,9\n");
}

TEST_CASE("Headings and cells with commas and quotes are quoted, and without objects there is nothing") {
  const std::vector<Json> objects = {{{"a,b", "say \"c\""}, {"d", nullptr}}};
  CHECK(to_csv(objects) == "\"a,b\",d\n\"say \"\"c\"\"\",\n");
  CHECK(to_csv(std::vector<Json>()).empty());
}

TEST_CASE("Bytes that are no UTF-8 come as in JSON") {
  const std::vector<Json> objects = {{{"kernel", "k\xff, \xc3\xa4"}, {"list", {"\xfe", "b"}}}};
  CHECK(to_csv(objects) == "kernel,list\n\"k\xef\xbf\xbd, \xc3\xa4\",\xef\xbf\xbd b\n");
}

}  // namespace heddle::report
