#include "isa/text/kernel_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/ir/condition.h"
#include "isa/ir/verify.h"
#include "isa/text/number.h"

namespace heddle::text {

namespace {

/// Disassemblers print where branches go as an address: that of a comment, or counted from the first
/// instruction.
std::optional<Pc> pc_at(const KernelDraft& draft, const Token& place, Mistakes& mistakes) {
  const auto address = parse_integer(place.text);
  const std::uint64_t end = ir::kInstructionBytes * draft.kernel.instructions.size();
  if (const auto found = draft.printed.find(*address); found != draft.printed.end()) return found->second;
  if (draft.printed.empty() && *address < end && *address % ir::kInstructionBytes == 0)
    return static_cast<Pc>(*address / ir::kInstructionBytes);
  const std::string where = draft.printed.empty() ? fmt::format("they lie at multiples of {:#x} below {:#x}",
                                                                ir::kInstructionBytes, end)
                                                  : "their addresses stand in the comments before them";
  mistakes.add(place, fmt::format("no instruction of kernel {} lies at {}; {}", quoted(draft.kernel.name),
                                  quoted(place.text), where));
  return std::nullopt;
}

void resolve_labels(KernelDraft& draft, Mistakes& mistakes) {
  for (const LabelUse& use : draft.label_uses) {
    if (use.name.kind == Token::Kind::Number) {
      const auto pc = pc_at(draft, use.name, mistakes);
      draft.kernel.instructions[use.pc].operands[use.operand].value = pc.value_or(0);
      continue;
    }
    const auto label = draft.labels.find(use.name.text);
    if (label != draft.labels.end()) {
      draft.kernel.instructions[use.pc].operands[use.operand].value = label->second.pc;
    } else if (!mistakes.is_full()) {
      mistakes.add(use.name, fmt::format("label {} is not defined in kernel {}{}", quoted(use.name.text),
                                         quoted(draft.kernel.name),
                                         did_you_mean(use.name.text, names_of(draft.labels))));
    }
  }
}

/// Disassemblers label the function itself, too, which is no place that its branches go to.
bool names_function(const ir::Kernel& kernel, std::string_view label) {
  constexpr std::string_view kSection = ".text.";
  if (kernel.compute_capability == 0) return false;
  if (label.starts_with(kSection)) label.remove_prefix(kSection.size());
  return label == kernel.name;
}

/// By Pc: what the comments say; what they do not, lies behind the instruction before.
void set_addresses(KernelDraft& draft) {
  if (draft.printed.empty()) return;
  std::vector<std::uint64_t> places(draft.kernel.instructions.size(), ~std::uint64_t{0});
  for (const auto& [address, pc] : draft.printed) {
    if (pc < places.size()) places[pc] = address;
  }
  std::uint64_t next = 0;
  for (std::uint64_t& place : places) {
    if (place == ~std::uint64_t{0}) place = next;
    next = place + ir::kInstructionBytes;
  }
  draft.kernel.addresses = std::move(places);
}

/// The labels are at hand by name; the kernel has them by place, those of one place in the order of the text.
void list_labels(KernelDraft& draft, Mistakes& mistakes) {
  std::vector<LabelPlace> places;
  for (const auto& [name, place] : draft.labels) {
    if (!names_function(draft.kernel, name)) places.push_back(place);
  }
  std::sort(places.begin(), places.end(), [](const LabelPlace& one, const LabelPlace& other) {
    return one.name.text.data() < other.name.text.data();
  });
  for (const LabelPlace& place : places) {
    if (place.pc < draft.kernel.instructions.size()) {
      draft.kernel.labels.push_back({std::string(place.name.text), place.pc});
    } else {
      mistakes.add(place.name, fmt::format("no instruction follows label {}", quoted(place.name.text)));
    }
  }
}

/// Whether an instruction names one from `first` on.
bool leads_behind(const std::vector<ir::Instruction>& instructions, Pc first) {
  return std::any_of(instructions.begin(), instructions.end(), [first](const ir::Instruction& instruction) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [first](const ir::Operand& operand) {
                         return operand.kind == ir::Operand::Kind::Target && operand.value >= first;
                       });
  });
}

/// Compilers fill up kernels with NOPs behind the last branch, and disassemblers mark the end by a label such
/// as .L_x_5. Where nothing leads there, both are left out.
void drop_padding(KernelDraft& draft) {
  std::vector<ir::Instruction>& instructions = draft.kernel.instructions;
  auto end = instructions.end();
  while (end != instructions.begin() && std::prev(end)->opcode == ir::Opcode::Nop) --end;
  const auto first = static_cast<Pc>(end - instructions.begin());
  if (first == 0 || !ir::ends_path(*std::prev(end)) || leads_behind(instructions, first)) return;
  std::erase_if(draft.labels, [first](const auto& label) {
    return label.second.pc >= first && label.first.starts_with('.');
  });
  const bool is_named = std::any_of(draft.labels.begin(), draft.labels.end(),
                                    [first](const auto& label) { return label.second.pc >= first; });
  if (is_named) return;
  instructions.erase(end, instructions.end());
  draft.kernel.sources.resize(instructions.size());
}

/// What a problem of the whole kernel is about.
const Token& place_of(const KernelDraft& draft, ir::Part part) {
  switch (part) {
    case ir::Part::Name: return draft.name;
    case ir::Part::RegisterCount: return draft.registers_place;
    default: return draft.last_instruction;
  }
}

void check_kernel(const KernelDraft& draft, Mistakes& mistakes) {
  for (const ir::Problem& problem : ir::function_problems(draft.kernel)) {
    // How a kernel ends is not known if its last instruction was not understood.
    const bool is_known = problem.part != ir::Part::Statement || !draft.ends_in_mistake;
    if (is_known) mistakes.add(place_of(draft, problem.part), problem.text());
  }
}

/// A register may hold any barrier's number.
void count_barriers(ir::Kernel& kernel) {
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (!ir::is_block_barrier(ir::info(instruction.opcode).action)) continue;
    const ir::Operand& barrier = instruction.operands[0];
    const bool is_number = barrier.kind == ir::Operand::Kind::Immediate;
    const std::uint64_t last = is_number ? barrier.value : ir::kMaxBlockBarrier;
    kernel.barriers = std::max(kernel.barriers, static_cast<std::uint32_t>(last) + 1);
  }
}

}  // namespace

void add_label(KernelDraft& draft, const Token& name, Mistakes& mistakes) {
  const auto pc = static_cast<Pc>(draft.kernel.instructions.size());
  const auto [place, is_new] = draft.labels.insert({name.text, LabelPlace{pc, name}});
  if (!is_new) {
    mistakes.add(name, fmt::format("label {} is already defined in line {}", quoted(name.text),
                                   place->second.name.line));
  }
}

ir::Kernel finish(KernelDraft draft, Mistakes& mistakes) {
  resolve_labels(draft, mistakes);
  drop_padding(draft);
  set_addresses(draft);
  list_labels(draft, mistakes);
  draft.kernel.registers = draft.registers_asked != 0 ? draft.registers_asked : draft.registers_used;
  check_kernel(draft, mistakes);
  count_barriers(draft.kernel);
  const std::vector<ir::Instruction>& instructions = draft.kernel.instructions;
  if (ir::has_control_codes(draft.kernel) ||
      std::any_of(instructions.begin(), instructions.end(), ir::keeps_registers)) {
    draft.kernel.banked = true;
  }
  return std::move(draft.kernel);
}

}  // namespace heddle::text
