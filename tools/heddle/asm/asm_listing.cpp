#include "tools/heddle/asm/asm_listing.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "isa/cfg/assignment.h"
#include "isa/cfg/reconvergence.h"
#include "isa/ir/condition.h"
#include "isa/text/disassemble.h"
#include "isa/text/names.h"
#include "tools/report/json_object.h"
#include "tools/report/render_text.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

/// The column of notes. A note that does not fit on the page stands above its line.
constexpr std::size_t kNoteColumn = 46;
constexpr std::string_view kInstructionIndent = "    ";
constexpr std::string_view kParam = ".param ";

std::string with_note(std::string line, const std::string& note) {
  if (note.empty()) return line;
  if (line.size() + note.size() + 5 > report::kTextColumns && line.size() > kNoteColumn)
    return fmt::format("// {}:\n{}", note, line);
  if (line.size() < kNoteColumn) line.resize(kNoteColumn, ' ');
  return fmt::format("{}  // {}", line, note);
}

bool is_branch(const ir::Instruction& instruction) {
  const ir::Action action = ir::info(instruction.opcode).action;
  return action == ir::Action::Branch || action == ir::Action::IndirectBranch;
}

/// The reconvergence point of the instruction; empty if its lanes cannot diverge.
std::string reconvergence_note(const ir::Kernel& kernel, Pc pc, Pc meet) {
  const ir::Instruction& instruction = kernel.instructions[pc];
  const bool parts =
      !ir::is_unconditional(instruction) || ir::info(instruction.opcode).action == ir::Action::IndirectBranch;
  if (!is_branch(instruction) || !parts) return {};
  if (meet == cfg::kNoReconvergence) return "lanes do not meet again";
  return "lanes meet again at " + address_text(kernel, meet);
}

/// The position of the parameter that a line of the disassembly declares.
std::string param_note(const ir::Param& param) { return fmt::format("c[0x0][{:#x}]", param.offset); }

std::string params_text(const ir::Kernel& kernel) {
  if (kernel.has_open_params && kernel.param_slots.empty()) return "parameters as the launch gives them";
  std::uint64_t bytes = 0;
  if (!kernel.params.empty())
    bytes = kernel.params.back().offset + size_of(kernel.params.back().type) - kernel.param_base;
  if (!kernel.param_slots.empty()) bytes = kernel.param_slots.back().offset + kernel.param_slots.back().bytes;
  return report::counted(bytes, "byte") + " of parameters";
}

/// A comment of as many lines as needed.
std::string comment(std::string_view words) {
  constexpr std::size_t kRoom = report::kTextColumns - 3;
  std::string text;
  for (const std::string& line : report::wrapped_lines(words, kRoom, kRoom))
    text += fmt::format("// {}\n", line);
  return text;
}

}  // namespace

std::string address_text(const ir::Kernel& kernel, Pc pc) {
  const bool is_known = pc < kernel.addresses.size();
  return fmt::format("/*{:04x}*/", is_known ? kernel.addresses[pc] : ir::kInstructionBytes * pc);
}

std::string heading(const ir::Kernel& kernel) {
  const std::string shared =
      kernel.static_shared_bytes == 0
          ? "no static shared memory"
          : fmt::format("{} of static shared memory", report::counted(kernel.static_shared_bytes, "byte"));
  std::string text =
      comment(fmt::format("{}: {}, {} a thread{}, {}, {}", kernel.name,
                          report::counted(kernel.instructions.size(), "instruction"),
                          report::counted(kernel.registers, "register"),
                          kernel.is_estimated ? " (estimated)" : "", shared, params_text(kernel)));
  if (ir::must_write_before_reading(kernel) && cfg::may_read_unwritten(kernel)) {
    text += comment(
        "A register or predicate may be read that was never written, on some path: runs will watch for it.");
  }
  return text;
}

namespace {

/// The disassembly with an address before each instruction.
std::string listing(const ir::Kernel& kernel) {
  const std::vector<Pc> meets = cfg::reconvergence_points(kernel);
  std::istringstream lines(text::disassemble(kernel));
  std::string text = heading(kernel);
  Pc pc = 0;
  auto param = kernel.params.begin();  // the parameter of the next line that declares one
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kInstructionIndent)) {
      text += with_note(address_text(kernel, pc) + ' ' + line, reconvergence_note(kernel, pc, meets[pc]));
      ++pc;
    } else if (line.starts_with(kParam) && param != kernel.params.end()) {
      text += with_note(line, param_note(*param++));
    } else {
      text += line;
    }
    text += '\n';
  }
  return text;
}

Json params_as_json(const ir::Kernel& kernel) {
  Json list = Json::array();
  for (const ir::Param& param : kernel.params) {
    list.push_back(
        {{"name", param.name}, {"type", text::param_type_name(param.type)}, {"offset", param.offset}});
  }
  return list;
}

Json instructions_as_json(const ir::Kernel& kernel) {
  const std::vector<Pc> meets = cfg::reconvergence_points(kernel);
  Json list = Json::array();
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    Json entry = {
        {"pc", pc}, {"line", kernel.instructions[pc].line}, {"text", text::disassemble(kernel, pc)}};
    if (meets[pc] != cfg::kNoReconvergence) entry["reconverges_at"] = meets[pc];
    list.push_back(entry);
  }
  return list;
}

}  // namespace

std::string kernels_as_text(std::span<const ir::Kernel> kernels) {
  std::string text;
  for (const ir::Kernel& kernel : kernels) {
    if (!text.empty()) text += '\n';
    text += listing(kernel);
  }
  return text;
}

std::string kernels_as_json(std::span<const ir::Kernel> kernels, const report::Provenance& provenance) {
  Json list = Json::array();
  for (const ir::Kernel& kernel : kernels) {
    Json object = {{"kernel", kernel.name}, {"registers_per_thread", kernel.registers}};
    if (kernel.is_estimated) object["registers_estimated"] = true;
    object["static_shared_bytes"] = kernel.static_shared_bytes;
    object["may_read_unwritten"] = cfg::may_read_unwritten(kernel);
    object["params"] = params_as_json(kernel);
    object["instructions"] = instructions_as_json(kernel);
    object["provenance"] = report::to_object(provenance);
    list.push_back(std::move(object));
  }
  constexpr int kIndent = 2;
  return list.dump(kIndent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::command
