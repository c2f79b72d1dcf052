// Names of inlined functions, which PTX keeps as bytes in section .debug_str.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// The contents of .debug_str, by label.
class DebugStrings {
 public:
  /// Reads a section's block in braces. Throws Mistake if it never ends.
  void read(TokenReader& tokens);

  /// The text behind a label, or behind LABEL+12. The label itself if the section has none of that name.
  [[nodiscard]] std::string text_at(const std::string& label) const;

 private:
  void read_token(TokenReader& tokens);

  std::string bytes_;
  std::map<std::string_view, std::size_t> labels_;
};

}  // namespace heddle::ptx
