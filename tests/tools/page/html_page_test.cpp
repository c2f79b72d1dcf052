// The page as a file: its data come out of it as they went in, whatever names hold, and it asks for nothing.
#include "tools/page/html_page.h"

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/tools/page/page_reader.h"
#include "tools/report/summary.h"

namespace heddle::test {

namespace {

using Json = nlohmann::json;

/// A run in which nothing happened, with names as bad as they can be.
report::Summary summary_with(const std::string& name) {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {}, HEDDLE_SOURCE_DIR "/configs");
  sim::RunResult result;
  result.launch.kernel = name;
  result.sms.resize(spec.sms);
  report::RunInfo info;
  info.launch_path = name;
  info.description = name;
  info.provenance.command = {"heddle", "run", name};
  info.provenance.parameters = {{name, name}};
  info.provenance.files = {{name, ""}};
  return report::summarize(result, spec, info);
}

/// One line, which the only instruction stands on.
report::LineProfile source_with(const std::string& name) {
  return {report::SourceLevel::Ptx, {{name, {name}}}, {}, {{0, 1}}};
}

std::string page_with(const std::string& name) {
  const report::Summary run = summary_with(name);
  const history::RunHistory history;
  return page::html_page({run, history, {name}, {}, {source_with(name)}, 32, nullptr});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("Hostile names stay texts: no name in a page ends an element or begins one") {
  for (const std::string& name :
       {std::string("</script><script>alert(1)</script>"), std::string("<!--<script>"),
        std::string("\"'`&amp;"), std::string("<img src=x onerror=alert(1)>"), std::string("\\u003c/script>"),
        std::string("]]>"), std::string("line\nline\r\xe2\x80\xa8"), std::string(10'000, '<')}) {
    INFO(name.substr(0, 40));
    const std::string page = page_with(name);
    CHECK(count(page, "<script") == 2);
    CHECK(count(page, "</script") == 2);
    CHECK(count(page, "<title>") == 1);
    CHECK(count(page, "<img") == 0);
    CHECK(count(page, "<!--") == 0);
    const Json data = data_of_page(page);
    CHECK(data["report"]["kernel"] == name);
    CHECK(data["report"]["provenance"]["files"][0]["path"] == name);
    CHECK(data["sources"][0]["files"][0]["name"] == name);
  }
}

TEST_CASE("Bytes of a name that are no text do not keep a page from being written") {
  const Json data = data_of_page(page_with("a\xff\xfe z"));
  CHECK(data["report"]["kernel"].get<std::string>().starts_with("a"));
  CHECK(data["report"]["kernel"].get<std::string>().ends_with(" z"));
}

TEST_CASE("A page is small without its data, refers to nothing, and allows its own program alone") {
  const std::string page = page_with("k");
  CHECK(page.size() < 300'000);
  CHECK_FALSE(
      std::regex_search(page, std::regex("(src|href|action|@import|url\\()\\s*=?\\s*[\"'(]?(https?:|//)")));
  CHECK(count(page, "default-src 'none'") == 1);
  CHECK(count(page, "unsafe-") == 0);
  CHECK(count(page, "fetch(") + count(page, "XMLHttpRequest") + count(page, "eval(") == 0);
  CHECK(count(page, "innerHTML") == 0);
}

TEST_CASE("Long kernels keep the instructions that lose the most, and the page says how many it leaves out") {
  const report::Summary run = summary_with("k");
  const history::RunHistory history;
  std::vector<std::string> code(page::kMostInstructions + 10, "NOP");
  std::vector<sim::PcCounters> by_pc(code.size());
  for (std::size_t pc = 10; pc < by_pc.size(); ++pc) by_pc[pc].issued = pc;
  const Json data = data_of_page(page::html_page({run, history, code, by_pc, {}, 32, nullptr}));
  CHECK(data["code"]["left_out"] == 10);
  REQUIRE(data["code"]["instructions"].size() == page::kMostInstructions);
  CHECK(data["code"]["instructions"][0]["pc"] == 10);
}

TEST_CASE("Of a long source a page has the lines around those that instructions stand on, by their numbers") {
  const report::Summary run = summary_with("k");
  const history::RunHistory history;
  report::LineProfile source{report::SourceLevel::Cuda, {{"unused.h", {"x"}}, {"long.cu", {}}}, {}, {}};
  for (unsigned line = 1; line <= 100'000; ++line) source.files[1].lines.push_back(std::to_string(line));
  for (const std::uint32_t line : {5000U, 0U, 5100U}) source.places.push_back({1, line});
  const std::vector<std::string> code(3, "NOP");
  const Json data = data_of_page(page::html_page({run, history, code, {}, {source}, 32, nullptr}));
  CHECK(data["sources"][0]["files"][0].is_null());
  const Json& file = data["sources"][0]["files"][1];
  const auto first = file["first"].get<std::size_t>();
  CHECK(first <= 5000);
  CHECK(first + file["lines"].size() > 5100);
  CHECK(file["lines"].size() < 200);
  CHECK(file["lines"][0] == std::to_string(first));
  CHECK(file["left_out"] == 100'000 - file["lines"].size());
  const Json& instructions = data["code"]["instructions"];
  CHECK(instructions[0]["places"] == Json::array({Json::array({1, 5000})}));
  CHECK(instructions[1]["places"] == Json::array({Json::array()}));

  source.places.push_back({1, 99'000});
  const Json longer = data_of_page(page::html_page({run, history, code, {}, {source}, 32, nullptr}));
  CHECK(longer["sources"][0]["files"][1]["lines"].size() == page::kMostSourceLines);
}

namespace {

/// The longest history that is kept, of the largest GPU.
history::RunHistory longest_history() {
  history::RunHistory history;
  history.cycles = 900'000'000;
  history.bucket = 1 << 20;
  history.gpu.assign(history::kMostBuckets, {1'000'000, 32'000'000, 900'000'000, 90'000'000, 1'000'000});
  history.sms.assign(192, std::vector<history::SmMoment>(history::kMostBuckets, {1'000'000, 60'000'000}));
  for (std::uint32_t i = 0; i < history::kMostStays; ++i)
    history.stays.push_back({i % 64, i, 7, Cycle{i} * 18'000, Cycle{i} * 18'000 + 17'000});
  for (std::uint32_t i = 0; i < history::kMostSlices; ++i) {
    const Cycle from = i % 2400 * Cycle{300'000};
    history.slices.push_back({static_cast<WarpSlot>(i / 2400), from, from + 1000,
                              history::Slice::Kind::Stalled, ir::StallReason::LongScoreboard, 32,
                              i % 10'000});
  }
  return history;
}

}  // namespace

TEST_CASE("A page is below 10 MB, however long the run and whatever its source") {
  const report::Summary run = summary_with(std::string(10'000, '<'));
  const history::RunHistory history = longest_history();
  const std::vector<std::string> code(10'000, "@!P0 LDG.E.128.STRONG.GPU R128, [R120.64+0x1000]");
  std::vector<sim::PcCounters> by_pc(code.size());
  for (sim::PcCounters& counters : by_pc) {
    counters.issued = 1'000'000;
    for (std::size_t i = 0; i < ir::kStallReasons; ++i)
      counters.lost_slots[static_cast<ir::StallReason>(i)] =
          counters.stalls[static_cast<ir::StallReason>(i)] = 1'000'000;
    counters.memory.global_load_requests = counters.memory.global_load_sectors = 1'000'000'000;
  }
  report::LineProfile source{report::SourceLevel::Cuda, {{std::string(10'000, '<'), {}}}, {}, {}};
  source.files[0].lines.assign(20'000, std::string(1000, '<'));
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) source.places.push_back({0, pc + 1});
  const std::string page = page::html_page({run, history, code, by_pc, {source, source}, 32, nullptr});
  CHECK(page.size() < 10'000'000);
  CHECK(page.size() > 4'000'000);  // or this test tests nothing
}

TEST_CASE(
    "A slot's pieces in a page are lengths from its first cycle on, with nothing where nothing is told") {
  history::RunHistory history;
  history.cycles = 50;
  history.gpu.resize(50);
  history.slices = {{3, 10, 11, history::Slice::Kind::Issued, {}, 32, 7},
                    {3, 11, 14, history::Slice::Kind::Stalled, ir::StallReason::Barrier, 0, 8},
                    {3, 20, 21, history::Slice::Kind::Issued, {}, 32, 8}};
  const report::Summary run = summary_with("k");
  const Json data = data_of_page(page::html_page({run, history, {}, {}, {}, 32, nullptr}));
  const unsigned barrier = 2 + static_cast<unsigned>(ir::StallReason::Barrier);
  CHECK(data["watched"]["slots"][0]["slot"] == 3);
  CHECK(data["watched"]["slots"][0]["pieces"] == Json({10, 1, 1, 7, 3, barrier, 8, 6, 0, 0, 1, 1, 8}));
}

}  // namespace heddle::test
