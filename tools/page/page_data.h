// The data of a page that shows a run: one JSON object, which docs/pictures.md describes. It is bounded,
// however long the run and its kernel are.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ledger/pc_counters.h"
#include "tools/history/run_history.h"
#include "tools/report/line_profile.h"
#include "tools/report/summary.h"

namespace heddle::page {

inline constexpr std::size_t kMostInstructions = 2500;
inline constexpr std::size_t kMostSourceLines = 5000;     ///< Of one level.
inline constexpr std::size_t kMostSourceBytes = 500'000;  ///< Likewise, as the page writes them.
inline constexpr std::size_t kMostTextBytes = 400;        ///< Of a line of source or an instruction.

/// All that a page is made of.
struct PageFacts {
  const report::Summary& run;
  const history::RunHistory& history;
  std::vector<std::string> code;       ///< The text of each instruction, by pc.
  std::vector<sim::PcCounters> by_pc;  ///< As in RunResult; by pc.
  /// What the code was made from, level by level: CUDA C++ and its PTX, PTX, or the text with its comments.
  std::vector<report::LineProfile> sources;
  std::uint32_t sector_bytes = 32;
  const sim::OccupancySpec* occupancy = nullptr;  ///< Of the GPU; null: no curves.
};

/// The members that are the same in all runs on one GPU: a page of several has them once.
inline constexpr std::string_view kSharedMembers[] = {"words", "stalls", "machine"};
/// Those that tell of lines and of time: what is left without them are the figures of a run.
inline constexpr std::string_view kDetailMembers[] = {"time",     "sms",    "watched", "code",
                                                      "accesses", "curves", "sources"};

/// The glossary by group and key, for what stands under each word.
nlohmann::ordered_json word_data();

/// Names may hold any bytes: what is no UTF-8 is replaced when the object is dumped.
nlohmann::ordered_json page_data(const PageFacts& facts);

}  // namespace heddle::page
