#include "tools/report/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "isa/ir/stall_reason.h"
#include "sim/config/load.h"
#include "sim/ledger/ledgers.h"
#include "tests/support/catch.h"
#include "tools/report/figures.h"
#include "tools/report/text_columns.h"
#include "tools/validate/metrics.h"

namespace heddle::report {

namespace {

std::set<std::string> keys_of(std::string_view group) {
  std::set<std::string> keys;
  for (const Word& word : find_group(group)->words) keys.emplace(word.key);
  return keys;
}

/// "group key" of each.
std::vector<std::string> found(std::string_view name) {
  std::vector<std::string> list;
  for (const FoundWord& word : find_words(name))
    list.push_back(fmt::format("{} {}", word.group->key, word.word->key));
  return list;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("Each part of a ledger, each stall and each pipe is explained, in few words that fit a page, too") {
  std::set<std::string> stalls;
  for (const ir::StallReasonInfo& row : ir::kStallReasonTable) stalls.emplace(row.key);
  CHECK(keys_of("stalls") == stalls);
  std::set<std::string> warps;
  std::set<std::string> lanes;
#define HEDDLE_LEDGER_PART(name, key, summary) warps.insert(key);
#include "sim/ledger/warp_slot_parts.def"
#undef HEDDLE_LEDGER_PART
#define HEDDLE_LEDGER_PART(name, key, summary) lanes.insert(key);
#include "sim/ledger/lane_slot_parts.def"
#undef HEDDLE_LEDGER_PART
  CHECK(keys_of("warp_slots") == warps);
  CHECK(keys_of("lane_slots") == lanes);
  CHECK(keys_of("issue_slots") == std::set<std::string>{"issued", "no_warp"});
  const std::string configs = HEDDLE_SOURCE_DIR "/configs";
  for (const std::string& gpu : sim::available_gpus(configs)) {
    for (const auto& pipe : sim::load_gpu(gpu, {}, configs).sm.pipes) {
      INFO(gpu << ' ' << pipe.name);
      CHECK(gloss_of("pipes", pipe.name) != "");
    }
  }
  for (const WordGroup& group : glossary()) {
    for (const Word& word : group.words) {
      INFO(word.key);
      CHECK(!word.definition.empty());
      CHECK(word.cause.empty() == word.cure.empty());
      constexpr std::size_t kNote = 32;
      CHECK(text_width(word.gloss) <= kNote);
      const bool needs_gloss =
          group.key == "stalls" || group.key == "pipes" || group.path.starts_with("ledgers.");
      CHECK(word.gloss.empty() != needs_gloss);
    }
  }
}

TEST_CASE("Each stall has what makes it so and what helps") {
  for (const Word& word : find_group("stalls")->words) {
    INFO(word.key);
    CHECK(!word.cause.empty());
  }
}

TEST_CASE("Each figure of a report is explained") {
  for (const std::string& name : figure_names()) {
    // What a run is checked by, and how much of a ledger there is, says itself.
    if (name == "schema_version" || name.ends_with(".total") || name.starts_with("verdict.")) continue;
    std::string word = name;
    for (const std::string_view end : {".min", ".mean", ".max"}) {
      if (word.ends_with(end) && word.starts_with("per_sm.")) word.resize(word.size() - end.size());
    }
    if (word.starts_with("ledgers.issue_slots."))
      word = word.substr(std::string("ledgers.issue_slots.").size());
    INFO(name);
    CHECK(!find_words(word).empty());
  }
}

TEST_CASE("A word is found however it is spelled") {
  for (const char* name :
       {"long_scoreboard", "long scoreboard", "Long Scoreboard", "LONG-SCOREBOARD", "stalls.long_scoreboard",
        "Stall Long Scoreboard", "stall_long_sb", "stall_long_scoreboard", "stall_memory_dependency",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active",
        "smsp__warps_issue_stalled_long_scoreboard.sum", "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
        "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
        "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"}) {
    INFO(name);
    CHECK(found(name) == List{"stalls long_scoreboard"});
  }
  CHECK(found("ledgers.warp_slots.tail") == List{"warp_slots tail"});
  CHECK(found("idle SM") == List{"warp_slots idle_sm"});
  CHECK(found("sm__warps_active.avg.pct_of_peak_sustained_active") == List{"figures achieved_occupancy"});
  CHECK(found("achieved_occupancy") == List{"figures achieved_occupancy"});
  CHECK(found("One or More Eligible") == List{"figures issue_efficiency"});
  CHECK(found("launch__waves_per_multiprocessor") == List{"occupancy waves"});
  CHECK(found("`xu`") == List{"pipes xu"});
  CHECK(found("stall_exec_dependency") == List{"stalls wait", "stalls short_scoreboard"});
  CHECK(found("").empty());
  CHECK(found("__").empty());
  CHECK(found("nothing of the kind").empty());
}

TEST_CASE("Each metric that Nsight Compute's reports are compared by is explained, by both of its names") {
  for (const validate::Metric& metric : validate::metrics()) {
    // Counts that a report has by parts.
    const std::set<std::string> sums = {"dram__bytes.sum", "l1tex__t_sectors.sum", "lts__t_sectors.sum",
                                        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"};
    if (metric.ncu.empty() || sums.contains(metric.ncu)) continue;
    INFO(metric.ncu);
    CHECK(!find_words(metric.ncu).empty());
    if (!metric.ncu_label.empty()) {
      INFO(metric.ncu_label);
      CHECK(!find_words(metric.ncu_label).empty());
    }
  }
}

TEST_CASE("Words that are spelled alike are offered, the nearest first") {
  const List like = words_like("long_scorebord");
  REQUIRE(!like.empty());
  CHECK(like[0] == "long_scoreboard");
  CHECK(words_like("acheived ocupancy").at(0) == "achieved_occupancy");
  CHECK(words_like("qqqqqqqqqqqq").empty());
  CHECK(words_like(std::string(5000, 'x')).empty());
}

}  // namespace heddle::report
