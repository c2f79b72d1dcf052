// Numbers in launch files: each may be an expression.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/expression.h"

namespace heddle::launch {

/// Reads numbers at their place in the file; what is wrong there is recorded, and nothing comes back.
class Evaluator {
 public:
  Evaluator(Interpreter& interpreter, Diagnostics& problems)
      : interpreter_(interpreter), problems_(problems) {}

  std::optional<Number> number(const sim::YamlValue& value);
  /// Both ends included.
  std::optional<std::int64_t> integer(const sim::YamlValue& value, std::int64_t least, std::int64_t most);
  /// A number that an element of the type can hold.
  std::optional<Number> element(const sim::YamlValue& value, ElementType type);

  [[nodiscard]] Interpreter& interpreter() { return interpreter_; }
  [[nodiscard]] Diagnostics& problems() { return problems_; }

 private:
  Interpreter& interpreter_;
  Diagnostics& problems_;
};

/// "'block'", or nothing for a value that has no key, such as one given on the command line; then ": ".
std::string label(const sim::YamlValue& value);

}  // namespace heddle::launch
