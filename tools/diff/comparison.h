// What two runs have different: settings, figures, and where the cycles went.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/diff/run_file.h"

namespace heddle::diff {

/// A setting that differs: what the runs were told, not what came out.
struct SettingChange {
  /// Its name in JSON, without "provenance.": "block", "gpu_changes.l1.latency", "files.traces/x.sass", of
  /// which the values are the first digits of SHA-256.
  std::string name;
  std::optional<std::string> before;  ///< Not set if this run does not have it.
  std::optional<std::string> after;
};

using Number = std::variant<std::int64_t, double>;

double as_double(const Number& number);

/// A figure of both runs, changed or not.
struct FigureChange {
  std::string name;              ///< Its name in JSON: "memory.l1_hit_rate".
  std::string_view unit;         ///< See report::unit_of().
  std::optional<Number> before;  ///< Counts are integers. Not set if this run does not have it.
  std::optional<Number> after;

  [[nodiscard]] bool is_changed() const { return before != after; }
};

/// What the run's cycles were spent on, for one part. A run of C cycles on S SMs with P schedulers each has
/// C x S x P turns to issue. Each of them belongs to one part, so that the parts sum to them exactly, and
/// divided by S x P they sum to the cycles of the run.
struct CyclePart {
  /// A part of the issue ledger, or launch_cycles, idle_sm (the SM holds no block while others may),
  /// cycles_after_blocks.
  std::string key;
  std::uint64_t before = 0;  ///< Turns.
  std::uint64_t after = 0;
};

/// One run's turns: of all schedulers, in all cycles.
struct Turns {
  std::uint64_t cycles = 0;
  std::uint64_t schedulers = 0;  ///< Of all SMs. 0 if the turns cannot be told, see CycleChange.
};

/// Where the cycles of both runs went.
struct CycleChange {
  Turns before;
  Turns after;
  /// The greatest change of cycles first. Empty if one of the runs is a sample, whose slots are not those of
  /// the whole GPU, if no SM ever held a block, or if the figures do not fit each other.
  std::vector<CyclePart> parts;

  /// A part as cycles of the run: its turns by the schedulers.
  [[nodiscard]] double cycles_before(const CyclePart& part) const;
  [[nodiscard]] double cycles_after(const CyclePart& part) const;
};

/// Issue slots of both runs.
struct SlotChange {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

/// A line of the source, of both runs or of one.
struct LineChange {
  std::string file;  ///< That of the second run, if it is there. Empty for what belongs to no line.
  std::string text;  ///< Without blanks around it; empty if it is not known.
  std::optional<std::uint64_t> number_before;  ///< 0 for what belongs to no line; not set if it is new,
  std::optional<std::uint64_t> number_after;   ///< or if it is gone.
  SlotChange all;                              ///< Used, and lost for this line.
  std::map<std::string, SlotChange> parts;     ///< `issued`, and stall reasons: they sum to all.
};

/// Where the issue slots of both runs went by line. The slots of all lines and those without a warp sum to
/// the issue ledgers, so their differences sum to that of the ledgers, exactly.
struct LineComparison {
  std::string level_before;  ///< "cuda", "ptx" or "ir". If they are not the same, nothing is compared.
  std::string level_after;
  std::vector<LineChange> lines;  ///< The greatest change first; those without a change, too.
  SlotChange without_warp;
  std::size_t matched = 0;              ///< Lines of both runs.
  std::uint64_t schedulers_before = 0;  ///< As in Turns; 0 if slots cannot be told as cycles.
  std::uint64_t schedulers_after = 0;

  /// Whether amounts are cycles of the run, slots by schedulers; else they are slots.
  [[nodiscard]] bool in_cycles() const { return schedulers_before != 0 && schedulers_after != 0; }
  [[nodiscard]] double amount_before(std::uint64_t slots) const;
  [[nodiscard]] double amount_after(std::uint64_t slots) const;
  [[nodiscard]] double change(const SlotChange& slots) const;
  /// The part of the line that changed most; empty if none did.
  [[nodiscard]] std::string greatest_part(const LineChange& line) const;
};

/// A comparison of two runs.
struct Comparison {
  RunFile before;
  RunFile after;
  std::vector<SettingChange> settings;  ///< Only those that differ, in the order of a report.
  std::vector<FigureChange> figures;    ///< All, in the order of a report.
  CycleChange cycles;
  std::optional<LineComparison> lines;  ///< Not set if one of the reports has no lines.
};

Comparison compare(RunFile before, RunFile after);

}  // namespace heddle::diff
