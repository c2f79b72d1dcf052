#include "isa/lower/dependencies.h"

#include <algorithm>
#include <map>

#include "isa/ir/registers.h"
#include "isa/lower/order_marks.h"

namespace heddle::lower {

namespace {

using ir::Action;
using ir::TimingClass;

constexpr unsigned kShortLatency = 24;  // shared memory, special functions, shuffles
constexpr unsigned kLongLatency =
    200;  // global and local memory: as far as there is other work to put between
constexpr unsigned kFixedLatency = 5;
constexpr unsigned kDoubleLatency = 16;

unsigned latency_of(const ir::Instruction& instruction) {
  switch (ir::info(instruction.opcode).timing_class) {
    case TimingClass::LoadGlobal:
    case TimingClass::AtomicGlobal:
      return kLongLatency;
    case TimingClass::LoadShared:
    case TimingClass::AtomicShared:
    case TimingClass::LoadConstant:
    case TimingClass::Shuffle:
    case TimingClass::Convert:
    case TimingClass::SpecialFunction:
    case TimingClass::SpecialRegister:
      return kShortLatency;
    case TimingClass::Fp64:
    case TimingClass::Tensor16816F32:
    case TimingClass::Tensor16816F16:
    case TimingClass::Tensor1688F32:
    case TimingClass::Tensor1688F16:
      return kDoubleLatency;
    default:
      return kFixedLatency;
  }
}

enum class Space : std::uint8_t { None, Global, Shared, Local, All };

/// What of memory an instruction touches.
struct MemoryUse {
  Space space = Space::None;
  bool writes = false;
  bool is_strong = false;  ///< In order with all others that are.
};

Space space_of(const ir::Instruction& instruction) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    switch (row.operands[i]) {
      case ir::OperandRole::GlobalAddress:
        return Space::Global;
      case ir::OperandRole::SharedAddress:
        return Space::Shared;
      case ir::OperandRole::LocalAddress:
        return Space::Local;
      default:
        break;
    }
  }
  return Space::All;
}

MemoryUse memory_use(const ir::Instruction& instruction) {
  if (is_order_mark(instruction)) return {Space::All, true};
  switch (ir::info(instruction.opcode).action) {
    case Action::Lanes:
    case Action::UniformLanes:
    case Action::ToUniform:
    case Action::SpecialRegister:
    case Action::LoadConstant:
    case Action::PackPredicates:
    case Action::UnpackPredicates:
    case Action::MatrixMultiply:
    case Action::Shuffle:
    case Action::Vote:
    case Action::MatchAny:
    case Action::MatchAll:
    case Action::Reduce:
    case Action::Elect:
    case Action::Nop:
      return {};
    case Action::Load: {
      if (instruction.modifiers.has(ir::Modifier::ReadOnlyConstant)) return {};
      return {space_of(instruction), is_strong(instruction), is_strong(instruction)};
    }
    case Action::LoadMatrix:
      return {Space::Shared, false};
    case Action::Store:
    case Action::StoreMatrix:
    case Action::Atomic:
      return {space_of(instruction), true, is_strong(instruction)};
    default:
      return {Space::All, true};
  }
}

const ir::Operand* address_of(const ir::Instruction& instruction) {
  for (const ir::Operand& operand : instruction.operands) {
    if (operand.kind == ir::Operand::Kind::Address) return &operand;
  }
  return nullptr;
}

/// Whether two accesses have the same base and cannot overlap.
bool are_apart(const ir::Instruction& a, const ir::Instruction& b) {
  const ir::Operand* first = address_of(a);
  const ir::Operand* second = address_of(b);
  if (first == nullptr || second == nullptr || first->index != second->index) return false;
  if (first->uniform != second->uniform || first->scale != second->scale ||
      first->is_narrow != second->is_narrow)
    return false;
  const auto begin_a = static_cast<std::int64_t>(first->value);
  const auto begin_b = static_cast<std::int64_t>(second->value);
  return begin_a + ir::data_bytes(a) <= begin_b || begin_b + ir::data_bytes(b) <= begin_a;
}

bool has_only_plain_memory(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return (action == Action::Load || action == Action::Store) && !is_strong(instruction);
}

class Collector {
 public:
  Collector(const ir::Kernel& kernel, Pc begin, Pc end) : kernel_(kernel), begin_(begin), end_(end) {
    made_.later.resize(end - begin);
    made_.earlier.resize(end - begin);
  }

