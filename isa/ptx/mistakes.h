// The mistakes of one PTX file. They are thrown where they are found and caught where reading can go on.
#pragma once

#include <string>
#include <string_view>

#include "isa/base/diagnostic.h"
#include "isa/ptx/lexer.h"

namespace heddle::ptx {

/// One mistake: its token and a message.
struct Mistake {
  Token at;
  std::string message;
};

[[noreturn]] void fail(const Token& at, std::string message);

/// Throws the Mistake "expected <what>, found <token>".
[[noreturn]] void fail_expected(std::string_view what, const Token& found);

/// The line in which a position stands; empty if it is too long to be read by a person.
std::string line_around(std::string_view text, std::size_t offset);

/// Collects mistakes and makes diagnostics of them.
class Mistakes {
 public:
  static constexpr std::size_t kMost = 100;

  /// Both must outlive this object.
  Mistakes(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void add(const Mistake& mistake);
  void add(const Token& at, std::string message) { add(Mistake{at, std::move(message)}); }

  /// Whether reading should stop: a file with that many mistakes is no PTX.
  [[nodiscard]] bool is_full() const { return list_.list().size() >= kMost; }

  /// Throws InputError with all mistakes in the order of the text, if there are any.
  void throw_if_any() const;

 private:
  std::string_view text_;
  const std::string& file_;
  Diagnostics list_;
};

}  // namespace heddle::ptx
