// What the program said when a person last looked at it. A change shows as a difference, to be reviewed:
//   for test in tools examples; do HEDDLE_REFRESH_GOLDEN=1 build/release/test_$test "[golden]"; done
#pragma once

#include <string>

namespace heddle::test {

/// That tests/golden/`name` holds this text. Where the environment has HEDDLE_REFRESH_GOLDEN, it is written
/// there.
void check_golden(const std::string& name, const std::string& text);

}  // namespace heddle::test
