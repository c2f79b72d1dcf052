#include "tools/launch/launch_file.h"

#include <chrono>
#include <cstring>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/launch/npy.h"

namespace heddle::launch {
namespace {

constexpr std::string_view kScale = R"(description: Scales numbers.
kernel: scale.sass
values: {n: 1000, block: 128, half: block // 2}
grid: (n + block - 1) // block
block: block
shared: half
params: {data: data, n: n, shift: -n, factor: 0.1, big: 1 << 40}
buffers:
  other: {type: u8, count: 3}
  data: {type: f32, count: n, fill: ramp}
)";

template <typename Value>
Value param_at(const LaunchFile& file, std::size_t index) {
  Value value;
  const std::size_t offset = file.launch.kernel.params.at(index).offset - ir::kParamOffset;
  REQUIRE(offset + sizeof value <= file.launch.params.size());
  std::memcpy(&value, &file.launch.params[offset], sizeof value);
  return value;
}

TEST_CASE("A launch file gives the launch that it describes") {
  const ScratchFolder folder;
  const LaunchFile file = load_launch(folder.write("scale.yaml", kScale));
  CHECK(file.description == "Scales numbers.");
  CHECK(file.launch.kernel.name == "scale");
  CHECK(file.launch.grid == Dim3{8, 1, 1});
  CHECK(file.launch.block == Dim3{128, 1, 1});
  CHECK(file.launch.dynamic_shared_bytes == 64);
  CHECK(file.launch.registers_per_thread == file.launch.kernel.registers);
  CHECK(file.find_value("half") == Number{std::int64_t{64}});
  CHECK(file.find_value("data") == std::nullopt);
  REQUIRE(file.find_buffer("data") != nullptr);
  CHECK(file.find_buffer("data")->count == 1000);
  CHECK(file.memory.find("data")->size() == 4000);
  CHECK(file.memory.find("other")->size() == 3);
}

TEST_CASE("Parameters lie in the constant bank as the kernel reads them") {
  const ScratchFolder folder;
  const LaunchFile file = load_launch(folder.write("scale.yaml", kScale));
  CHECK(param_at<std::uint64_t>(file, 0) == file.memory.find("data")->address());
  CHECK(param_at<std::uint32_t>(file, 1) == 1000);
  CHECK(param_at<std::int32_t>(file, 2) == -1000);
  CHECK(param_at<float>(file, 3) == 0.1F);
  CHECK(param_at<std::uint64_t>(file, 4) == std::uint64_t{1} << 40);
}

TEST_CASE("A value of the command line changes all that depends on it") {
  const ScratchFolder folder;
  const LaunchFile file =
      load_launch(folder.write("scale.yaml", kScale), {.params = {"n=10 * 10", "block=64"}});
  CHECK(file.launch.grid == Dim3{2, 1, 1});
  CHECK(file.launch.dynamic_shared_bytes == 32);
  CHECK(file.find_buffer("data")->count == 100);
  CHECK(param_at<std::int32_t>(file, 2) == -100);
}

TEST_CASE("A parameter of the command line changes that parameter only") {
  const ScratchFolder folder;
  const LaunchFile file =
      load_launch(folder.write("scale.yaml", kScale), {.params = {"factor=1", "factor=n / 4", "data=other"}});
  CHECK(param_at<float>(file, 3) == 250.0F);
  CHECK(param_at<std::uint64_t>(file, 0) == file.memory.find("other")->address());
}

TEST_CASE("Sizes of the command line count, also where they are values") {
  const ScratchFolder folder;
  const std::string path = folder.write("scale.yaml", kScale);
  const LaunchFile file =
      load_launch(path, {.block = Dim3{256, 1, 1}, .registers = 77, .dynamic_shared_bytes = 5});
  CHECK(file.launch.block == Dim3{256, 1, 1});
  CHECK(file.launch.grid == Dim3{4, 1, 1});
  CHECK(file.launch.registers_per_thread == 77);
  CHECK(file.launch.dynamic_shared_bytes == 5);
  const LaunchFile planar = load_launch(path, {.grid = Dim3{3, 2, 1}, .block = Dim3{16, 16, 2}});
  CHECK(planar.launch.grid == Dim3{3, 2, 1});
  CHECK(planar.launch.block == Dim3{16, 16, 2});
}

TEST_CASE("Grid and block take up to three extents") {
  const ScratchFolder folder;
  const std::string text = R"(kernel: scale.sass
grid: [2, 3 * 1, 65535]
block: [8, 4]
registers: 40
params: {data: data, n: 1, shift: 0, factor: 1, big: 0}
buffers: {data: {type: f32, count: 0}}
)";
  const LaunchFile file = load_launch(folder.write("x.yaml", text));
  CHECK(file.launch.grid == Dim3{2, 3, 65535});
  CHECK(file.launch.block == Dim3{8, 4, 1});
  CHECK(file.launch.registers_per_thread == 40);
}

TEST_CASE("The entry chooses among the kernels of a file") {
  const ScratchFolder folder;
  folder.write("two.sass", ".kernel first\n    EXIT\n.kernel second\n    NOP\n    EXIT\n");
  const std::string text = "kernel: two.sass\nentry: second\ngrid: 1\nblock: 1\n";
  const LaunchFile file = load_launch(folder.write("x.yaml", text));
  CHECK(file.launch.kernel.name == "second");
  CHECK(file.launch.params.empty());
  CHECK(file.launch.registers_per_thread == 1);
}

TEST_CASE("Large buffers of zeros cost nothing until they are used") {
  const ScratchFolder folder;
  const std::string text = R"(kernel: scale.sass
grid: 1
block: 1
params: {data: data, n: 1, shift: 0, factor: 1, big: 0}
buffers: {data: {type: f32, count: 1 << 34}}
)";
  const LaunchFile file = load_launch(folder.write("x.yaml", text));
  CHECK(file.memory.find("data")->size() == std::uint64_t{1} << 36);
}

