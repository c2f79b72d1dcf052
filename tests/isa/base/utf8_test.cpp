#include "isa/base/utf8.h"

#include "tests/support/catch.h"

namespace heddle::test {

// After table 3-7 of The Unicode Standard.
TEST_CASE("What is no UTF-8 becomes question marks, byte by byte") {
  CHECK(as_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z") == "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
  CHECK(as_utf8("\xff") == "?");
  CHECK(as_utf8("\xc0\x80") == "??");            // not the shortest form
  CHECK(as_utf8("\xed\xa0\x80") == "???");       // half of a pair
  CHECK(as_utf8("\xe2\x82") == "??");            // breaks off
  CHECK(as_utf8("\xf5\x80\x80\x80") == "????");  // beyond the last character
}

}  // namespace heddle::test
