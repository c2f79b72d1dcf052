// Follows the .loc directives of one function.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "isa/ptx/function.h"
#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// Adds to Function::source_lines while the function's body is read.
class SourceLines {
 public:
  /// The list must outlive this object.
  explicit SourceLines(std::vector<SourceLine>& lines) : lines_(lines) {}

  /// Reads what follows .loc. The function's name is a label in section .debug_str, which comes later: until
  /// then its label stands there. Throws Mistake.
  void read(TokenReader& tokens);

  /// The line that instructions here come from; kNone before the first .loc.
  [[nodiscard]] std::uint32_t current() const { return current_; }

 private:
  using Position = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  std::uint32_t add(SourceLine line);
  std::uint32_t find(const SourceLine& call);

  std::vector<SourceLine>& lines_;
  std::map<Position, std::uint32_t> last_at_;  // the last line of each position
  std::uint32_t current_ = kNone;
};

}  // namespace heddle::ptx
