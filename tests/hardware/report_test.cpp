// The measuring kit's file is JSON, and holds what was put in.
#include "tools/hardware/kit/report.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/catch.h"
#include "tools/hardware/kit/profile.h"

namespace {

kit::Report example() {
  kit::Report report;
  report.device.name = "a \"card\"\\";
  report.device.compute_capability = "9.0";
  report.device.numbers = {{"sms", 114}, {"clock_mhz", 1755.5}};
  report.took_s = 12.25;
  report.left_out = {"hgemm: needs compute capability 8.0 or later"};
  report.kernels.push_back({"pointer_chase",
                            {{"footprint", 4194304}, {"increment", 1013904223}},
                            {1, 2, 3},
                            {4, 5, 6},
                            12,
                            1024,
                            {{"duration_us", 2.5}, {"cycles", 123456789}}});
  report.figures.push_back({"barrier", {{"warps", 8}}, 30.25, "cycles"});
  report.figures.push_back({"latency.FFMA", {}, 4, "cycles"});
  return report;
}

}  // namespace

TEST_CASE("The kit's file is read back as it was written") {
  const auto json = nlohmann::json::parse(example().json());
  CHECK(json["format"] == "heddle-measured-1");
  CHECK(json["device"]["name"] == "a \"card\"\\");
  CHECK(json["device"]["sms"] == 114);
  CHECK(json["device"]["clock_mhz"] == 1755.5);
  CHECK(json["took_s"] == 12.25);
  CHECK(json["left_out"].size() == 1);
  const auto& kernel = json["kernels"][0];
  CHECK(kernel["launch"] == "pointer_chase");
  CHECK(kernel["params"]["increment"].get<std::uint64_t>() == 1013904223);
  CHECK(kernel["grid"] == nlohmann::json({1, 2, 3}));
  CHECK(kernel["block"] == nlohmann::json({4, 5, 6}));
  CHECK(kernel["registers"] == 12);
  CHECK(kernel["shared_bytes"] == 1024);
  CHECK(kernel["metrics"]["cycles"] == 123456789);
  CHECK(kernel["metrics"]["duration_us"] == 2.5);
  CHECK(json["microbenchmarks"][0]["at"]["warps"] == 8);
  CHECK(json["microbenchmarks"][1]["value"] == 4);
  CHECK_FALSE(json["microbenchmarks"][1].contains("at"));
}

TEST_CASE("An empty report of the kit is JSON, too") {
  const auto json = nlohmann::json::parse(kit::Report().json());
  CHECK(json["kernels"].empty());
  CHECK(json["microbenchmarks"].empty());
}

TEST_CASE("Each metric of the kit has a unit, and every metric that is written is among them") {
  const auto json = nlohmann::json::parse(example().json());
  for (const auto& kernel : json["kernels"])
    for (const auto& [name, value] : kernel["metrics"].items()) CHECK(json["units"].contains(name));
  for (const kit::Metric& metric : kit::metrics()) CHECK(json["units"][metric.name] == metric.unit);
}

TEST_CASE("A profile without kernels is read as one, whatever else the file says") {
  std::istringstream refused("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n\n");
  CHECK(kit::read_profile(refused).empty());
  std::istringstream names_only("\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"\",\"\",\"byte\"\n");
  CHECK(kit::read_profile(names_only).empty());
  std::istringstream cut(
      "\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"\",\"\",\"byte\"\n\"0\",\"vecadd\"\n");
  const auto kernels = kit::read_profile(cut);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].function == "vecadd");
  CHECK(kernels[0].metrics.empty());
}
