// The order of memory accesses in lowered kernels: what PTX keeps in order stays in order, though
// instructions are moved to hide latency.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/ptx_kernel_run.h"
#include "tests/support/seed.h"

namespace heddle::lower {
namespace {

using namespace heddle::test;
using Words = std::vector<std::uint32_t>;

constexpr unsigned kLanes = 32;

Words random_words(std::size_t count) {
  LaneValues values(drawn_seed());
  Words words(count);
  for (std::uint32_t& word : words) word = values.any_bits();
  return words;
}

/// Each lane adds what the lane `distance` above it has, for 16, 8, 4, 2, 1: as kernels of one warp wrote it
/// before shuffles. Lanes without such a lane read zeros. All accesses have the lane's own address as their
/// base.
std::string folding(const std::string& access, const std::string& sync) {
  std::string text = "mov.u32 %x0, words; mad.lo.u32 %x1, %lane, 4, %x0; mov.b32 %x2, 0;\n";
  text += fmt::format("st.{0}.b32 [%x1], %a; st.{0}.b32 [%x1+128], %x2; {1}\n", access, sync);
  for (const unsigned distance : {16U, 8U, 4U, 2U, 1U}) {
    text +=
        fmt::format("ld.{0}.b32 %x3, [%x1+{1}]; {2} ld.{0}.b32 %x4, [%x1];\n", access, 4 * distance, sync);
    text += fmt::format("add.u32 %x4, %x4, %x3; st.{}.b32 [%x1], %x4; {}\n", access, sync);
  }
  return text + fmt::format("ld.{}.b32 %x5, [%x1]; st.global.b32 [%outa], %x5;\n", access);
}

Words folded(Words words) {
  for (const unsigned distance : {16U, 8U, 4U, 2U, 1U}) {
    const Words before = words;
    for (unsigned lane = 0; lane + distance < kLanes; ++lane) words[lane] += before[lane + distance];
  }
  return words;
}

TEST_CASE("bar.warp.sync and volatile accesses keep the lanes of a warp in step") {
  struct Form {
    const char* access;
    const char* sync;
  };
  const Form form =
      GENERATE(Form{"shared", "bar.warp.sync 0xffffffff;"}, Form{"shared", "bar.warp.sync -1;"},
               Form{"volatile.shared", ""}, Form{"relaxed.cta.shared", ""},
               Form{"shared", "mov.b32 %x6, -1; bar.warp.sync %x6;"}, Form{"shared", "membar.cta;"},
               Form{"shared", "fence.acq_rel.cta;"}, Form{"shared", "bar.sync 0;"});
  const auto divergence = GENERATE(exec::Divergence::Barriers, exec::Divergence::Stack);
  CAPTURE(form.access, form.sync);
  const Words input = random_words(kLanes);
  const Words found =
      run_ptx_kernel({folding(form.access, form.sync), 80, divergence, kLanes}, input, kLanes);
  CHECK(found == folded(input));
}

TEST_CASE("bar.warp.sync keeps lanes in step that a branch has parted from others") {
  const std::string text = "setp.lt.u32 %p0, %lane, 16; @!%p0 bra done;\n" +
                           folding("shared", "bar.warp.sync 0xffff;") + "done:\n";
  Words input = random_words(kLanes);
  const Words found = run_ptx_kernel(
      {text},
      [&] {
        Words two = input;
        two.insert(two.end(), input.begin(), input.end());
        return two;
      }(),
      2 * std::size_t{kLanes});
  std::fill(input.begin() + 16, input.end(), 0);
  const Words expected = folded(input);
  for (unsigned lane = 0; lane < 16; ++lane) REQUIRE(found[lane] == expected[lane]);
}

/// Where an opcode stands the first time; the kernel has it.
std::size_t place_of(const ir::Kernel& kernel, std::initializer_list<ir::Opcode> opcodes) {
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    for (const ir::Opcode opcode : opcodes) {
      if (kernel.instructions[i].opcode == opcode) return i;
    }
  }
  FAIL("the kernel has no such instruction");
  return 0;
}

// A load from shared memory has much behind it, so that it would come first if it could.
constexpr const char* kUse = " add.u32 %x5, %x4, 7; mul.lo.u32 %x5, %x5, %x5; st.global.b32 [%outa], %x5;";

TEST_CASE("what orders accesses of all memory keeps a later load behind it") {
  const std::string order = GENERATE(
      "bar.warp.sync -1;", "bar.sync 0;", "bar.arrive 1, 64;", "bar.red.popc.u32 %x9, 0, %p1;", "membar.cta;",
      "membar.gl;", "fence.sc.cta;", "fence.acq_rel.gpu;", "cp.async.wait_all;", "cp.async.wait_group 0;",
      "atom.acquire.cta.global.add.u32 %x9, [%ina], 1;", "ld.acquire.cta.global.u32 %x9, [%ina];",
      "ld.acquire.gpu.global.u32 %x9, [%ina];", "atom.acq_rel.gpu.global.add.u32 %x9, [%ina], 1;",
      "ld.acquire.cta.shared.u32 %x9, [words+64];");
  CAPTURE(order);
  const ir::Kernel kernel = lower_statements({"setp.eq.u32 %p1, %a, 0; st.global.b32 [%outa+1024], %a; " +
                                              order + "ld.shared.b32 %x4, [words];" + kUse});
  // The store is the first one: the other depends on the load.
  const std::size_t store = place_of(kernel, {ir::Opcode::Stg});
  std::size_t load = 0;
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const ir::Instruction& one = kernel.instructions[i];
    const bool is_it = one.opcode == ir::Opcode::Lds && one.operands[1].value == 0;
    if (is_it) load = i;
  }
  CHECK(store < load);
}

