// Collects the parts of a PTX function that cannot be lowered, so that they are reported all at once.
#pragma once

#include <stdexcept>
#include <string>

#include "isa/base/diagnostic.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Thrown where an instruction cannot be lowered, caught where the next one begins.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The diagnostics of one function, each with its place in the PTX text.
class Refusals {
 public:
  /// `module` must outlive this.
  explicit Refusals(const ptx::Module& module) : module_(module) {}

  /// The message begins with what is refused and says why.
  void add(ptx::Place place, const std::string& message) {
    list_.add({module_.file, place.line, place.column}, message, ptx::source_line(module_, place));
  }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  void throw_if_any() const { list_.throw_each_once(); }

 private:
  const ptx::Module& module_;
  Diagnostics list_;
};

}  // namespace heddle::lower
