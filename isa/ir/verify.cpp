#include "isa/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "isa/base/quoted.h"
#include "isa/ir/condition.h"
#include "isa/ir/operand_rules.h"

namespace heddle::ir {

namespace {

Problem of_function(Part part, std::string message) { return {0, part, 0, std::move(message), {}}; }

void check_end(const Kernel& function, std::vector<Problem>& problems) {
  if (function.instructions.empty())
    return problems.push_back(
        of_function(Part::Name, fmt::format("kernel {} has no instructions", quoted(function.name))));
  if (ends_path(function.instructions.back())) return;
  Problem problem = of_function(
      Part::Statement,
      fmt::format(
          "kernel {} can run past its end; its last instruction must be an EXIT, BRA, BRX or RET without a guard",
          quoted(function.name)));
  problem.pc = static_cast<Pc>(function.instructions.size() - 1);
  problems.push_back(std::move(problem));
}

/// Checks where an instruction jumps to. Its operands must be right each by itself.
void check_targets(const Kernel& function, Pc pc, std::vector<Problem>& problems) {
  const Instruction& instruction = function.instructions[pc];
  for (unsigned i = 0; i < info(instruction.opcode).operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind != Operand::Kind::Target || operand.value < function.instructions.size()) continue;
    problems.push_back({pc,
                        Part::Operand,
                        i,
                        fmt::format("there is no instruction {} in kernel '{}', which has {}", operand.value,
                                    function.name, function.instructions.size()),
                        {}});
  }
}

void check_registers(const Kernel& function, std::vector<Problem>& problems) {
  unsigned used = 1;
  for (const Instruction& instruction : function.instructions)
    used = std::max(used, registers_needed(instruction));
  if (function.registers >= used) return;
  problems.push_back(
      of_function(Part::RegisterCount, fmt::format("kernel {} uses {} registers, so it cannot have {}",
                                                   quoted(function.name), used, function.registers)));
}

/// What a function declares lies where there is room for it.
void check_declarations(const Kernel& function, std::vector<Problem>& problems) {
  const auto add = [&](std::string message) {
    problems.push_back(of_function(Part::Name, std::move(message)));
  };
  for (const Label& label : function.labels) {
    if (label.pc >= function.instructions.size())
      add(fmt::format("no instruction follows label '{}'", label.name));
  }
  for (const Param& param : function.params) {
    const std::uint64_t end = std::uint64_t{param.offset} + size_of(param.type);
    if (param.offset < function.param_base || end > kConstantBankBytes)
      add(fmt::format("parameter '{}' lies at {:#x}, where there is no room for it", param.name,
                      param.offset));
  }
  for (const SharedSymbol& symbol : function.shared_symbols) {
    if (std::uint64_t{symbol.offset} + symbol.bytes > function.static_shared_bytes)
      add(fmt::format("shared symbol '{}' ends behind the static shared memory of {} bytes", symbol.name,
                      function.static_shared_bytes));
  }
}

std::optional<Problem> instruction_problem(const Kernel& function, Pc pc) {
  const Instruction& instruction = function.instructions[pc];
  std::optional<Problem> problem = opcode_problem(instruction);
  for (unsigned i = 0; !problem && i < info(instruction.opcode).operand_count; ++i)
    problem = operand_problem(function, instruction, i);
  if (!problem) problem = combination_problem(instruction);
  if (problem) problem->pc = pc;
  return problem;
}

/// Where the problem is, as far as it is known, and the name of what has no place.
Diagnostic diagnostic_of(const Module& module, const Kernel& function, const Problem& problem) {
  const bool is_of_instruction = problem.part != Part::Name && problem.part != Part::RegisterCount;
  if (!is_of_instruction) return {{function.file, 0, 0}, problem.text(), {}};
  if (problem.pc < function.sources.size() && function.sources[problem.pc].line != 0) {
    const SourcePlace& place = function.sources[problem.pc];
    const std::string& file = place.file < module.files.size() ? module.files[place.file] : function.file;
    return {{file, place.line, place.column}, problem.text(), {}};
  }
  return {{function.file, function.instructions[problem.pc].line, 0},
          fmt::format("kernel '{}', instruction {}: {}", function.name, problem.pc, problem.text()),
          {}};
}

void check_variables(const Module& module, std::vector<Diagnostic>& found) {
  std::uint64_t constant_bytes = 0;
  std::set<std::string_view> names;
  const auto add = [&](std::string message) {
    found.push_back({{module.file, 0, 0}, std::move(message), {}});
  };
  for (const Variable& variable : module.variables) {
    if (!names.insert(variable.name).second)
      add(fmt::format("there are several variables '{}'", variable.name));
    if (!std::has_single_bit(variable.alignment))
      add(fmt::format("the alignment of variable '{}' is a power of two, not {}", variable.name,
                      variable.alignment));
    if (variable.data.size() > variable.bytes)
      add(fmt::format("variable '{}' has {} bytes, but {} to begin with", variable.name, variable.bytes,
                      variable.data.size()));
    if (variable.space == VariableSpace::Constant) constant_bytes += variable.bytes;
  }
  if (constant_bytes > kConstantBankBytes)
    add(fmt::format("the constants have {} bytes, but their bank only {}", constant_bytes,
                    kConstantBankBytes));
}

}  // namespace

std::string Problem::text(std::string_view as_written) const {
  constexpr std::string_view kMark = "{}";
  const std::size_t at = message.find(kMark);
  if (at == std::string::npos) return message;
  return fmt::format("{}{}{}", message.substr(0, at), as_written, message.substr(at + kMark.size()));
}

std::string Problem::text() const { return text(quoted(found)); }

std::vector<Problem> function_problems(const Kernel& function) {
  std::vector<Problem> problems;
  check_end(function, problems);
  for (Pc pc = 0; pc < function.instructions.size(); ++pc) check_targets(function, pc, problems);
  check_registers(function, problems);
  check_declarations(function, problems);
  return problems;
}

std::vector<Problem> problems_of(const Kernel& function) {
  std::vector<Problem> problems;
  for (Pc pc = 0; pc < function.instructions.size(); ++pc) {
    if (auto problem = instruction_problem(function, pc)) problems.push_back(std::move(*problem));
  }
  const std::vector<Problem> whole = function_problems(function);
  problems.insert(problems.end(), whole.begin(), whole.end());
  return problems;
}

std::vector<Diagnostic> verify(const Module& module, std::size_t most) {
  std::vector<Diagnostic> found;
  std::set<std::pair<std::string_view, unsigned>> names;
  for (const Kernel& function : module.functions) {
    if (!names.emplace(function.name, function.compute_capability).second) {
      Diagnostic& several = found.emplace_back();
      several.where.file = function.file;
      several.message = fmt::format("there are several functions '{}'", function.name);
    }
    for (const Problem& problem : problems_of(function))
      found.push_back(diagnostic_of(module, function, problem));
  }
  check_variables(module, found);
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace heddle::ir
