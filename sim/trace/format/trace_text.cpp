#include "sim/trace/format/trace_text.h"

#include <fmt/format.h>

#include <bit>

#include "sim/trace/format/column_writer.h"
#include "sim/trace/format/marks.h"

namespace heddle::trace {

namespace {

using Out = std::back_insert_iterator<std::string>;
using Addresses = std::array<Addr, kLanes>;

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

void write_register(ColumnWriter& out, const TraceRegister& reg) { out.name(prefix(reg.file), reg.index); }

std::int64_t difference(Addr to, Addr from) { return static_cast<std::int64_t>(to - from); }

/// Whether the lanes form one run of at least two.
bool is_run(std::uint32_t mask) {
  const std::uint32_t low = mask >> first_lane(mask);
  return std::popcount(mask) >= 2 && (low & (low + 1)) == 0;
}

bool has_stride(std::uint32_t mask, const Addresses& addresses) {
  if (!is_run(mask)) return false;
  const unsigned first = first_lane(mask);
  const unsigned end = first + static_cast<unsigned>(std::popcount(mask));
  const Addr stride = addresses[first + 1] - addresses[first];
  for (unsigned lane = first + 1; lane < end; ++lane) {
    if (addresses[lane] - addresses[lane - 1] != stride) return false;
  }
  return true;
}

void write_list(ColumnWriter& out, std::uint32_t mask, const Addresses& addresses) {
  for (; mask != 0; mask &= mask - 1) out.address(addresses[first_lane(mask)]);
}

void write_stride(ColumnWriter& out, std::uint32_t mask, const Addresses& addresses) {
  const unsigned first = first_lane(mask);
  out.address(addresses[first]);
  out.decimal(difference(addresses[first + 1], addresses[first]));
}

void write_deltas(ColumnWriter& out, std::uint32_t mask, const Addresses& addresses) {
  Addr last = addresses[first_lane(mask)];
  out.address(last);
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const Addr address = addresses[first_lane(mask)];
    out.decimal(difference(address, last));
    last = address;
  }
}

void write_addresses(ColumnWriter& out, std::uint32_t mask, const Addresses& addresses,
                     AddressFormat format) {
  if (mask == 0) return out.word("1 0x0 0");  // the tracer writes it in this way
  if (format == AddressFormat::BaseStride && !has_stride(mask, addresses)) format = AddressFormat::BaseDelta;
  out.decimal(static_cast<int>(format));
  switch (format) {
    case AddressFormat::BaseStride:
      return write_stride(out, mask, addresses);
    case AddressFormat::BaseDelta:
      return write_deltas(out, mask, addresses);
    default:
      return write_list(out, mask, addresses);
  }
}

void write_bulk(ColumnWriter& out, const TraceLine& line) {
  const BulkTransfer& bulk = line.bulk;
  out.decimal(line.width);
  out.address(bulk.barrier, 8);
  out.decimal(bulk.is_multicast ? 1 : 0);
  if (bulk.is_multicast) out.address(bulk.blocks, 4);
  out.decimal(bulk.bytes);
  out.decimal(bulk.outside_bytes);
  out.decimal(static_cast<int>(line.format));
  const std::size_t count = bulk.addresses.size();
  if (line.format == AddressFormat::BulkList) {
    out.decimal(count);
    for (const Addr address : bulk.addresses) out.address(address);
    return;
  }
  out.address(count == 0 ? 0 : bulk.addresses[0]);
  out.decimal(count);
  for (std::size_t i = 1; i < count; ++i) {
    out.decimal(difference(bulk.addresses[i], bulk.addresses[i - 1]));
  }
}

void write_values(ColumnWriter& out, const std::vector<RegisterValues>& values) {
  out.word(values.empty() ? "NoVal" : "Val");
  for (const RegisterValues& value : values) {
    const unsigned count = value.is_uniform ? 1 : kLanes;
    out.decimal(count);
    for (unsigned lane = 0; lane < count; ++lane) {
      const bool is_wide = (value.lanes[lane] >> 32) != 0;
      out.hex(value.lanes[lane], is_wide ? 16 : 8);
    }
  }
}

void write_instruction(ColumnWriter& out, const TraceInstruction& instruction) {
  out.decimal(instruction.has_destination ? 1 : 0);
  if (instruction.has_destination) write_register(out, instruction.destination);
  out.word(instruction.opcode);
  out.decimal(instruction.sources);
  for (std::size_t i = 0; i < instruction.sources; ++i) write_register(out, instruction.source[i]);
}

/// In the tracer's form: without a space at the end.
void append_mark(std::string& text, const TraceInstruction& instruction) {
  fmt::format_to(Out(text), "{}{}{}\n", kBeforeMark, instruction.opcode, kBehindMark);
}

bool says_whether_group_ends(const TraceInstruction& instruction, const LineForm& form) {
  return form.has_second_immediate && instruction.opcode.find("GMMA") != std::string::npos;
}

}  // namespace

LineForm::LineForm(const TraceHeader& header)
    : has_source_line(header.has_line_numbers),
      has_immediate(header.version() >= kFirstImmediateVersion),
      has_second_immediate(header.has_second_immediate()),
      has_values(header.version() == kValuesVersion) {}

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

void append_line(std::string& text, const TraceLine& line, const LineForm& form) {
  const TraceInstruction& instruction = *line.instruction;
  if (mark_of(instruction.opcode) != Mark::None) return append_mark(text, instruction);
  ColumnWriter out(text);
  if (form.has_source_line) out.decimal(instruction.source_line);
  out.hex(instruction.pc, 4);
  out.hex(line.mask, 8);
  write_instruction(out, instruction);
  if (says_whether_group_ends(instruction, form)) out.decimal(instruction.closes_group ? 1 : 0);
  if (line.has_bulk) {
    write_bulk(out, line);
  } else {
    out.decimal(line.width);
    if (line.width != 0) write_addresses(out, line.mask, line.addresses, line.format);
  }
  if (form.has_immediate) out.decimal(line.immediate);
  if (form.has_second_immediate) out.decimal(line.second_immediate);
  if (form.has_values) write_values(out, line.values);
  out.end_line();
  out.flush();
}

void append_block_end(std::string& text) { text += "#END_TB\n\n"; }

void append_addresses(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses,
                      AddressFormat format) {
  ColumnWriter out(text);
  write_addresses(out, mask, addresses, format);
  out.flush();
}

AddressFormat shortest_format(std::uint32_t mask, const std::array<Addr, kLanes>& addresses) {
  return mask == 0 || has_stride(mask, addresses) ? AddressFormat::BaseStride : AddressFormat::BaseDelta;
}

}  // namespace heddle::trace
