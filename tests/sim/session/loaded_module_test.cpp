// Modules whose variables lie in the device's memory, and what streams do besides grids.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "isa/ir/system_variables.h"
#include "sim/config/load.h"
#include "sim/session/device.h"
#include "sim/session/error.h"
#include "sim/session/module.h"
#include "tests/support/catch.h"

using namespace heddle;
using session::Device;
using session::Module;

namespace {

const sim::GpuSpec& gpu() {
  static const sim::GpuSpec spec = sim::load_gpu("a100");
  return spec;
}

/// *where += step, where `where` begins with the address of counter[1]. step is constant.
constexpr const char* kCount = R"(
.version 7.0
.target sm_80
.address_size 64
.global .align 4 .u32 counter[2] = {5, 40};
.global .align 8 .u64 where = generic(counter)+4;
.const .align 4 .u32 step = 1;
.visible .entry count() {
  .reg .u32 %r<4>;
  .reg .u64 %rd<2>;
  ld.global.u64 %rd1, [where];
  ld.u32 %r1, [%rd1];
  ld.const.u32 %r2, [step];
  add.u32 %r3, %r1, %r2;
  st.u32 [%rd1], %r3;
  ret;
}
)";

Module count_module() { return Module::from_text(kCount, "count.ptx"); }

std::array<std::uint32_t, 2> counter_of(Device& device, session::LoadedModule module) {
  std::array<std::uint32_t, 2> held{};
  device.copy_to_host(std::span<std::uint32_t>(held), device.symbol(module, "counter")->pointer);
  return held;
}

void count(Device& device, session::LoadedModule module, bool is_timed = true) {
  session::LaunchConfig config;
  config.is_timed = is_timed;
  device.wait(device.launch(device.kernel(module, "count"), config, session::Arguments{}));
}

}  // namespace

TEST_CASE("a loaded module's variables keep from launch to launch what kernels and the host write") {
  Device device(gpu());
  const auto module = device.load(count_module());
  CHECK(counter_of(device, module) == std::array<std::uint32_t, 2>{5, 40});
  count(device, module);
  CHECK(counter_of(device, module) == std::array<std::uint32_t, 2>{5, 41});
  const std::array<std::uint32_t, 1> step{100};
  const auto symbol = device.symbol(module, "step");
  REQUIRE(symbol);
  CHECK(symbol->bytes == 4);
  CHECK(symbol->space == ir::VariableSpace::Constant);
  device.copy_to_device(symbol->pointer, std::span<const std::uint32_t>(step));
  count(device, module);
  count(device, module, false);
  CHECK(counter_of(device, module) == std::array<std::uint32_t, 2>{5, 241});
  CHECK_FALSE(device.symbol(module, "none"));
}

TEST_CASE("two modules with variables of the same names have each their own") {
  Device device(gpu());
  const auto one = device.load(count_module());
  const auto other = device.load(count_module());
  count(device, other);
  CHECK(counter_of(device, one) == std::array<std::uint32_t, 2>{5, 40});
  CHECK(counter_of(device, other) == std::array<std::uint32_t, 2>{5, 41});
}

TEST_CASE("tasks of one engine follow each other, those of two engines run side by side") {
  Device device(gpu());
  const auto first = device.create_stream();
  const auto second = device.create_stream();
  const auto third = device.create_stream();
  std::vector<int> order;
  device.submit(first, {sim::Engine::ToDevice, 1000, [&] { order.push_back(1); }});
  device.submit(second, {sim::Engine::ToDevice, 500, [&] { order.push_back(2); }});
  device.submit(third, {sim::Engine::ToHost, 700, [&] { order.push_back(3); }});
  const auto a = device.record(first);
  const auto b = device.record(second);
  const auto c = device.record(third);
  CHECK(device.time_of(a) == 1000);
  CHECK(device.time_of(b) == 1500);
  CHECK(device.time_of(c) == 700);
  CHECK(order == std::vector<int>{3, 1, 2});
}

TEST_CASE("a task does not end before the cycle that it is to wait for") {
  Device device(gpu());
  const auto stream = device.create_stream();
  device.submit(stream, {.duration = 100, .not_before = 500});
  const auto delayed = device.record(stream);
  device.submit(stream, {.duration = 100, .not_before = 550});
  const auto later = device.record(stream);
  CHECK(device.time_of(delayed) == 500);
  CHECK(device.time_of(later) == 600);
}

