// The data of a page that shows a run: one JSON object, which docs/pictures.md describes. It is bounded,
// however long the run and its kernel are.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/ledger/pc_counters.h"
#include "tools/history/run_history.h"
#include "tools/report/summary.h"

namespace heddle::page {

inline constexpr std::size_t kMostInstructions = 5000;
inline constexpr std::size_t kMostSourceLines = 5000;
inline constexpr std::size_t kMostTextBytes = 400;  ///< Of a line of source or an instruction.

/// An instruction as the page shows it.
struct CodeLine {
  std::string text;
  std::uint32_t line = 0;  ///< In the source; 0 if it is not known.
};

/// The file that the lines of the code count in.
struct SourceText {
  std::string name;
  std::vector<std::string> lines;  ///< Empty if it could not be read.
};

/// All that a page is made of.
struct PageFacts {
  const report::Summary& run;
  const history::RunHistory& history;
  std::vector<CodeLine> code;          ///< By pc.
  std::vector<sim::PcCounters> by_pc;  ///< As in RunResult; by pc.
  SourceText source;
  std::uint32_t sector_bytes = 32;
  const sim::OccupancySpec* occupancy = nullptr;  ///< Of the GPU; null: no curves.
};

/// Names may hold any bytes: what is no UTF-8 is replaced when the object is dumped.
nlohmann::ordered_json page_data(const PageFacts& facts);

}  // namespace heddle::page
