#include "sim/trace/format/trace_text.h"

#include <fmt/format.h>

#include <bit>

#include "sim/trace/format/marks.h"

namespace heddle::trace {

namespace {

using Out = std::back_insert_iterator<std::string>;

std::string_view prefix(RegisterFile file) {
  switch (file) {
    case RegisterFile::General:
      return "R";
    case RegisterFile::Uniform:
      return "UR";
    case RegisterFile::Predicate:
      return "P";
    case RegisterFile::UniformPredicate:
      return "UP";
  }
  return "R";
}

void append_register(std::string& text, const TraceRegister& reg) {
  fmt::format_to(Out(text), "{}{} ", prefix(reg.file), reg.index);
}

std::int64_t difference(Addr to, Addr from) { return static_cast<std::int64_t>(to - from); }

/// Whether the lanes form one run of at least two.
bool is_run(std::uint32_t mask) {
  const std::uint32_t low = mask >> first_lane(mask);
  return std::popcount(mask) >= 2 && (low & (low + 1)) == 0;
}

bool has_stride(std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  if (!is_run(mask)) return false;
  const unsigned first = first_lane(mask);
  const unsigned end = first + static_cast<unsigned>(std::popcount(mask));
  const Addr stride = addresses[first + 1] - addresses[first];
  for (unsigned lane = first + 1; lane < end; ++lane) {
    if (addresses[lane] - addresses[lane - 1] != stride) return false;
  }
  return true;
}

void append_list(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  for (; mask != 0; mask &= mask - 1) fmt::format_to(Out(text), "0x{:x} ", addresses[first_lane(mask)]);
}

void append_stride(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  const unsigned first = first_lane(mask);
  fmt::format_to(Out(text), "0x{:x} {} ", addresses[first],
                 difference(addresses[first + 1], addresses[first]));
}

void append_deltas(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  Addr last = addresses[first_lane(mask)];
  fmt::format_to(Out(text), "0x{:x} ", last);
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const Addr address = addresses[first_lane(mask)];
    fmt::format_to(Out(text), "{} ", difference(address, last));
    last = address;
  }
}

void append_bulk(std::string& text, const TraceLine& line) {
  const BulkTransfer& bulk = line.bulk;
  fmt::format_to(Out(text), "{} 0x{:08x} {} ", line.width, bulk.barrier, bulk.is_multicast ? 1 : 0);
  if (bulk.is_multicast) fmt::format_to(Out(text), "0x{:04x} ", bulk.blocks);
  fmt::format_to(Out(text), "{} {} {} ", bulk.bytes, bulk.outside_bytes, static_cast<int>(line.format));
  const std::size_t count = bulk.addresses.size();
  if (line.format == AddressFormat::BulkList) {
    fmt::format_to(Out(text), "{} ", count);
    for (const Addr address : bulk.addresses) fmt::format_to(Out(text), "0x{:x} ", address);
    return;
  }
  fmt::format_to(Out(text), "0x{:x} {} ", count == 0 ? 0 : bulk.addresses[0], count);
  for (std::size_t i = 1; i < count; ++i) {
    fmt::format_to(Out(text), "{} ", difference(bulk.addresses[i], bulk.addresses[i - 1]));
  }
}

void append_values(std::string& text, const std::vector<RegisterValues>& values) {
  if (values.empty()) {
    text += "NoVal ";
    return;
  }
  text += "Val ";
  for (const RegisterValues& value : values) {
    fmt::format_to(Out(text), "{} ", value.is_uniform ? 1U : kLanes);
    for (unsigned lane = 0; lane < (value.is_uniform ? 1U : kLanes); ++lane) {
      const bool is_wide = (value.lanes[lane] >> 32) != 0;
      fmt::format_to(Out(text), "{:0{}x} ", value.lanes[lane], is_wide ? 16 : 8);
    }
  }
}

void append_instruction(std::string& text, const TraceInstruction& instruction) {
  fmt::format_to(Out(text), "{} ", instruction.has_destination ? 1 : 0);
  if (instruction.has_destination) append_register(text, instruction.destination);
  fmt::format_to(Out(text), "{} {} ", instruction.opcode, instruction.sources);
  for (std::size_t i = 0; i < instruction.sources; ++i) append_register(text, instruction.source[i]);
}

/// In the tracer's form: without a space at the end.
void append_mark(std::string& text, const TraceInstruction& instruction) {
  fmt::format_to(Out(text), "{}{}{}\n", kBeforeMark, instruction.opcode, kBehindMark);
}

bool says_whether_group_ends(const TraceInstruction& instruction, const TraceHeader& header) {
  return header.has_second_immediate() && instruction.opcode.find("GMMA") != std::string::npos;
}

}  // namespace