TEST_CASE("A buffer can be one that the host has just copied") {
  const ScratchFolder folder;
  std::string text(kScale);
  const std::string data = "data: {type: f32, count: n, fill: ramp";
  text.replace(text.find(data), data.size(), data + ", copied: true");
  const LaunchFile file = load_launch(folder.write("scale.yaml", text));
  CHECK(file.find_buffer("data")->copied);
  CHECK_FALSE(file.find_buffer("other")->copied);
  text.replace(text.find("copied: true"), 12, "copied: 3   ");
  check_says(message_of([&] { load_launch(folder.write("wrong.yaml", text)); }), "copied");
}

TEST_CASE("A buffer is saved as an array of its type, under its name only") {
  const ScratchFolder folder;
  const LaunchFile file = load_launch(folder.write("scale.yaml", kScale));
  save_buffer(file, "data", folder.path("data.npy"));
  const NpyHeader header = read_npy_header(folder.path("data.npy"));
  CHECK(header.type == ElementType::F32);
  CHECK(header.count == 1000);
  check_says(message_of([&] { save_buffer(file, "c", folder.path("c.npy")); }),
             "there is no buffer 'c' to save; there are 'other', 'data'");
}

TEST_CASE(
    "A launch that is only checked is the same launch, and takes no time and no memory for its buffers") {
  const ScratchFolder folder;
  folder.write("scale.sass", ".kernel scale\n.param data ptr\n    EXIT\n");
  const std::string path =
      folder.write("large.yaml",
                   "kernel: scale.sass\ngrid: 4\nblock: 32\nparams: {data: x}\nbuffers:\n"
                   "  x: {type: f32, count: 2 ^ 28, fill: random}\n"
                   "  y: {type: s32, count: 2 ^ 28, fill: {each: {value: i}}}\n");
  const auto begin = std::chrono::steady_clock::now();
  const LaunchFile file = load_launch(path, {}, Contents::Checked);
  // Filled, it takes 2 GiB and most of a minute.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
  CHECK(file.find_buffer("x")->count == std::uint64_t{1} << 28U);
  CHECK(file.launch.grid == Dim3{4, 1, 1});
  CHECK(param_at<Addr>(file, 0) == file.memory.find("x")->address());
}

TEST_CASE("Where a number of the launch depends on what a buffer holds, checking fills it") {
  const ScratchFolder folder;
  folder.write("scale.sass", ".kernel scale\n    EXIT\n");
  const std::string path = folder.write("rows.yaml",
                                        "kernel: scale.sass\ngrid: 1\nblock: 32\nbuffers:\n"
                                        "  rows: {type: s32, count: 1000, fill: {ramp: {step: 3}}}\n"
                                        "  values: {type: f32, count: \"rows[999]\"}\n");
  CHECK(load_launch(path, {}, Contents::Checked).find_buffer("values")->count == 2997);
}

TEST_CASE("Every example of traces/ loads, and is found good without being filled") {
  std::size_t loaded = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/traces")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path().string());
    const LaunchFile file = load_launch(entry.path().string());
    CHECK_FALSE(file.description.empty());
    CHECK_FALSE(file.checks.empty());
    const LaunchFile checked = load_launch(entry.path().string(), {}, Contents::Checked);
    CHECK(checked.launch.grid == file.launch.grid);
    CHECK(checked.launch.block == file.launch.block);
    CHECK(checked.launch.params == file.launch.params);
    CHECK(checked.buffers.size() == file.buffers.size());
    CHECK(checked.checks.size() == file.checks.size());
    ++loaded;
  }
  CHECK(loaded >= 25);
}

}  // namespace
}  // namespace heddle::launch
