// The leaves of a JSON value with their names, for reports that another program may have written.
#pragma once

#include <string>
#include <vector>

#include "tools/json/json_reader.h"

namespace heddle::diff {

/// A value that is no object. It stays valid as long as the value that it is in.
struct Leaf {
  std::string name;  ///< Names in inner objects follow a point: "ledgers.issue_slots.wait".
  const Json* value = nullptr;
};

/// In the order of the names. Objects deeper than a report has them are left out, so that a file cannot
/// exhaust the stack.
std::vector<Leaf> leaves_of(const Json& object);

/// A setting as text: text as it is, extents as "32 x 8", numbers and other values as JSON writes them. Long
/// or nested values are shortened.
std::string value_text(const Json& value);

}  // namespace heddle::diff
