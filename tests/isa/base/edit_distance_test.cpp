#include "isa/base/edit_distance.h"

#include <string>

#include "tests/support/catch.h"

namespace heddle {

TEST_CASE("The distance of two words counts letters put in, left out and changed, of either case") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("sitting", "kitten") == 3);
  CHECK(edit_distance("H100", "h100") == 0);
  CHECK(edit_distance("FFMA", "ffam") == 2);
}

TEST_CASE("Of very long words the beginning is compared") {
  const std::string many(1000, 'x');
  CHECK(edit_distance(many, many + "y") == 0);
  CHECK(edit_distance(many, "") == kLongestCompared);
}

}  // namespace heddle
