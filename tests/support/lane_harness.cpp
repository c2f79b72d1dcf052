#include "tests/support/lane_harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "isa/exec/functional.h"
#include "isa/text/assemble.h"

namespace heddle::test {

namespace {

constexpr unsigned kPredicates = 7;
constexpr std::uint32_t kFirstConstant = ir::kParamOffset + 16;  // behind the two pointers

/// R242 becomes the address of the thread's word in the first input row, R244 in the first output row.
constexpr const char* kAddresses = R"(
.kernel lanes
.param in ptr
.param out ptr
    S2R R240, SR_CTAID.X
    S2R R241, SR_TID.X
    IMAD R240, R240, c[blockDim.x], R241
    IMAD.WIDE.U32 R242, R240, 0x4, c[in]
    IMAD.WIDE.U32 R244, R240, 0x4, c[out]
)";

std::string declarations(const LaneInputs& inputs) {
  std::string text;
  for (std::size_t i = 0; i < inputs.constants.size(); ++i) text += fmt::format(".param constant{} u32\n", i);
  return text;
}

std::string loads(const LaneInputs& inputs) {
  const std::size_t row_bytes = 4 * inputs.threads();
  std::string text;
  for (std::size_t i = 0; i < inputs.registers.size(); ++i) {
    text += fmt::format("LDG.E R{}, [R242.64+{:#x}]\n", i, i * row_bytes);
  }
  text += fmt::format("LDG.E R246, [R242.64+{:#x}]\n", inputs.registers.size() * row_bytes);
  for (unsigned p = 0; p < kPredicates; ++p) {
    text += fmt::format("LOP3.LUT R247, R246, {:#x}, RZ, 0xc0, !PT\n", 1U << p);
    text += fmt::format("ISETP.NE.U32.AND P{}, PT, R247, RZ, PT\n", p);
  }
  return text;
}

std::string stores(const LaneInputs& inputs, unsigned results) {
  const std::size_t row_bytes = 4 * inputs.threads();
  std::string text;
  for (unsigned i = 0; i < results; ++i) {
    text += fmt::format("STG.E [R244.64+{:#x}], {}\n", i * row_bytes, result_register(i));
  }
  text += "MOV R246, RZ\nMOV R248, 0x1\n";
  for (unsigned p = 0; p < kPredicates; ++p) {
    text += fmt::format("SEL R247, R248, RZ, P{}\nIMAD R246, R247, {:#x}, R246\n", p, 1U << p);
  }
  return text + fmt::format("STG.E [R244.64+{:#x}], R246\nEXIT\n", results * row_bytes);
}

std::vector<std::byte> params_of(const LaneInputs& inputs, Addr in, Addr out) {
  std::vector<std::byte> bytes(16 + 4 * inputs.constants.size());
  std::memcpy(bytes.data(), &in, 8);
  std::memcpy(bytes.data() + 8, &out, 8);
  if (!inputs.constants.empty()) {
    std::memcpy(bytes.data() + 16, inputs.constants.data(), 4 * inputs.constants.size());
  }
  return bytes;
}

void fill(const LaneInputs& inputs, const exec::Buffer& buffer) {
  std::uint32_t* next = buffer.as<std::uint32_t>().data();
  for (const Row& row : inputs.registers) next = std::copy(row.begin(), row.end(), next);
  std::copy(inputs.predicates.begin(), inputs.predicates.end(), next);
}

}  // namespace

std::string constant_at(unsigned index) { return fmt::format("c[0x0][{:#x}]", kFirstConstant + 4 * index); }

std::string result_register(unsigned index) { return fmt::format("R{}", kFirstResult + index); }

LaneOutputs run_lanes(const std::string& body, const LaneInputs& inputs, unsigned results,
                      unsigned warp_size, const exec::TensorArithmetic& tensor) {
  const std::size_t threads = inputs.threads();
  if (threads % (2 * warp_size) != 0 || results > kMostResults || inputs.registers.size() > kFirstResult) {
    throw std::logic_error("run_lanes: threads, results or registers do not fit");
  }
  exec::GlobalMemory memory;
  const exec::Buffer& in = memory.allocate("in", 4 * threads * (inputs.registers.size() + 1));
  const exec::Buffer& out = memory.allocate("out", 4 * threads * (results + 1));
  fill(inputs, in);

  exec::Launch launch;
  launch.kernel = text::assemble(
      kAddresses + declarations(inputs) + loads(inputs) + body + "\n" + stores(inputs, results),
      "lanes.sass")[0];
  launch.block = {2 * warp_size, 1, 1};
  launch.grid = {static_cast<std::uint32_t>(threads / launch.block.x), 1, 1};
  launch.params = params_of(inputs, in.address(), out.address());
  exec::LiveKernel kernel(std::move(launch), memory, warp_size, exec::Divergence::Stack, tensor);
  exec::run_functionally(kernel);

  LaneOutputs outputs;
  const std::uint32_t* words = out.as<std::uint32_t>().data();
  for (unsigned i = 0; i < results; ++i) {
    outputs.registers.emplace_back(words + i * threads, words + (i + 1) * threads);
  }
  outputs.predicates.assign(words + results * threads, words + (results + 1) * threads);
  return outputs;
}

std::string first_difference(const Row& found, const Row& expected, const LaneInputs& inputs) {
  const auto [at, wanted] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (at == found.end() && wanted == expected.end()) return "";
  const auto thread = static_cast<std::size_t>(at - found.begin());
  std::string text = fmt::format("thread {}: {:#010x} instead of {:#010x} with", thread, *at, *wanted);
  for (std::size_t i = 0; i < inputs.registers.size(); ++i) {
    text += fmt::format(" R{}={:#010x}", i, inputs.registers[i][thread]);
  }
  if (!inputs.predicates.empty()) text += fmt::format(" predicates={:#x}", inputs.predicates[thread]);
  return text;
}

}  // namespace heddle::test
