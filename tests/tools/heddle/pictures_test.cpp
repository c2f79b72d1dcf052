// The pictures that `heddle run` draws, against the report of the same run.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tests/tools/page/page_reader.h"
#include "tests/tools/page/two_levels.h"
#include "tests/tools/perfetto/track_reader.h"

namespace heddle::command {

namespace {

using Json = nlohmann::json;

/// The report of a run that also writes the file.
Json report_with(const std::string& option, const std::string& file, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {option, file});
  return run_report(std::move(arguments));
}

/// On one SM all is watched.
const std::vector<std::vector<std::string>> kRuns = {
    {"traces/reduce_v1.yaml", "--gpu", "tiny", "--set", "sms=1", "--param", "n=4096"},
    {"traces/divergent_16_16.yaml", "--gpu", "textbook"},
    {"traces/histogram_shared.yaml", "--gpu", "v100", "--set", "sms=1", "--param", "n=4096"},
};

/// The sum over time of what the counter shows a rate of, in each cycle.
double total_of(const test::ReadTrack& counter) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < counter.values.size(); ++i)
    sum +=
        counter.values[i].second * static_cast<double>(counter.values[i + 1].first - counter.values[i].first);
  return sum;
}

void check_slots(const test::ReadFile& file, const Json& report) {
  std::map<std::string, std::uint64_t> stalls;
  std::uint64_t issued = 0;
  for (const auto& [id, track] : file.tracks) {
    if (!track.name.starts_with("slot ")) continue;
    for (const test::ReadSlice& slice : track.slices) {
      CHECK(slice.depth == (slice.name.starts_with("block ") ? 0 : 1));
      if (report["stalls"].contains(slice.name)) {
        stalls[slice.name] += slice.until - slice.from;
      } else if (slice.depth == 1) {
        ++issued;
        CHECK(slice.until == slice.from + 1);
      }
    }
  }
  for (const auto& [name, cycles] : report["stalls"].items()) {
    INFO(name);
    CHECK(stalls[name] == cycles.get<std::uint64_t>());
  }
  CHECK(issued == report["warp_instructions"].get<std::uint64_t>());
}

}  // namespace

TEST_CASE("A file for Perfetto has the stalls, issues and sums of the report of its run") {
  for (const auto& run : kRuns) {
    INFO(run[0]);
    const launch::ScratchFolder folder;
    const Json report = report_with("--perfetto", folder.path("run.pftrace"), run);
    const test::ReadFile file = test::read_tracks(contents_of(folder.path("run.pftrace")));
    CHECK(file.mistakes.empty());
    check_slots(file, report);
    std::uint64_t issued = 0;
    for (const auto& [id, track] : file.tracks) {
      if (track.name.starts_with("scheduler ")) issued += track.slices.size();
    }
    CHECK(issued == report["warp_instructions"].get<std::uint64_t>());
    const double rate = total_of(file.track("SM 0: warp instructions"));
    CHECK(rate == Approx(report["warp_instructions"].get<double>()));
    CHECK(total_of(file.track("SM 0: resident warps")) ==
          Approx(report["ledgers"]["warp_slots"]["resident"].get<double>() +
                 report["ledgers"]["warp_slots"]["finished"].get<double>()));
  }
}

TEST_CASE(
    "A file for Perfetto has the same bytes on any number of threads, and the report is none the less") {
  const launch::ScratchFolder folder;
  const std::vector<std::string> run = {"traces/reduce_v1.yaml", "--param", "n=20000"};
  const Json alone = run_report(run);
  std::set<std::string> files;
  for (const char* threads : {"1", "2", "5"}) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {"--threads", threads});
    arguments.insert(arguments.end(), {"--html", folder.path("page")});
    const Json report = report_with("--perfetto", folder.path("tracks"), arguments);
    files.insert(contents_of(folder.path("tracks")) + contents_of(folder.path("page")));
    CHECK(report == alone);
  }
  CHECK(files.size() == 1);
}

