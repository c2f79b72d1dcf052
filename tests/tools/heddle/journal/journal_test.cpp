// What a journal holds comes back as it was; what is not whole does not.
#include "tools/heddle/journal/journal.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/journal/counts_json.h"
#include "tools/heddle/journal/journal_lines.h"
#include "tools/heddle/journal/outcome_json.h"
#include "tools/report/json.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;
using launch::check_says;
using launch::message_of;

/// As it is after it has been written and read.
Json written(const Json& json) { return Json::parse(json.dump()); }

JournalHead small_head() {
  return {"1.0", "abc", {"heddle", "run", "a.yaml"}, {{"a.yaml", "1234"}, {"b.sass", "5678"}}, 3};
}

/// The numbers of the runs that a journal hands over.
std::vector<std::size_t> runs_in(const std::string& path, const JournalHead& head = small_head()) {
  std::vector<std::size_t> runs;
  const Journal journal(path, head, Journal::Mode::Resume, [&runs](std::size_t run, const Json& outcomes) {
    CHECK(outcomes == Json({"outcome", run}));
    runs.push_back(run);
  });
  return runs;
}

/// A journal with the runs 0 and 2 of three.
std::string small_journal(const launch::ScratchFolder& folder) {
  const std::string path = folder.path("journal");
  Journal journal(path, small_head(), Journal::Mode::Begin, nullptr);
  for (const std::size_t run : {2U, 0U}) journal.add(run, Json::array(), {"outcome", run});
  return path;
}

}  // namespace

TEST_CASE("Each counter of each SM comes back, also where all are different") {
  std::vector<sim::SmCounters> sms(3);
  std::uint64_t value = ~std::uint64_t{0};
  for (sim::SmCounters& sm : sms) {
#define HEDDLE_SM_COUNTER(name, summary) sm.name = value--;
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
#define HEDDLE_MEMORY_COUNTER(name, summary) sm.memory.name = value--;
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
    for (std::size_t i = 0; i < sim::Ledger<sim::WarpSlotPart>::kParts; ++i)
      sm.warp_slots[static_cast<sim::WarpSlotPart>(i)] = value--;
    for (std::size_t i = 0; i < sim::Ledger<sim::LaneSlotPart>::kParts; ++i)
      sm.lane_slots[static_cast<sim::LaneSlotPart>(i)] = value--;
    for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
      sm.stalls[static_cast<ir::StallReason>(i)] = value--;
      sm.issue_slots.stalled[static_cast<ir::StallReason>(i)] = value--;
    }
    sm.issue_slots.issued = value--;
    sm.issue_slots.no_warp = value--;
    sm.pipe_busy = {value--, value--};
  }
  CHECK(counts_from_json(written(counts_to_json(sms)), 3, 2) == sms);
  CHECK_THROWS(counts_from_json(written(counts_to_json(sms)), 4, 2));
  sms.assign(5, {});
  for (sim::SmCounters& sm : sms) sm.pipe_busy.resize(2);
  CHECK(counts_to_json(sms).empty());
  CHECK(counts_from_json(Json::object(), 5, 2) == sms);
}

TEST_CASE(
    "From the outcome of a run that was written, the same report is made, whatever bytes its names have") {
  const sim::GpuSpec spec = sim::load_gpu("tiny");
  test::TextKernel kernel("S2R R0, SR_TID.X\nIADD3 R1, R0, R0, RZ\nBAR.SYNC 0", {.x = 50}, {.x = 7});
  const sim::RunResult result = kernel.run(spec).result;
  report::RunInfo info;
  info.launch_path = "a\xff\"b\n.yaml";
  info.short_name = "\xc3\xa4";
  info.description = "what it does";
  info.checks = {{"c", 10, 5, 1}};
  info.checked = false;
  info.is_trace = true;
  info.approximations = {{"OP.X", "FADD", 12}};
  info.sample = report::SampleSize{1, 2, 3, 4};
  info.provenance = {"1.0", {"heddle", "run", "\xfe"}, {{"l1.latency", "40"}}, {{"n", "1"}}, {{"f", "00"}}};
  info.swept = {{"n", "1"}, {"gpu", "tiny"}};
  const report::Failure failure{"b.yaml", {{"n", "2"}}, "fault: \x80", {"1.0", {"heddle"}, {}, {}, {}}};
  const RunOutcomes outcomes = {{CountedRun{result, info}, "told\n"}, {FailedRun{kInputWrong, failure}, ""}};

  const RunOutcomes again = outcomes_from_json(written(outcomes_to_json(outcomes)), spec);
  REQUIRE(again.size() == 2);
  CHECK(again[0].told == "told\n");
  const auto& [result_again, info_again] = std::get<CountedRun>(again[0].run);
  CHECK(result_again.sms == result.sms);
  CHECK(result_again.total == result.total);
  const report::Summary before = report::summarize(result, spec, info);
  const report::Summary after = report::summarize(result_again, spec, info_again);
  CHECK(report::to_json({&after, 1}) == report::to_json({&before, 1}));
  CHECK(after.info.launch_path == before.info.launch_path);
  CHECK(after.info.description == before.info.description);
  CHECK(after.kernel_launch_cycles == before.kernel_launch_cycles);
  CHECK(after.after_blocks == before.after_blocks);
  const FailedRun& failed = std::get<FailedRun>(again[1].run);
  CHECK(failed.exit_code == kInputWrong);
  CHECK(failed.failure.message == failure.message);
  CHECK(failed.failure.swept == failure.swept);
}

