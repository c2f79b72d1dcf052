// The library's device: memory, launches on streams, figures, and what it refuses.
#include "sim/session/device.h"

#include <numeric>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/session/error.h"
#include "sim/session/module.h"
#include "tests/support/catch.h"

using namespace heddle;
using session::Device;
using session::DevicePointer;
using session::ErrorKind;
using session::Module;

namespace {

const sim::GpuSpec& gpu() {
  static const sim::GpuSpec spec = sim::load_gpu("tiny");
  return spec;
}

/// data[i] = data[i] * factor, `rounds` times.
const Module& scale() {
  static const Module module = Module::from_text(R"(
.kernel scale
.param data ptr
.param factor f32
.param rounds u32
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R0, R1, c[blockDim.x], R0
    IMAD.WIDE R2, R0, 0x4, c[data]
    LDG.E R4, [R2.64]
    MOV R5, RZ
again:
    FMUL R4, R4, c[factor]
    IADD3 R5, R5, 0x1, RZ
    ISETP.LT.U32.AND P0, PT, R5, c[rounds], PT
@P0 BRA again
    STG.E [R2.64], R4
    EXIT
)",
                                                 "scale.sass");
  return module;
}

constexpr std::uint32_t kBlock = 64;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

DevicePointer copy_of(Device& device, const std::vector<float>& values, const std::string& name = "data") {
  const DevicePointer pointer = device.allocate(values.size() * sizeof(float), name);
  device.copy_to_device(pointer, std::span<const float>(values));
  return pointer;
}

std::vector<float> contents(Device& device, DevicePointer pointer, std::size_t count) {
  std::vector<float> values(count);
  device.copy_to_host(std::span<float>(values), pointer);
  return values;
}

template <typename Call>
ErrorKind kind_of(const Call& call) {
  try {
    call();
  } catch (const session::Error& error) {
    CHECK(std::string(error.what()).size() > 10);
    return error.kind();
  }
  FAIL("nothing was thrown");
  return ErrorKind::InvalidPointer;
}

}  // namespace

TEST_CASE("a launch from text changes device memory and leaves its figures") {
  Device device(gpu());
  const std::vector<float> values = numbers(4 * kBlock);
  const DevicePointer data = copy_of(device, values);
  const auto id = device.launch(scale().kernel("scale"), {.grid = {4}, .block = {kBlock}}, {data, 2.0F, 3U});
  const sim::RunFigures& figures = device.figures(id);
  // Six instructions before the loop, four a round, two behind it.
  CHECK(figures.total.warp_instructions == 4 * (kBlock / 32) * (6 + 3 * 4 + 2));
  CHECK(figures.kernel == "scale");
  CHECK(figures.launch->shape.blocks() == 4);
  CHECK(figures.cycles == device.result(id).cycles);
  std::vector<float> expected = values;
  for (float& value : expected) value *= 8.0F;
  CHECK(contents(device, data, values.size()) == expected);
}

TEST_CASE("launches of one stream follow each other, those of two run side by side") {
  const auto cycles_of = [](bool has_streams) {
    Device device(gpu());
    const DevicePointer a = copy_of(device, numbers(kBlock), "a");
    const DevicePointer b = copy_of(device, numbers(kBlock), "b");
    const sim::StreamId other = has_streams ? device.create_stream() : sim::StreamId{};
    const Cycle begin = device.clock();
    device.launch(scale().kernel(), {.grid = {1}, .block = {kBlock}}, {a, 1.0F, 2000U});
    device.launch(scale().kernel(), {.grid = {1}, .block = {kBlock}, .stream = other}, {b, 1.0F, 2000U});
    device.synchronize();
    return device.clock() - begin;
  };
  const Cycle together = cycles_of(true);
  const Cycle apart = cycles_of(false);
  CHECK(apart > 3 * together / 2);
}

TEST_CASE("a stream waits for an event of another one") {
  Device device(gpu());
  const DevicePointer data = copy_of(device, numbers(kBlock));
  const sim::StreamId other = device.create_stream();
  const auto first = device.launch(scale().kernel(), {.grid = {1}, .block = {kBlock}}, {data, 3.0F, 100U});
  const sim::EventId done = device.record();
  device.wait(other, done);
  const auto second =
      device.launch(scale().kernel(), {.grid = {1}, .block = {kBlock}, .stream = other}, {data, 1.0F, 1U});
  const sim::EventId end = device.record(other);
  device.wait(second);
  CHECK(device.result(first).cycles > 0);
  CHECK(device.time_of(end) > device.time_of(done));
}

TEST_CASE("a fault names its kind and its place, and stays") {
  Device device(gpu());
  const DevicePointer data = copy_of(device, numbers(kBlock + 5));
  device.launch(scale().kernel(), {.grid = {2}, .block = {kBlock}}, {data, 1.0F, 1U});
  try {
    device.synchronize();
    FAIL("no fault");
  } catch (const stream::KernelFault& fault) {
    CHECK(fault.kind() == stream::FaultKind::OutOfBounds);
    CHECK(fault.place().pc == 4U);
    CHECK(fault.place().line == 10);
    CHECK(fault.place().block == 1U);
    CHECK(fault.place().warp == 0U);
    CHECK(fault.place().lane == 5U);
    CHECK(fault.place().address == data.address + (kBlock + 5) * sizeof(float));
  }
  CHECK_THROWS_AS(device.synchronize(), stream::KernelFault);
  CHECK_THROWS_AS(device.launch(scale().kernel(), {.grid = {1}, .block = {32}}, {data, 1.0F, 1U}),
                  stream::KernelFault);
  CHECK(contents(device, data, 1)[0] == 1.0F);  // memory can still be read
}

