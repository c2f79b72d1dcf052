// docs/report.md: it has every field of a report, and calls things as the report's own tables do.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tools/heddle/base/command.h"
#include "tools/report/glossary.h"

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

const std::string kPage = HEDDLE_SOURCE_DIR "/docs/report.md";

std::string page() { return contents_of(kPage); }

// -- the tables of words ----------------------------------------------------------------------------

using Cells = std::vector<std::string>;

std::string row_text(const Cells& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string table_text(const Cells& headings, const std::vector<Cells>& rows) {
  std::string text = row_text(headings) + row_text(Cells(headings.size(), "---"));
  for (const Cells& row : rows) text += row_text(row);
  return text;
}

std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    items.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  return items;
}

/// "`a`, `b`" of "a, b".
std::string code(std::string_view keys) { return fmt::format("`{}`", fmt::join(items_of(keys), "`, `")); }

/// What makes it so, and what helps, of the words of which that can be said.
std::string causes_text(const report::WordGroup& group) {
  std::vector<Cells> rows;
  for (const report::Word& word : group.words) {
    if (!word.cause.empty())
      rows.push_back({code(word.key), std::string(word.cause), std::string(word.cure)});
  }
  return rows.empty() ? "" : '\n' + table_text({"field", "what makes it so", "what helps"}, rows);
}

/// Parts of ledgers and stalls have a gloss; of others each row names a metric.
std::string tables_of(const report::WordGroup& group) {
  std::vector<Cells> rows;
  const bool has_glosses = group.path.starts_with("ledgers.") || group.key == "stalls";
  for (const report::Word& word : group.words) {
    if (has_glosses) {
      rows.push_back({code(word.key), std::string(word.gloss), std::string(word.definition),
                      std::string(word.cause), std::string(word.cure)});
    } else {
      rows.push_back({code(word.key), std::string(word.definition), std::string(word.nsight)});
    }
  }
  if (has_glosses) {
    const char* gloss = group.key == "stalls" ? "the warp waits for" : "slots";
    return table_text({"word", gloss, "what it is", "what makes it so", "what helps"}, rows);
  }
  return table_text({"field", "what it is", "Nsight Compute"}, rows) + causes_text(group);
}

/// Where the page has what belongs to the group: from the mark before it to the mark behind it.
std::pair<std::size_t, std::size_t> place_of(const report::WordGroup& group, const std::string& text) {
  const std::string before = fmt::format("<!-- words: {} -->\n", group.key);
  const std::size_t begin = text.find(before);
  const std::size_t end = text.find("<!-- /words -->", begin);
  INFO(before);
  REQUIRE(end != std::string::npos);
  return {begin + before.size(), end};
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

TEST_CASE("docs/report.md has the words of reports as heddle explain has them", "[golden]") {
  std::string text = page();
  for (const report::WordGroup& group : report::glossary()) {
    const std::string wanted = "\n" + tables_of(group) + "\n";
    const auto [begin, end] = place_of(group, text);
    if (std::getenv("HEDDLE_REFRESH_GOLDEN") != nullptr) text.replace(begin, end - begin, wanted);
    const auto [now, behind] = place_of(group, text);
    CHECK(text.substr(now, behind - now) == wanted);
  }
  if (text != page()) std::ofstream(kPage, std::ios::binary) << text;
}

TEST_CASE("Stalls and issues sum to what docs/report.md says they do") {
  const json report = run_report({"traces/reduce_v1.yaml", "--gpu", "tiny"});
  std::uint64_t sum = report["warp_instructions"].get<std::uint64_t>();
  for (const auto& [reason, cycles] : report["stalls"].items()) sum += cycles.get<std::uint64_t>();
  CHECK(sum == report["resident_warp_cycles"]);
}

}  // namespace heddle::command
