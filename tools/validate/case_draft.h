// A case while it is being read, with the names that its expressions and texts can use.
#pragma once

#include <string>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/evaluator.h"
#include "tools/validate/rows.h"
#include "tools/validate/suite.h"
#include "tools/validate/suite_size.h"

namespace heddle::validate {

/// The case so far and an interpreter for its expressions.
struct CaseDraft {
  CaseDraft(const sim::YamlValue& at, SuiteSize& size_of_all, Diagnostics& problems)
      : item(at), size(size_of_all), evaluator(interpreter, problems), result{{}, {}, {}, 0, {},
                                                                              {}, {}, {}, at} {}

  void bind(const std::string& name, Number value) {
    interpreter.set_number(name, value);
    result.values.emplace_back(name, value);
  }
  [[nodiscard]] bool has_value(const std::string& name) const;
  /// Replaces each {name} in the text by its value. Records unknown names as problems.
  std::string filled_in(const sim::YamlValue& value, Diagnostics& problems) const;

  sim::YamlValue item;
  SuiteSize& size;
  Cells texts;  ///< The values of {name}.
  launch::Interpreter interpreter;
  launch::Evaluator evaluator;
  Case result;
};

}  // namespace heddle::validate