TEST_CASE("freed memory is found out, by kernels and by copies") {
  Device device(gpu());
  const DevicePointer data = copy_of(device, numbers(kBlock));
  const DevicePointer kept = device.allocate(16, "kept");
  device.free(data);
  CHECK(kind_of([&] { device.free(data); }) == ErrorKind::InvalidPointer);
  CHECK(kind_of([&] { contents(device, data, 1); }) == ErrorKind::InvalidPointer);
  CHECK(kind_of([&] { device.fill(kept, std::byte{0}, 17); }) == ErrorKind::InvalidPointer);
  REQUIRE(device.allocations().size() == 1);
  CHECK(device.allocations()[0].name == "kept");
  device.launch(scale().kernel(), {.grid = {1}, .block = {kBlock}}, {data, 1.0F, 1U});
  try {
    device.synchronize();
    FAIL("no fault");
  } catch (const stream::KernelFault& fault) {
    CHECK(fault.kind() == stream::FaultKind::UseAfterFree);
    CHECK(fault.place().address == data.address);
  }
}

TEST_CASE("launches that cannot be are refused, each for its reason") {
  Device device(gpu());
  const DevicePointer data = device.allocate(4096);
  const ir::Kernel kernel = scale().kernel();
  const session::LaunchConfig good{.grid = {1}, .block = {kBlock}};
  CHECK(kind_of([&] { device.launch(kernel, {.grid = {0}, .block = {32}}, {data, 1.0F, 1U}); }) ==
        ErrorKind::InvalidConfiguration);
  CHECK(kind_of([&] { device.launch(kernel, {.grid = {1}, .block = {512, 3}}, {data, 1.0F, 1U}); }) ==
        ErrorKind::InvalidConfiguration);
  CHECK(kind_of([&] { device.launch(kernel, good, {data, 1.0F}); }) == ErrorKind::InvalidArguments);
  CHECK(kind_of([&] { device.launch(kernel, good, {data, 1.0, 1U}); }) == ErrorKind::InvalidArguments);
  CHECK(kind_of([&] { device.launch(kernel, good, {data, 1, 1U}); }) == ErrorKind::InvalidArguments);
  CHECK(kind_of([&] { device.launch(kernel, good, {data, 1.0F, 1.0F}); }) == ErrorKind::InvalidArguments);
  CHECK(kind_of([&] {
          device.launch(kernel, {.grid = {1}, .block = {32}, .dynamic_shared_bytes = 1U << 20U}, {data, 1.0F, 1U});
        }) == ErrorKind::OutOfResources);
  CHECK(kind_of([&] { device.allocate(~std::uint64_t{0} / 2); }) == ErrorKind::OutOfMemory);
  // None of them has left anything behind.
  device.launch(kernel, good, {data, 1.0F, 1U});
  device.synchronize();
}

TEST_CASE("a launch that takes longer than it may is a fault of that kind") {
  Device device(gpu());
  const DevicePointer data = device.allocate(kBlock * sizeof(float));
  device.launch(scale().kernel(), {.grid = {1}, .block = {kBlock}, .max_cycles = 5000}, {data, 1.0F, 1'000'000U});
  try {
    device.synchronize();
    FAIL("no fault");
  } catch (const stream::KernelFault& fault) {
    CHECK(fault.kind() == stream::FaultKind::CycleLimit);
    CHECK_FALSE(fault.place().pc);
  }
}

TEST_CASE("a module names its kernels, and tells all mistakes of the one that is wanted") {
  const Module module = Module::from_text(".kernel good\n    EXIT\n.kernel bad\n    FADD R0\n    LGD R1\n    EXIT\n", "two.sass");
  CHECK(module.kernels() == std::vector<std::string>{"good", "bad"});
  CHECK(module.kernel("good").instructions.size() == 1);
  try {
    static_cast<void>(module.kernel("bad"));
    FAIL("no mistake was told");
  } catch (const InputError& error) {
    REQUIRE(error.list().size() == 2);
    CHECK(error.list()[0].where.file == "two.sass");
    CHECK(error.list()[0].where.line == 4);
    CHECK(error.list()[1].where.line == 5);
  }
  CHECK_THROWS_AS(module.kernel("ugly"), InputError);
  CHECK_THROWS_AS(module.kernel(), InputError);
  CHECK_THROWS_AS(Module::from_file("/nowhere/no.sass"), InputError);
}

TEST_CASE("a GPU comes from text, with what it extends and with overrides") {
  const sim::GpuSpec spec = sim::load_gpu_text("extends: tiny\nname: mine\nsms: 3\n", "mine.yaml", {"l1.latency=17"});
  CHECK(spec.name == "mine");
  CHECK(spec.sms == 3);
  CHECK(spec.l1.latency == 17);
  CHECK(spec.clock_mhz == gpu().clock_mhz);
  try {
    sim::load_gpu_text("extends: tiny\nsms: many\n", "mine.yaml");
    FAIL("no mistake was told");
  } catch (const InputError& error) {
    CHECK(error.list().front().where.file == "mine.yaml");
    CHECK(error.list().front().where.line == 2);
  }
}