  Dependencies run() {
    for (Pc pc = begin_; pc < end_; ++pc) {
      add_registers(pc);
      add_memory(pc);
    }
    return std::move(made_);
  }

 private:
  /// Who wrote a register last, and who has read it since.
  struct Register {
    bool is_written = false;
    std::uint32_t writer = 0;
    std::vector<std::uint32_t> readers;
    std::uint32_t version = 0;
  };

  void add(std::uint32_t earlier, std::uint32_t later, unsigned latency) {
    if (earlier == later) return;
    made_.later[earlier].push_back({later, latency});
    ++made_.earlier[later];
  }

  void read(Register& reg, std::uint32_t at) {
    if (reg.is_written) add(reg.writer, at, latency_of(kernel_.instructions[begin_ + reg.writer]));
    reg.readers.push_back(at);
  }

  void add_registers(Pc pc) {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    const std::uint32_t at = pc - begin_;
    const ir::RegisterRuns runs = ir::registers_of(instruction);
    for (const ir::RegisterRun& run : runs) {
      // What is written under a guard keeps a part of what was there.
      const bool reads = run.use != ir::RegisterRun::Use::Written || !instruction.guard.always();
      for (ir::RegisterIndex i = 0; reads && i < run.count; ++i)
        read(registers_[{run.file, run.first + i}], at);
    }
    for (const ir::RegisterRun& run : runs) {
      if (run.use != ir::RegisterRun::Use::Written) continue;
      for (ir::RegisterIndex i = 0; i < run.count; ++i) {
        Register& reg = registers_[{run.file, run.first + i}];
        for (const std::uint32_t reader : reg.readers) add(reader, at, 0);
        if (reg.is_written) add(reg.writer, at, 1);
        reg.is_written = true;
        reg.writer = at;
        reg.readers.clear();
        ++reg.version;
      }
    }
  }

  [[nodiscard]] std::uint32_t version_of(ir::RegisterFile file, ir::RegisterIndex index) const {
    const auto found = registers_.find({file, index});
    return found == registers_.end() ? 0 : found->second.version;
  }

  /// Which values of its registers an address is made from: versions only grow, and so does their sum.
  [[nodiscard]] std::uint32_t base_version(const ir::Instruction& instruction) const {
    const ir::Operand* address = address_of(instruction);
    if (address == nullptr) return 0;
    std::uint32_t sum = 0;
    const auto place = static_cast<std::size_t>(address - instruction.operands.data());
    for (const ir::RegisterRun& run : ir::address_registers(instruction, place)) {
      for (ir::RegisterIndex i = 0; i < run.count; ++i) sum += version_of(run.file, run.first + i);
    }
    return sum;
  }

  struct Access {
    std::uint32_t at;
    MemoryUse use;
    std::uint32_t base_version;
  };

  void add_memory(Pc pc) {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    const MemoryUse use = memory_use(instruction);
    if (use.space == Space::None) return;
    const std::uint32_t at = pc - begin_;
    const std::uint32_t version = base_version(instruction);
    for (const Access& before : accesses_) {
      if (!use.writes && !before.use.writes) continue;
      const bool same_space =
          before.use.space == use.space || before.use.space == Space::All || use.space == Space::All;
      if (!same_space && !(use.is_strong && before.use.is_strong)) continue;
      const ir::Instruction& other = kernel_.instructions[begin_ + before.at];
      const bool are_plain = has_only_plain_memory(instruction) && has_only_plain_memory(other);
      if (are_plain && before.base_version == version && are_apart(instruction, other)) continue;
      add(before.at, at, 1);
    }
    // Behind what orders all memory, what came before it need not be looked at again.
    if (use.space == Space::All) accesses_.clear();
    accesses_.push_back({at, use, version});
  }

  const ir::Kernel& kernel_;
  Pc begin_;
  Pc end_;
  Dependencies made_;
  std::map<ir::RegisterName, Register> registers_;
  std::vector<Access> accesses_;
};

}  // namespace

bool reads_clock(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::Cs2r || instruction.opcode == ir::Opcode::Cs2r32;
}

bool is_fixed(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return reads_clock(instruction) || action == Action::Exit || action == Action::Sleep ||
         action == Action::Yield || action == Action::WarpSync || action == Action::WarpSyncApart || ir::is_jump(action) ||
         action == Action::Arm || action == Action::Converge || action == Action::Leave;
}

Dependencies dependencies_of(const ir::Kernel& kernel, Pc begin, Pc end) {
  return Collector(kernel, begin, end).run();
}

}  // namespace heddle::lower
