// docs/report.md: it has every field of a report, and calls things as the report's own tables do.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "isa/ir/stall_reason.h"
#include "sim/ledger/ledgers.h"
#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tools/heddle/base/command.h"

namespace heddle::command {

namespace {

using nlohmann::json;

/// The ways to all figures: "ledgers.issue_slots.issued". Pipes are named by the GPU file, and what is swept
/// by who sweeps; of a mean its least and greatest need no row.
void collect(const std::string& way, const json& value, std::set<std::string>& ways) {
  const bool is_leaf = !value.is_object() || value.contains("mean") || way == "pipes" || way == "swept";
  if (is_leaf) return static_cast<void>(ways.insert(way));
  for (const auto& [key, inner] : value.items()) collect(way.empty() ? key : way + '.' + key, inner, ways);
}

std::set<std::string> fields_of(const std::vector<std::string>& arguments) {
  const json report = run_report(arguments);
  std::set<std::string> ways;
  collect("", report.is_array() ? report[0] : report, ways);
  return ways;
}

/// Under the heading of a ledger or of the memory, parts stand without the way to them.
std::string name_on_page(const std::string& way) {
  if (way == "swept") return "swept.KEY";
  for (const std::string_view map : {"provenance.gpu_changes", "provenance.parameters"}) {
    if (way.starts_with(map)) return std::string(map);
  }
  for (const std::string_view above :
       {"ledgers.warp_slots.", "ledgers.issue_slots.", "ledgers.lane_slots.", "stalls.", "memory."}) {
    if (way.starts_with(above)) return way.substr(above.size());
  }
  return way;
}

std::string page() { return contents_of(HEDDLE_SOURCE_DIR "/docs/report.md"); }

void check_row(const std::string& text, std::string_view key, std::string_view summary) {
  const std::string row = fmt::format("\n| `{}` | {} |", key, summary);
  INFO(row);
  CHECK(text.find(row) != std::string::npos);
}

}  // namespace

TEST_CASE("docs/report.md has every field of a report") {
  const std::string text = page();
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"traces/vecadd.yaml", "--sms", "8"},
                                             {"traces/vecadd.yaml", "--gpu", "tiny", "--sweep", "n=32,64"},
                                             {"traces/recorded/kernel-1.traceg.zst"}}) {
    const std::set<std::string> fields = fields_of(arguments);
    CHECK(fields.size() > 100);
    for (const std::string& field : fields) {
      INFO(field);
      CHECK(text.find(fmt::format("`{}`", name_on_page(field))) != std::string::npos);
    }
  }
}

TEST_CASE("docs/report.md has every field of heddle occupancy") {
  const std::string whole = page();
  const std::string text = whole.substr(whole.find("## Occupancy by itself"));
  const Outcome outcome =
      heddle({"occupancy", "--gpu", "h100", "--block", "256", "--regs", "40", "--grid", "700", "--cluster",
              "2", "--target", "50%", "--suggest", "--curves", "--explain", "--format", "json"});
  REQUIRE(outcome.exit_code == kDone);
  std::set<std::string> fields;
  collect("", json::parse(outcome.out), fields);
  CHECK(fields.size() > 50);
  fields.erase("schema_version");
  for (const std::string& field : fields) {
    INFO(field);
    CHECK(text.find(fmt::format("`{}`", field)) != std::string::npos);
  }
}

TEST_CASE("docs/report.md explains ledgers, stalls and counters in the words of their tables") {
  const std::string text = page();
  for (const ir::StallReasonInfo& row : ir::kStallReasonTable) check_row(text, row.key, row.summary);
#define HEDDLE_LEDGER_PART(name, key, summary) check_row(text, key, summary);
#include "sim/ledger/lane_slot_parts.def"
#include "sim/ledger/warp_slot_parts.def"
#undef HEDDLE_LEDGER_PART
#define HEDDLE_MEMORY_COUNTER(name, summary) check_row(text, #name, summary);
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
}

TEST_CASE("Stalls and issues sum to what docs/report.md says they do") {
  const json report = run_report({"traces/reduce_v1.yaml", "--gpu", "tiny"});
  std::uint64_t sum = report["warp_instructions"].get<std::uint64_t>();
  for (const auto& [reason, cycles] : report["stalls"].items()) sum += cycles.get<std::uint64_t>();
  CHECK(sum == report["resident_warp_cycles"]);
}

}  // namespace heddle::command