TEST_CASE("a launch that is executed for its results alone takes no time and has no figures") {
  Device device(gpu());
  const auto module = device.load(count_module());
  session::LaunchConfig config;
  config.is_timed = false;
  const auto launch = device.launch(device.kernel(module, "count"), config, session::Arguments{});
  device.wait(launch);
  CHECK(device.clock() == 0);
  CHECK_THROWS_AS(device.figures(launch), session::Error);
}

TEST_CASE("memory ends where the GPU's capacity ends, and what is freed can be had again") {
  Device device(sim::load_gpu("a100", {"dram.capacity_bytes=1048576"}));
  const auto most = device.allocate(1U << 20);
  CHECK(device.available_bytes() == 0);
  CHECK_THROWS_AS(device.allocate(1), session::Error);
  device.free(most);
  CHECK(device.available_bytes() == 1U << 20);
  CHECK_NOTHROW(device.allocate(1U << 20));
}

TEST_CASE(
    "machine code has its module's variables, also what they begin with, and those of CUDA's own functions") {
  const Module printing = Module::from_file(HEDDLE_SOURCE_DIR "/tests/isa/cubins/printing.80.cubin");
  Device device(gpu());
  const auto module = device.load(printing);
  const auto factors = device.symbol(module, "factors");
  REQUIRE(factors);
  CHECK(factors->bytes == 8);
  CHECK(factors->space == ir::VariableSpace::Constant);
  const session::DevicePointer out = device.allocate(4, "out");
  const auto added = [&] {
    session::LaunchConfig config;
    device.wait(device.launch(device.kernel(module, "adds"), config, session::Arguments{out}));
    std::array<std::uint32_t, 1> held{};
    device.copy_to_host(std::span<std::uint32_t>(held), out);
    return held[0];
  };
  CHECK(added() == 2 + 7);  // table[1] by a pointer that the module begins with, and factors[1]
  const std::array<std::uint32_t, 4> table{10, 20, 30, 40};
  const std::array<std::uint32_t, 2> constants{300, 500};
  device.copy_to_device(device.symbol(module, "table")->pointer, std::span<const std::uint32_t>(table));
  device.copy_to_device(factors->pointer, std::span<const std::uint32_t>(constants));
  CHECK(added() == 20 + 500);
  CHECK_NOTHROW(device.kernel(module, "prints"));
  CHECK(device.symbol(module, std::string(ir::kOutputVariable)));
}

TEST_CASE("machine code asks for launches of kernels, by their addresses, in the records that PTX fills") {
  for (const std::string capability : {"80", "90"}) {
    CAPTURE(capability);
    const Module launching =
        Module::from_file(HEDDLE_SOURCE_DIR "/tests/isa/cubins/launches." + capability + ".cubin");
    Device device(sim::load_gpu(capability == "80" ? "a100" : "h100"));
    const auto module = device.load(launching);
    const session::DevicePointer out = device.allocate(64, "out");
    session::LaunchConfig config;
    config.grid = {2};
    config.block = {4};
    config.may_launch = true;
    device.wait(device.launch(device.kernel(module, "launches"), config, session::Arguments{out}));
    const auto variable = device.symbol(module, std::string(ir::kLaunchesVariable));
    const auto launched = device.symbol(module, ir::kernel_variable("launched"));
    REQUIRE(variable);
    REQUIRE(launched);
    const std::span<std::byte> bytes = device.bytes_at(variable->pointer, variable->bytes);
    ir::LaunchHeader header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    CHECK(header.taken == 4);  // by every second thread
    CHECK(header.launched == 4);
    std::array<unsigned, 2> by_block{};
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(header.taken, 4); ++i) {
      const std::byte* const place = bytes.data() + sizeof header + i * ir::kLaunchRecordBytes;
      ir::LaunchRecord record{};
      std::memcpy(&record, place, sizeof record);
      CHECK(record.kernel == launched->pointer.address);
      CHECK(std::ranges::equal(record.grid, std::array{2U, 3U, 4U}));
      CHECK(std::ranges::equal(record.block, std::array{5U, 6U, 7U}));
      CHECK(record.shared_bytes == 16);
      CHECK(record.order != 0);
      std::uint64_t pointer = 0;
      std::uint32_t value = 0;
      std::memcpy(&pointer, place + ir::kLaunchParameters, sizeof pointer);
      std::memcpy(&value, place + ir::kLaunchParameters + sizeof pointer, sizeof value);
      CHECK(pointer == out.address);
      CHECK(value == record.parent_block + 40);
      if (record.parent_block < 2) ++by_block[record.parent_block];
    }
    CHECK(by_block == std::array{2U, 2U});
  }
}