TEST_CASE("A line is taken only as it was written") {
  const std::string line = sealed({{"run", 1}, {"outcomes", {"x"}}});
  REQUIRE(line.ends_with("\"}\n"));
  const std::string_view whole = std::string_view(line).substr(0, line.size() - 1);
  CHECK(unsealed(whole)->at("run") == 1);
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_FALSE(unsealed(whole.substr(0, length)));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed(whole);
    changed[i] = changed[i] == '1' ? '2' : '1';
    CHECK_FALSE(unsealed(changed));
  }
}

TEST_CASE("A journal goes on with its runs, whatever of its end is missing") {
  const launch::ScratchFolder folder;
  const std::string path = small_journal(folder);
  const std::string whole = contents_of(path);
  const std::vector<std::string> lines = lines_of(whole);
  REQUIRE(lines.size() == 3);
  CHECK(runs_in(path) == std::vector<std::size_t>{2, 0});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    folder.write("journal", whole.substr(0, length));
    const std::size_t two = lines[0].size() + lines[1].size() + 2;
    CHECK(runs_in(path).size() == (length < two ? 0U : 1U));
    if (length >= two) CHECK(contents_of(path) == whole.substr(0, two));
  }
}

TEST_CASE("A line within a journal that is damaged is a run that is not done") {
  const launch::ScratchFolder folder;
  const std::string path = small_journal(folder);
  std::string text = contents_of(path);
  text[text.find("\"run\":3") + 6] = '2';
  folder.write("journal", text);
  CHECK(runs_in(path) == std::vector<std::size_t>{0});
  text.replace(text.find("{\"run\":2"), 8, std::string(8, '\0'));
  folder.write("journal", text);
  CHECK(runs_in(path) == std::vector<std::size_t>{0});
}

TEST_CASE("A journal of something else is refused with all that differs") {
  const launch::ScratchFolder folder;
  const std::string path = small_journal(folder);
  const std::string whole = contents_of(path);
  JournalHead head = small_head();
  head.files = {{"a.yaml", "1299"}};
  const std::string changed = message_of([&] { runs_in(path, head); });
  check_says(changed, "a.yaml: error: has changed since " + path + " was begun (SHA-256 1299, then 1234)");
  check_says(changed, "was begun with b.sass, which is not read any more");
  head = small_head();
  head.command.emplace_back("--cold");
  check_says(message_of([&] { runs_in(path, head); }),
             "was begun by 'heddle run a.yaml', and cannot be gone on with by 'heddle run a.yaml --cold'");
  head = small_head();
  head.program = "abd";
  check_says(message_of([&] { runs_in(path, head); }), "was begun by another build of heddle");
  head.version = "1.1";
  check_says(message_of([&] { runs_in(path, head); }), "was begun by heddle 1.0");
  CHECK(contents_of(path) == whole);
}

TEST_CASE("What is not a journal is never overwritten, nor is one with runs that nobody goes on with") {
  const launch::ScratchFolder folder;
  const std::string path = folder.write("journal", "mine\n");
  for (const auto mode : {Journal::Mode::Begin, Journal::Mode::Resume}) {
    check_says(message_of([&] { Journal(path, small_head(), mode, nullptr); }), "no journal of heddle run");
    CHECK(contents_of(path) == "mine\n");
  }
  folder.write("journal", "");
  const std::string kept = small_journal(folder);
  const std::string text = contents_of(kept);
  check_says(message_of([&] { Journal(kept, small_head(), Journal::Mode::Begin, nullptr); }),
             "has 2 of 3 runs in it");
  CHECK(contents_of(kept) == text);
}

TEST_CASE("Two commands cannot write one journal, and one without runs leaves none") {
  const launch::ScratchFolder folder;
  const std::string path = folder.path("journal");
  const std::size_t before = folder.files();
  {
    const Journal journal(path, small_head(), Journal::Mode::Begin, nullptr);
    check_says(message_of([&] { Journal(path, small_head(), Journal::Mode::Resume, nullptr); }),
               "another heddle is at work with this journal");
  }
  CHECK(folder.files() == before);
}

}  // namespace heddle::command