void append_block_begin(std::string& text, const TraceBlock& block) {
  const auto triple = [&text](std::string_view name, const std::array<std::uint32_t, 3>& value) {
    fmt::format_to(Out(text), "{} = {},{},{}\n", name, value[0], value[1], value[2]);
  };
  text += "#BEGIN_TB\n\n";
  triple("thread block", block.id);
  if (block.has_cluster) {
    triple("cluster id", block.cluster);
    triple("cluster cta", block.place_in_cluster);
    fmt::format_to(Out(text), "cluster rank = {}\n", block.rank_in_cluster);
  }
  text += '\n';
}

void append_warp_begin(std::string& text, const TraceWarp& warp) {
  fmt::format_to(Out(text), "warp = {}\ninsts = {}\n", warp.index, warp.instructions);
}

void append_place(std::string& text, const std::array<std::uint32_t, 3>& block, std::uint32_t warp) {
  fmt::format_to(Out(text), "{} {} {} {} ", block[0], block[1], block[2], warp);
}

void append_line(std::string& text, const TraceLine& line, const TraceHeader& header) {
  const TraceInstruction& instruction = *line.instruction;
  if (mark_of(instruction.opcode) != Mark::None) return append_mark(text, instruction);
  if (header.has_line_numbers) fmt::format_to(Out(text), "{} ", instruction.source_line);
  fmt::format_to(Out(text), "{:04x} {:08x} ", instruction.pc, line.mask);
  append_instruction(text, instruction);
  if (says_whether_group_ends(instruction, header)) text += instruction.closes_group ? "1 " : "0 ";
  if (line.has_bulk) {
    append_bulk(text, line);
  } else {
    fmt::format_to(Out(text), "{} ", line.width);
    if (line.width != 0) append_addresses(text, line.mask, line.addresses, line.format);
  }
  if (header.version() >= kFirstImmediateVersion) fmt::format_to(Out(text), "{} ", line.immediate);
  if (header.has_second_immediate()) fmt::format_to(Out(text), "{} ", line.second_immediate);
  if (header.version() == kValuesVersion) append_values(text, line.values);
  text += '\n';
}

void append_block_end(std::string& text) { text += "#END_TB\n\n"; }

void append_addresses(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses,
                      AddressFormat format) {
  if (mask == 0) {  // the tracer writes it in this way
    text += "1 0x0 0 ";
    return;
  }
  if (format == AddressFormat::BaseStride && !has_stride(mask, addresses)) format = AddressFormat::BaseDelta;
  fmt::format_to(Out(text), "{} ", static_cast<int>(format));
  switch (format) {
    case AddressFormat::BaseStride:
      return append_stride(text, mask, addresses);
    case AddressFormat::BaseDelta:
      return append_deltas(text, mask, addresses);
    default:
      return append_list(text, mask, addresses);
  }
}

AddressFormat shortest_format(std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  return mask == 0 || has_stride(mask, addresses) ? AddressFormat::BaseStride : AddressFormat::BaseDelta;
}

}  // namespace heddle::trace