TEST_CASE("A page has the sums of the report of its run, over time, by SM and by instruction") {
  for (const auto& run : kRuns) {
    INFO(run[0]);
    const launch::ScratchFolder folder;
    const Json report = report_with("--html", folder.path("run.html"), run);
    const Json data = test::data_of_page(contents_of(folder.path("run.html")));
    CHECK(data["report"] == report);
    const auto sum = [](const Json& values) {
      return std::accumulate(
          values.begin(), values.end(), std::uint64_t{0},
          [](std::uint64_t all, const Json& each) { return all + each.get<std::uint64_t>(); });
    };
    CHECK(sum(data["time"]["issued"]) == report["warp_instructions"]);
    CHECK(sum(data["sms"]["issued"][0]) == report["warp_instructions"]);
    const Json& memory = report["memory"];
    CHECK(sum(data["time"]["l2_load_sectors"]) == memory["l2_load_sectors"]);
    CHECK(sum(data["time"]["l2_store_sectors"]) == memory["l2_store_sectors"]);
    std::map<std::string, std::uint64_t> lost;
    std::uint64_t issued = 0;
    for (const Json& instruction : data["code"]["instructions"]) {
      issued += instruction["issued"].get<std::uint64_t>();
      if (!instruction.contains("lost")) continue;
      for (const auto& [reason, slots] : instruction["lost"].items())
        lost[reason] += slots.get<std::uint64_t>();
    }
    CHECK(issued == report["warp_instructions"]);
    for (const auto& [part, slots] : report["ledgers"]["issue_slots"].items()) {
      INFO(part);
      if (part != "total" && part != "issued" && part != "no_warp") CHECK(lost[part] == slots);
    }
  }
}

// Lane i of strided_copy names element i x stride of 4 bytes.
TEST_CASE("A page has the addresses that the lanes of a warp name") {
  for (const unsigned stride : {1U, 8U}) {
    const launch::ScratchFolder folder;
    report_with("--html", folder.path("run.html"),
                {"traces/strided_copy.yaml", "--gpu", "tiny", "--param", "n=4096", "--param",
                 fmt::format("stride={}", stride)});
    const Json data = test::data_of_page(contents_of(folder.path("run.html")));
    REQUIRE(data["accesses"].size() == 2);
    const Json& load = data["accesses"][0];
    CHECK(data["code"]["instructions"][load["pc"].get<std::size_t>()]["text"].get<std::string>().find(
              "LDG") != std::string::npos);
    CHECK(load["space"] == "global");
    CHECK(load["bytes"] == 4);
    REQUIRE(load["addresses"].size() == 32);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      CHECK(load["lanes"][lane] == lane);
      CHECK(load["addresses"][lane].get<std::uint64_t>() - load["addresses"][0].get<std::uint64_t>() ==
            4 * stride * lane);
    }
  }
}

TEST_CASE("A page has the CUDA C++ and the PTX of a kernel, and where in them each instruction stands") {
  const launch::ScratchFolder folder;
  report_with("--html", folder.path("run.html"), {write_two_levels(folder), "--gpu", "tiny"});
  const Json data = test::data_of_page(contents_of(folder.path("run.html")));
  REQUIRE(data["sources"].size() == 2);
  const auto line = [&](const Json& instruction, std::size_t level) {
    const Json& place = instruction["places"][level];
    const Json& file = data["sources"][level]["files"].at(place.at(0).get<std::size_t>());
    return file["lines"]
        .at(place.at(1).get<std::size_t>() - file["first"].get<std::size_t>())
        .get<std::string>();
  };
  CHECK(data["sources"][0]["level"] == "cuda");
  CHECK(data["sources"][1]["level"] == "ptx");
  std::size_t accesses = 0;
  for (const Json& instruction : data["code"]["instructions"]) {
    const auto text = instruction["text"].get<std::string>();
    const bool is_load = text.find("LDG") != std::string::npos;
    if (!is_load && text.find("STG") == std::string::npos) continue;
    ++accesses;
    CHECK(line(instruction, 0) == "  data[i] = 2 * data[i];");
    CHECK(line(instruction, 1) ==
          (is_load ? "  ld.global.f32 %f1, [%rd4];" : "  st.global.f32 [%rd4], %f2;"));
  }
  CHECK(accesses == 2);
}

TEST_CASE("Pictures go with one launch, and a file that cannot be written is known before the run") {
  check_refused({"run", "vecadd", "saxpy", "--perfetto", "x"}, "--html and --perfetto go with one launch");
  check_refused({"run", "vecadd", "--sweep", "block=32,64", "--perfetto", "x"}, "not with --sweep");
  check_refused({"run", "vecadd", "--perfetto", "/no/such/folder/x"}, "/no/such/folder/x");
  check_refused({"run", "vecadd", "--perfetto", ""}, "--perfetto: must be the name of a file");
  check_refused({"run", "traces/vecadd.yaml", "--perfetto", "traces/vecadd.yaml"}, "traces/vecadd.yaml");
}

}  // namespace heddle::command
