// Messages about wrong input, in the form that compilers use:
//
//   vecadd.sass:12:14: error: 'R300' is no register; registers are R0 to R254 and RZ
//     FADD R4, R300, R5
//              ^
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// A position in an input file. Line and column count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One message about wrong input.
struct Diagnostic {
  SourceLocation where;
  std::string message;      ///< What was found and what is allowed, without a final full stop.
  std::string source_line;  ///< The line with the mistake, to be shown with a caret; empty if there is none.
};

/// One diagnostic as text, ending in a newline.
std::string to_text(const Diagnostic& diagnostic);

class InputError;

/// Collects the mistakes of one input, so that a person sees all of them at once.
class Diagnostics {
 public:
  void add(SourceLocation where, std::string message, std::string source_line = {});
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  /// Adds all messages of the error. Messages without a position get the position `otherwise`.
  void add(const InputError& error, const SourceLocation& otherwise = {});

  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<Diagnostic>& list() const { return list_; }

  /// Throws InputError with all messages, if there are any.
  void throw_if_any() const;
  /// The same, but each message appears only once.
  void throw_each_once() const;

 private:
  std::vector<Diagnostic> list_;
};

/// The user's input cannot be used. The command prints `what()` and ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> list);
  InputError(SourceLocation where, std::string message);

  [[nodiscard]] const std::vector<Diagnostic>& list() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace heddle
