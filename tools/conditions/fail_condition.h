// Conditions on the figures of a run under which it counts as failed: "cycles > 1.05 * baseline.json".
//
//   FIGURE OP NUMBER            achieved_occupancy < 0.5
//   FIGURE OP NUMBER * FILE     cycles > 1.05 * baseline.json
//
// FIGURE is a key of the JSON report, of inner objects with points: "memory.dram_sectors". OP is >, >=, <,
// <=,
// == or !=. FILE is a JSON report of one run, of a list of kernels, or a program's totals: an earlier value
// of the same figure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle::conditions {

/// An earlier value.
struct Baseline {
  std::string path;
  double value = 0;
};

/// A condition that has been read, with the value of its file.
struct FailCondition {
  std::string text;  ///< As it was written.
  std::string figure;
  std::string comparison;  ///< ">"
  double number = 0;
  std::optional<Baseline> baseline;

  /// What the figure is compared with.
  [[nodiscard]] double bound() const { return baseline ? number * baseline->value : number; }
  [[nodiscard]] bool holds_for(double value) const;
  /// The same condition where the file is named from the root, for a program in another folder.
  [[nodiscard]] std::string rooted_text() const;
};

/// `origin` names the option or the variable. Throws InputError with the column in the text: a mistake in it,
/// an unknown figure, a file that is missing or does not have the figure.
FailCondition read_fail_condition(const std::string& text, const std::string& origin);

/// What is said about a condition that is true: "'cycles > 1.05 * old.json' is true: cycles is 1200, ...".
/// Nothing if it is false. `run` is a JSON report of one run. Throws InputError if it lacks the figure.
std::optional<std::string> fulfilled(const FailCondition& condition, const nlohmann::ordered_json& run,
                                     const std::string& origin);

}  // namespace heddle::conditions
