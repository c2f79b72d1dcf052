// The ledger by line together with the text of the lines: what --lines adds to a run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/figures/line_figures.h"

namespace heddle::report {

/// What lines are counted in: the CUDA C++, the PTX that a compiler made of it, the instructions that ran.
enum class SourceLevel : std::uint8_t { Cuda, Ptx, Ir };

/// "cuda", "ptx", "ir".
std::string_view key_of(SourceLevel level);

/// A source file by lines. Without lines its text could not be read: then numbers of lines are all there is.
struct SourceText {
  std::string name;                ///< As the user or the compiler calls it.
  std::vector<std::string> lines;  ///< The first one is line 1.

  /// The name without its folders.
  [[nodiscard]] std::string short_name() const;
  /// The text of a line; empty if it is not there.
  [[nodiscard]] std::string_view line(std::uint32_t number) const;
};

/// Splits a text at its line ends.
SourceText source_text(const std::string& name, const std::string& text);

/// A run by lines.
struct LineProfile {
  SourceLevel level = SourceLevel::Ir;
  std::vector<SourceText> files;        ///< LinePlace::file counts in them.
  std::vector<sim::LineFigures> lines;  ///< In the order of files and lines.
  std::vector<sim::LinePlace> places;   ///< Of each instruction, by pc.

  [[nodiscard]] const SourceText& file_of(const sim::LinePlace& place) const { return files[place.file]; }
  /// "line 14 of softmax.cu".
  [[nodiscard]] std::string name_of(const sim::LinePlace& place) const;
};

}  // namespace heddle::report
