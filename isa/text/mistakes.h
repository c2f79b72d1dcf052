// The mistakes of one kernel file: thrown where they are found, caught where reading can go on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/text/lexer.h"

namespace heddle::text {

struct Mistake {
  Token at;
  std::string message;
  bool is_last = false;  ///< Nothing behind it is worth reading.
};

[[noreturn]] void fail(const Token& at, std::string message);

class Mistakes {
 public:
  /// Both must outlive this object.
  Mistakes(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void add(const Mistake& mistake);
  void add(const Token& at, std::string message) { add(Mistake{at, std::move(message)}); }

  /// Whether reading should stop: a file that is no kernel at all must not cost time, or fill the screen.
  [[nodiscard]] bool is_full() const { return full_; }

  /// How many were found so far.
  [[nodiscard]] std::size_t count() const { return list_.size(); }

  /// All of them in the order of the text. None are left: what is found from now on is another kernel's.
  std::vector<Diagnostic> take();

  /// A last diagnostic that says that there may be more of them.
  [[nodiscard]] static Diagnostic stopped(const std::string& file);

  static constexpr std::size_t kMost = 100;

 private:
  [[nodiscard]] std::string source_line(const Token& at) const;

  std::string_view text_;
  const std::string& file_;
  std::vector<Diagnostic> list_;
  bool full_ = false;
};

}  // namespace heddle::text
