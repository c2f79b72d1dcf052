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
  CHECK(edit_distance("FFMA", "ffam") == 1);  // neighbours that are swapped are one slip
  CHECK(edit_distance("LGD", "LDG") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // of letters that were swapped, none is changed again
}

TEST_CASE("Of very long words the beginning is compared") {
  const std::string many(1000, 'x');
  CHECK(edit_distance(many, many + "y") == 0);
  CHECK(edit_distance(many, "") == kLongestCompared);
}

TEST_CASE("A third of a word's letters may be slips, none where there is but one") {
  CHECK(most_slips("") == 0);
  CHECK(most_slips("a") == 0);
  CHECK(most_slips("ab") == 1);
  CHECK(most_slips("abc") == 1);
  CHECK(most_slips("abcd") == 2);
  CHECK(most_slips("abcdefghi") == 3);
}

}  // namespace heddle
