#include "tests/sim/trace/small_traces.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {

namespace {

/// "12:5: message", "12: message", or "message".
std::string brief(const Diagnostic& diagnostic) {
  std::string text;
  if (diagnostic.where.line != 0) text += fmt::format("{}:", diagnostic.where.line);
  if (diagnostic.where.column != 0) text += fmt::format("{}:", diagnostic.where.column);
  return text + (text.empty() ? "" : " ") + diagnostic.message;
}

bool is_same(const RegisterValues& a, const RegisterValues& b) {
  return a.is_uniform == b.is_uniform && a.lanes == b.lanes;
}

void require_same(const TraceInstruction& a, const TraceInstruction& b) {
  REQUIRE(a.index == b.index);
  REQUIRE(a.source_line == b.source_line);
  REQUIRE(a.pc == b.pc);
  REQUIRE(a.opcode == b.opcode);
  REQUIRE(a.has_destination == b.has_destination);
  REQUIRE(a.destination == b.destination);
  REQUIRE(a.sources == b.sources);
  REQUIRE(a.source == b.source);
  REQUIRE(a.closes_group == b.closes_group);
}

void require_same(const BulkTransfer& a, const BulkTransfer& b) {
  REQUIRE(a.barrier == b.barrier);
  REQUIRE(a.is_multicast == b.is_multicast);
  REQUIRE(a.blocks == b.blocks);
  REQUIRE(a.bytes == b.bytes);
  REQUIRE(a.outside_bytes == b.outside_bytes);
  REQUIRE(a.addresses == b.addresses);
}

void require_same(const TraceLine& a, const TraceLine& b) {
  REQUIRE(a.mask == b.mask);
  REQUIRE(a.width == b.width);
  REQUIRE(a.immediate == b.immediate);
  REQUIRE(a.second_immediate == b.second_immediate);
  REQUIRE(a.has_bulk == b.has_bulk);
  if (a.has_bulk) require_same(a.bulk, b.bulk);
  for (unsigned lane = 0; a.width != 0 && !a.has_bulk && lane < kLanes; ++lane) {
    if ((a.mask >> lane & 1) != 0) REQUIRE(a.addresses[lane] == b.addresses[lane]);
  }
  REQUIRE(a.values.size() == b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) REQUIRE(is_same(a.values[i], b.values[i]));
}

}  // namespace

std::string text_of(const SmallHead& head) {
  std::string text = fmt::format(
      "-kernel name = _Z5smallv\n-kernel id = 1\n-grid dim = {}\n-block dim = {}\n-shmem = 0\n-nregs = 16\n"
      "-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
      "-local mem base_addr = 0x00007e0000000000\n-nvbit version = 1.7\n",
      head.grid, head.block);
  if (!head.version.empty()) text += fmt::format("-accelsim tracer version = {}\n", head.version);
  return text + head.more + "\n" + head.format + "\n\n\n";
}

std::string warp_text(unsigned index, const std::vector<std::string>& lines) {
  std::string text = fmt::format("warp = {}\ninsts = {}\n", index, lines.size());
  for (const std::string& line : lines) text += line + "\n";
  return text + "\n";
}

std::string block_text(const std::string& place, const std::string& warps) {
  return fmt::format("#BEGIN_TB\n\nthread block = {}\n\n{}#END_TB\n\n", place, warps);
}

std::string one_warp(const SmallHead& head, const std::vector<std::string>& lines, const std::string& exit) {
  std::vector<std::string> all = lines;
  all.push_back(exit);
  return text_of(head) + block_text("0,0,0", warp_text(0, all));
}

SeenTrace read_trace(const std::string& path) {
  const auto reader = open_trace(path);
  SeenTrace seen;
  seen.header = reader->header();
  for (;;) {
    switch (reader->next()) {
      case TraceReader::Event::Block:
        ++seen.blocks;
        break;
      case TraceReader::Event::Warp:
        ++seen.warps;
        break;
      case TraceReader::Event::Line:
        seen.lines.push_back({reader->block(), reader->warp(), *reader->line().instruction, reader->line()});
        seen.lines.back().line.instruction = nullptr;
        REQUIRE(&reader->instruction(seen.lines.back().instruction.index) == reader->line().instruction);
        break;
      case TraceReader::Event::EndBlock:
        break;
      case TraceReader::Event::End:
        return seen;
    }
  }
}

SeenTrace read_text(const std::string& text) {
  const test::ScratchFolder folder;
  return read_trace(folder.write("t.traceg", text));
}

std::string first_mistake(const std::string& text, const std::string& name) {
  const test::ScratchFolder folder;
  const std::string path = folder.write(name, text);
  try {
    read_trace(path);
  } catch (const InputError& error) {
    CHECK(error.list()[0].where.file == path);
    return brief(error.list()[0]);
  }
  return {};
}

std::vector<std::string> all_mistakes_of(const std::string& path) {
  std::vector<std::string> list;
  const auto reader =
      open_trace(path, [&](const Diagnostic& diagnostic) { list.push_back(brief(diagnostic)); });
  while (reader->next() != TraceReader::Event::End) {
  }
  CHECK(reader->next() == TraceReader::Event::End);
  return list;
}

std::vector<std::string> all_mistakes(const std::string& text, const std::string& name) {
  const test::ScratchFolder folder;
  return all_mistakes_of(folder.write(name, text));
}

void require_same(const SeenTrace& left, const SeenTrace& right) {
  REQUIRE(left.blocks == right.blocks);
  REQUIRE(left.warps == right.warps);
  REQUIRE(left.lines.size() == right.lines.size());
  for (std::size_t i = 0; i < left.lines.size(); ++i) {
    INFO("line " << i << ", " << left.lines[i].instruction.opcode << ", mask " << left.lines[i].line.mask
                 << ", addresses " << static_cast<int>(left.lines[i].line.format) << ", "
                 << static_cast<int>(right.lines[i].line.format));
    REQUIRE(left.lines[i].block.id == right.lines[i].block.id);
    REQUIRE(left.lines[i].block.cluster == right.lines[i].block.cluster);
    REQUIRE(left.lines[i].block.place_in_cluster == right.lines[i].block.place_in_cluster);
    REQUIRE(left.lines[i].block.rank_in_cluster == right.lines[i].block.rank_in_cluster);
    REQUIRE(left.lines[i].warp.index == right.lines[i].warp.index);
    require_same(left.lines[i].instruction, right.lines[i].instruction);
    require_same(left.lines[i].line, right.lines[i].line);
  }
}

}  // namespace heddle::trace
