#include "sim/trace/read/instruction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "sim/trace/read/column_scan.h"

namespace heddle::trace {

namespace {

constexpr std::size_t kLongestOpcode = 96;

constexpr std::string_view kBulkOpcodes[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                             "UBLKCP",  "UBLKPF",  "UBLKRED"};

std::optional<RegisterFile> take_prefix(std::string_view& name) {
  const auto begins = [&](std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
  };
  if (begins("UR")) return RegisterFile::Uniform;
  if (begins("UP")) return RegisterFile::UniformPredicate;
  if (begins("P")) return RegisterFile::Predicate;
  if (begins("R")) return RegisterFile::General;
  return {};
}

TraceRegister scan_register(const char*& at) {
  std::string_view name = word_at(at);
  const char* const end = name.data() + name.size();
  const std::optional<RegisterFile> file = take_prefix(name);
  TraceRegister found;
  const auto [stop, error] = std::from_chars(name.data(), end, found.index);
  if (!file || error != std::errc() || stop != end) {
    throw_malformed(at, "a register (R0 to R255, UR, P, UP)");
  }
  found.file = *file;
  at = end;
  skip_spaces(at);
  return found;
}

std::string scan_opcode(const char*& at) {
  const std::string_view name = word_at(at);
  const auto is_of_name = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
  };
  const bool begins_well = !name.empty() && is_of_name(name[0]) && (name[0] > '9');
  if (!begins_well || name.size() > kLongestOpcode || !std::all_of(name.begin(), name.end(), is_of_name)) {
    throw_malformed(at, "an opcode");
  }
  at += name.size();
  skip_spaces(at);
  return std::string(name);
}

bool has_any(std::string_view opcode, std::span<const std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return opcode.find(name) != std::string_view::npos; });
}

/// Without the column for the group's end, only a width and one or two immediates are left.
bool has_more_columns_than_two(const char* at) {
  unsigned columns = 0;
  for (; *at != '\n' && *at != 'V' && *at != 'N'; ++columns) {
    at += word_at(at).size();
    skip_spaces(at);
  }
  return columns > 2;
}

}  // namespace

const KnownInstruction& InstructionTable::learn(std::uint64_t pc, std::uint32_t source_line, const char* at,
                                                bool has_group_end) {
  const char* const begin = at;
  KnownInstruction known;
  TraceInstruction& instruction = known.instruction;
  instruction.pc = pc;
  instruction.source_line = source_line;
  instruction.has_destination = scan_decimal(at, "the number of destinations, 0 or 1", 1) != 0;
  if (instruction.has_destination) instruction.destination = scan_register(at);
  instruction.opcode = scan_opcode(at);
  instruction.sources =
      static_cast<std::uint8_t>(scan_decimal(at, "the number of sources, 0 to 5", kMaxSources));
  for (std::size_t i = 0; i < instruction.sources; ++i) instruction.source[i] = scan_register(at);
  if (instruction.opcode.find("GMMA") != std::string::npos &&
      (has_group_end || has_more_columns_than_two(at))) {
    instruction.closes_group = scan_decimal(at, "whether the group ends, 0 or 1", 1) != 0;
    known.is_of_new_form = true;
  }
  known.text.assign(begin, at);
  known.is_bulk = has_any(instruction.opcode, kBulkOpcodes);
  known.mark = mark_of(instruction.opcode);
  known.is_of_new_form = known.is_of_new_form || known.mark != Mark::None;
  known.is_exit = instruction.opcode == "EXIT" || instruction.opcode.starts_with("EXIT.");
  return keep(std::move(known));
}

const KnownInstruction& InstructionTable::keep(KnownInstruction known) {
  const std::uint64_t pc = known.instruction.pc;
  std::string key = fmt::format("{:x} {} {}", pc, known.instruction.source_line, known.text);
  const auto found = all_.find(key);
  if (found != all_.end()) return *(recent_[slot_of(pc)] = &found->second);
  if (in_order_.size() == kMostInstructions) {
    throw Malformed{nullptr, fmt::format("there are more than {} different instructions", kMostInstructions)};
  }
  known.instruction.index = size();
  const auto& kept = all_.emplace(std::move(key), std::move(known)).first->second;
  in_order_.push_back(&kept);
  return *(recent_[slot_of(pc)] = &kept);
}

}  // namespace heddle::trace