TEST_CASE("a release keeps earlier accesses before it") {
  const std::string order = GENERATE(
      "st.release.cta.global.u32 [%ina], %t;", "st.release.gpu.global.u32 [%ina], %t;",
      "red.release.cta.global.add.u32 [%ina], %t;", "atom.release.cta.global.add.u32 %x9, [%ina], %t;");
  CAPTURE(order);
  const ir::Kernel kernel =
      lower_statements({"st.shared.b32 [words], %a; " + order + "ld.shared.b32 %x4, [words+16];" + kUse});
  CHECK(place_of(kernel, {ir::Opcode::Sts}) <
        place_of(kernel, {ir::Opcode::Stg, ir::Opcode::Red, ir::Opcode::Atomg, ir::Opcode::Redg}));
}

TEST_CASE("volatile accesses keep their order whatever space they are of") {
  const ir::Kernel kernel = lower_statements({std::string{"st.volatile.global.b32 [%outa+1024], %t; "
                                                          "ld.volatile.shared.b32 %x4, [words];"} +
                                              kUse});
  CHECK(place_of(kernel, {ir::Opcode::Stg}) < place_of(kernel, {ir::Opcode::Lds}));
}

TEST_CASE("a volatile load whose value nobody wants stays") {
  const ir::Kernel kernel =
      lower_statements({"ld.volatile.shared.b32 %x4, [words]; ld.shared.b32 %x5, [words];"});
  std::size_t loads = 0;
  for (const ir::Instruction& one : kernel.instructions) loads += one.opcode == ir::Opcode::Lds ? 1 : 0;
  CHECK(loads == 1);
}

TEST_CASE("plain loads still pass plain stores that they cannot overlap, and marks leave nothing") {
  const std::string store = "st.shared.b32 [%x1], %t; ";
  const ir::Kernel free = lower_statements(
      {"mov.u32 %x0, words; mad.lo.u32 %x1, %t, 4, %x0;" + store + "ld.shared.b32 %x4, [%x1+4];" + kUse});
  const ir::Kernel ordered = lower_statements({"mov.u32 %x0, words; mad.lo.u32 %x1, %t, 4, %x0;" + store +
                                               "bar.warp.sync -1; ld.shared.b32 %x4, [%x1+4];" + kUse});
  CHECK(place_of(free, {ir::Opcode::Lds}) < place_of(free, {ir::Opcode::Sts}));
  CHECK(place_of(ordered, {ir::Opcode::Sts}) < place_of(ordered, {ir::Opcode::Lds}));
  CHECK(free.instructions.size() == ordered.instructions.size());
}

}  // namespace
}  // namespace heddle::lower
