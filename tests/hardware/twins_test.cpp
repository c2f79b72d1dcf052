// The measuring kit stands for the same launches as traces/: each has a twin, of the same shape, on the same
// data.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tools/hardware/examples/list.h"
#include "tools/launch/launch_file.h"

namespace {

namespace fs = std::filesystem;
using heddle::launch::LaunchFile;

const fs::path kTraces = fs::path(HEDDLE_SOURCE_DIR) / "traces";

std::vector<std::string> settings(const kit::Values::List& values) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) texts.push_back(fmt::format("{}={}", name, value));
  return texts;
}

LaunchFile load(const std::string& launch, const kit::Values::List& values) {
  return heddle::launch::load_launch((kTraces / (launch + ".yaml")).string(), {.params = heddle::overrides_of_option("--param", settings(values))});
}

heddle::Dim3 extent(const dim3& size) { return {size.x, size.y, size.z}; }

/// The launch file with every number that the twin goes by; a name that it has not under `values:` is
/// refused.
void check_same_launch(const std::string& launch, const kit::Values::List& given, const kit::Twin& twin,
                       const kit::Values& values) {
  INFO(launch << " at " << fmt::format("{}", fmt::join(settings(values.used()), " ")));
  CHECK(values.unknown().empty());
  const LaunchFile file = load(launch, given);
  for (const auto& [name, value] : values.used()) {
    INFO(name);
    const auto number = file.find_value(name);
    REQUIRE(number);
    CHECK(heddle::launch::to_integer(*number) == value);
  }
  CHECK(file.launch.grid == extent(twin.shape.grid));
  CHECK(file.launch.block == extent(twin.shape.block));

  const auto& buffers = file.memory.buffers();
  REQUIRE(buffers.size() == twin.images.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    INFO("buffer " << buffers[i]->name());
    const std::vector<unsigned char>& before = twin.images[i].before;
    REQUIRE(buffers[i]->size() == before.size());
    CHECK(std::memcmp(buffers[i]->bytes().data(), before.data(), before.size()) == 0);
  }
}

const kit::TwinEntry* find_twin(const std::string& launch) {
  for (const kit::TwinEntry& entry : kit::twins())
    if (launch == entry.launch) return &entry;
  return nullptr;
}

}  // namespace

TEST_CASE("Each launch of traces has a twin in the measuring kit, and each twin a launch") {
  std::set<std::string> launches;
  for (const auto& entry : fs::directory_iterator(kTraces))
    if (entry.path().extension() == ".yaml") launches.insert(entry.path().stem().string());
  std::set<std::string> twins;
  for (const kit::TwinEntry& entry : kit::twins()) CHECK(twins.insert(entry.launch).second);
  for (const std::string& launch : launches) {
    INFO("a launch: add a twin to tools/hardware/examples");
    INFO(launch);
    CHECK(twins.count(launch) == 1);
  }
  for (const std::string& twin : twins) {
    INFO("a twin: add a launch to traces, or take it off tools/hardware/examples/twins.def");
    INFO(twin);
    CHECK(launches.count(twin) == 1);
  }
}

TEST_CASE("A twin has the grid, the block, the numbers and the data of its launch") {
  for (const kit::TwinEntry& entry : kit::twins()) {
    kit::Values values;
    const kit::Twin twin = entry.make(values);
    check_same_launch(entry.launch, {}, twin, values);
  }
}

TEST_CASE("A twin at other numbers has the grid, the block and the data of its launch at these") {
  for (const kit::PointEntry& point : kit::extra_points()) {
    const kit::TwinEntry* entry = find_twin(point.launch);
    INFO(point.launch);
    REQUIRE(entry != nullptr);
    kit::Values values(point.given);
    const kit::Twin twin = entry->make(values);
    check_same_launch(point.launch, point.given, twin, values);
  }
}
