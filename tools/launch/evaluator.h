// Evaluates numbers in launch files. Each can be an expression.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/expression.h"

namespace heddle::launch {

/// Reads numbers. A mistake is recorded with its position, and the result is not set.
class Evaluator {
 public:
  Evaluator(Interpreter& interpreter, Diagnostics& problems)
      : interpreter_(interpreter), problems_(problems) {}

  std::optional<Number> number(const sim::YamlValue& value);
  /// A whole number from `least` to `most`, both included.
  std::optional<std::int64_t> integer(const sim::YamlValue& value, std::int64_t least, std::int64_t most);
  /// A number that fits in an element of the type.
  std::optional<Number> element(const sim::YamlValue& value, ElementType type);

  [[nodiscard]] Interpreter& interpreter() { return interpreter_; }
  [[nodiscard]] Diagnostics& problems() { return problems_; }

 private:
  Interpreter& interpreter_;
  Diagnostics& problems_;
};

/// "'block': " for messages; empty for a value without a key, such as one from the command line.
std::string label(const sim::YamlValue& value);

}  // namespace heddle::launch
