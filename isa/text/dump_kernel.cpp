#include "isa/text/dump_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "isa/ir/condition.h"

namespace heddle::text {

namespace {

constexpr unsigned kHopper = 90;
constexpr unsigned kBlackwell = 100;
constexpr std::uint8_t kStackPointer = 1;  // R1, of all code that NVIDIA's compilers make

std::uint32_t param_base_of(unsigned capability) {
  if (capability >= kBlackwell) return ir::kParamOffset100;
  return capability >= kHopper ? ir::kParamOffset90 : ir::kParamOffset;
}

/// How far down an instruction such as IADD3 R1, R1, -0x80, RZ takes the stack pointer.
std::uint32_t taken_from_stack(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  if (row.number_type != ir::NumberType::Sum || row.operands[0] != ir::OperandRole::DstReg) return 0;
  if (instruction.operands[0].index != kStackPointer) return 0;
  bool reads_pointer = false;
  std::uint32_t taken = 0;
  for (unsigned i = 1; i < row.operand_count; ++i) {
    const ir::Operand& operand = instruction.operands[i];
    reads_pointer =
        reads_pointer || (operand.kind == ir::Operand::Kind::Register && operand.index == kStackPointer);
    const auto value = static_cast<std::int32_t>(operand.value);
    if (operand.kind == ir::Operand::Kind::Immediate && value < 0)
      taken = 0U - static_cast<std::uint32_t>(value);
  }
  return reads_pointer ? taken : 0;
}

/// The frames of all functions in the code, as if each were called once and from the one before.
std::uint64_t frames(const ir::Kernel& kernel) {
  std::uint64_t bytes = 0;
  for (const ir::Instruction& instruction : kernel.instructions) bytes += taken_from_stack(instruction);
  return bytes;
}

/// Whether the function that begins there may be called again before it returns.
bool calls_itself(const ir::Kernel& kernel, Pc function) {
  const auto end = static_cast<Pc>(kernel.instructions.size());
  std::vector<bool> is_seen(end);
  std::vector<Pc> ways = {function};
  while (!ways.empty()) {
    Pc pc = ways.back();
    ways.pop_back();
    for (bool goes_on = true; goes_on && pc < end && !is_seen[pc]; ++pc) {
      is_seen[pc] = true;
      const ir::Instruction& instruction = kernel.instructions[pc];
      const ir::Action action = ir::info(instruction.opcode).action;
      for (const ir::Operand& operand : instruction.operands) {
        if (operand.kind != ir::Operand::Kind::Target) continue;
        if (action == ir::Action::Call && operand.value == function) return true;
        ways.push_back(static_cast<Pc>(operand.value));
      }
      const bool leaves = action == ir::Action::Exit || (ir::is_jump(action) && action != ir::Action::Call);
      goes_on = !leaves || !ir::is_unconditional(instruction);
    }
  }
  return false;
}

bool is_recursive(const ir::Kernel& kernel) {
  constexpr std::size_t kMostFunctions = 100;  // with more, nobody waits for the answer
  std::set<Pc> functions;
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (ir::info(instruction.opcode).action != ir::Action::Call) continue;
    for (const ir::Operand& operand : instruction.operands)
      if (operand.kind == ir::Operand::Kind::Target) functions.insert(static_cast<Pc>(operand.value));
  }
  return functions.size() > kMostFunctions ||
         std::any_of(functions.begin(), functions.end(), [&](Pc each) { return calls_itself(kernel, each); });
}

}  // namespace

void set_machine(KernelDraft& draft, unsigned capability) {
  ir::Kernel& kernel = draft.kernel;
  kernel.compute_capability = capability;
  const std::uint32_t base = param_base_of(capability);
  if (capability != 0 && draft.has_param_base && base != kernel.param_base) {
    fail(draft.name,
         fmt::format(
             "kernel {} is for compute capability {}.{}, whose parameters begin at {:#x}, not at {:#x}",
             quoted(kernel.name), capability / 10, capability % 10, base, kernel.param_base));
  }
  if (capability != 0 && base != kernel.param_base) {
    if (!kernel.params.empty() && !kernel.instructions.empty())
      fail(draft.name,
           fmt::format("what compute capability kernel {} is for stands behind its first instruction",
                       quoted(kernel.name)));
    for (ir::Param& param : kernel.params) param.offset += base - kernel.param_base;
    kernel.param_base = base;
  }
  kernel.has_open_params = kernel.params.empty();
}

void set_constants(KernelDraft& draft, const std::vector<std::uint32_t>& words) {
  if (words.empty()) return;
  draft.constant_symbols.insert({kConstantsName, draft.kernel.constant_symbols.size()});
  draft.kernel.constant_symbols.push_back(
      {std::string(kConstantsName), ir::ParamType::U32, 0, static_cast<std::uint32_t>(words.size())});
  draft.kernel.constant_data = words;
}

void complete(ir::Kernel& kernel, const DumpData::Function& known) {
  constexpr std::uint64_t kMostLocal = 1 << 16;
  constexpr std::uint64_t kDefaultStack = 1024;  // cudaLimitStackSize, where nobody has set it
  kernel.registers =
      std::max(kernel.registers, std::min<std::uint32_t>(known.registers, ir::kMaxRegister + 1));
  if (kernel.shared_symbols.empty() && known.shared_bytes != 0) {
    kernel.shared_symbols.push_back({"static_shared", 0, known.shared_bytes});
    kernel.static_shared_bytes = known.shared_bytes;
  }
  if (kernel.has_open_params) kernel.param_slots = known.params;
  if (kernel.local_bytes != 0) return;
  std::uint64_t bytes = std::max<std::uint64_t>(known.frame_bytes, frames(kernel));
  if (bytes != 0 && is_recursive(kernel)) bytes = std::max(bytes, kDefaultStack);
  kernel.local_bytes = static_cast<std::uint32_t>(std::min(bytes, kMostLocal));
}

}  // namespace heddle::text
