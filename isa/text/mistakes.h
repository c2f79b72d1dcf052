// The mistakes of one kernel file. They are thrown where they are found and caught where reading can
// continue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/text/lexer.h"

namespace heddle::text {

/// One mistake: its position and a message.
struct Mistake {
  Token at;
  std::string message;
  bool is_last = false;  ///< Reading should stop: nothing useful follows.
};

[[noreturn]] void fail(const Token& at, std::string message);

/// Collects mistakes and makes diagnostics of them.
class Mistakes {
 public:
  /// Both must outlive this object.
  Mistakes(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void add(const Mistake& mistake);
  void add(const Token& at, std::string message) { add(Mistake{at, std::move(message)}); }

  /// Whether reading should stop because there are too many mistakes. A file that is no kernel at all should
  /// not cost time or fill the screen.
  [[nodiscard]] bool is_full() const { return full_; }

  /// Number of mistakes so far.
  [[nodiscard]] std::size_t count() const { return list_.size(); }

  /// Returns all mistakes in the order of the text and removes them. Later mistakes belong to the next
  /// kernel.
  std::vector<Diagnostic> take();

  /// The last diagnostic, which says that there may be more mistakes.
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
