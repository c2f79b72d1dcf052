#include "tests/sim/trace/random_traces.h"

#include <fmt/format.h>

#include <map>

namespace heddle::trace {

namespace {

class Draw {
 public:
  explicit Draw(std::mt19937& random) : random_(random) {}

  SeenTrace trace() {
    seen_.header = header();
    const Dim3 grid = seen_.header.grid;
    for (std::uint64_t id = 0; id < grid.count(); ++id) block(grid.position_of(id));
    return std::move(seen_);
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::uint64_t bits(unsigned count) { return (std::uint64_t{random_()} << 32 | random_()) >> (64 - count); }

  TraceHeader header() {
    TraceHeader head;
    head.kernel = fmt::format("_Z{}kernel", below(1000));
    head.id = below(100);
    head.grid = {1 + below(3), 1 + below(2), 1 + below(2)};
    head.block = {1 + below(40), 1 + below(2), 1};
    head.shared_bytes = below(100000);
    head.registers = below(256);
    head.binary_version = 90;
    head.stream = below(3);
    head.shared_base = bits(48);
    head.local_base = bits(48);
    head.nvbit_version.assign("1.7.4");
    head.tracer_version = std::string(1, one_in(2) ? '6' : '5');
    head.has_line_numbers = one_in(2);
    head.format = "x immediate1 immediate2";
    if (one_in(2)) head.unknown.emplace_back("-something = else");
    return head;
  }

  void block(const Dim3& position) {
    ++seen_.blocks;
    block_.id = {position.x, position.y, position.z};
    block_.cluster = {position.x / 2, position.y, position.z};
    block_.place_in_cluster = {position.x % 2, 0, 0};
    block_.rank_in_cluster = position.x % 2;
    block_.has_cluster = true;
    const auto threads = static_cast<std::uint32_t>(seen_.header.block.count());
    for (std::uint32_t warp = 0; warp * kLanes < threads; ++warp) {
      const std::uint32_t rest = threads - warp * kLanes;
      lanes_ = rest >= kLanes ? ~std::uint32_t{0} : (std::uint32_t{1} << rest) - 1;
      this->warp(warp);
    }
  }

  void warp(std::uint32_t index) {
    ++seen_.warps;
    const TraceWarp warp{index, 2 + below(30)};
    for (std::uint64_t i = 0; i + 1 < warp.instructions; ++i) add(warp, line());
    SeenLine exit;
    exit.instruction.opcode = "EXIT";
    exit.instruction.pc = 0xfff0;
    exit.line.mask = lanes_;
    add(warp, exit);
  }

  void add(const TraceWarp& warp, SeenLine line) {
    line.block = block_;
    line.warp = warp;
    const TraceInstruction& static_part = line.instruction;
    const std::string key = fmt::format("{} {} {} {} {}", static_part.pc, static_part.source_line,
                                        static_part.opcode, static_part.sources, static_part.closes_group);
    const auto [entry, is_new] = known_.try_emplace(key, line.instruction);
    if (is_new) entry->second.index = static_cast<std::uint32_t>(known_.size() - 1);
    line.instruction = entry->second;
    if (seen_.header.tracer_version == "6" && one_in(2) && line.instruction.opcode == "BAR.ARV") {
      line.line.values.resize(line.instruction.sources + (line.instruction.has_destination ? 1U : 0U));
      for (RegisterValues& value : line.line.values) draw(value);
    }
    seen_.lines.push_back(line);
  }

  void draw(RegisterValues& value) {
    value.is_uniform = one_in(2);
    for (std::uint64_t& lane : value.lanes) lane = bits(one_in(2) ? 32 : 64);
    if (value.is_uniform) value.lanes.fill(value.lanes[0]);
  }

  SeenLine line() {
    SeenLine drawn;
    TraceInstruction& instruction = drawn.instruction;
    constexpr const char* kOpcodes[] = {"FFMA", "LDG.E.64", "BAR.ARV", "HGMMA.64x8x16", "UTMALDG.2D", "MOV"};
    const unsigned kind = below(6);
    instruction.opcode = kOpcodes[kind];
    instruction.pc = 16 * bits(1 + below(12));
    if (seen_.header.has_line_numbers) instruction.source_line = below(100);
    if (kind != 4) registers(instruction);
    instruction.closes_group = kind == 3 && one_in(2);
    TraceLine& line = drawn.line;
    line.mask = one_in(8) ? 0 : one_in(2) ? lanes_ : static_cast<std::uint32_t>(bits(32)) & lanes_;
    line.immediate = static_cast<std::int64_t>(bits(1 + below(64)));
    line.second_immediate = -static_cast<std::int64_t>(below(1000));
    if (kind == 1) memory(line);
    if (kind == 4) bulk(line);
    return drawn;
  }

  void registers(TraceInstruction& instruction) {
    const auto draw = [&] {
      return TraceRegister{static_cast<RegisterFile>(below(4)), static_cast<std::uint8_t>(below(256))};
    };
    instruction.has_destination = one_in(2);
    if (instruction.has_destination) instruction.destination = draw();
    instruction.sources = static_cast<std::uint8_t>(below(6));
    for (std::size_t i = 0; i < instruction.sources; ++i) instruction.source[i] = draw();
  }

  void memory(TraceLine& line) {
    line.width = 1U << below(5);
    line.format = static_cast<AddressFormat>(below(3));
    const bool is_regular = one_in(2);
    const std::uint64_t base = bits(49);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      line.addresses[lane] = is_regular ? base + lane * line.width : bits(1 + below(64));
    }
  }

  void bulk(TraceLine& line) {
    line.has_bulk = true;
    line.width = 64;
    line.format = one_in(2) ? AddressFormat::BulkList : AddressFormat::BulkDelta;
    line.bulk.barrier = static_cast<std::uint32_t>(bits(32));
    line.bulk.is_multicast = one_in(2);
    if (line.bulk.is_multicast) line.bulk.blocks = static_cast<std::uint16_t>(bits(16));
    line.bulk.bytes = bits(20);
    line.bulk.outside_bytes = bits(10);
    for (unsigned i = below(10); i > 0; --i) line.bulk.addresses.push_back(bits(48));
  }

  std::mt19937& random_;
  SeenTrace seen_;
  TraceBlock block_;
  std::uint32_t lanes_ = 0;
  std::map<std::string, TraceInstruction> known_;
};

}  // namespace

SeenTrace random_trace(std::mt19937& random) { return Draw(random).trace(); }

void write(const SeenTrace& trace, TraceWriter& writer) {
  bool is_in_block = false;
  TraceBlock block;
  for (std::size_t i = 0; i < trace.lines.size(); ++i) {
    const SeenLine& seen = trace.lines[i];
    const bool is_new_block = !is_in_block || seen.block.id != block.id;
    if (is_new_block) {
      if (is_in_block) writer.end_block();
      writer.block(block = seen.block);
      is_in_block = true;
    }
    if (is_new_block || seen.warp.index != trace.lines[i - 1].warp.index) writer.warp(seen.warp);
    TraceLine line = seen.line;
    line.instruction = &seen.instruction;
    writer.line(line);
  }
  writer.end_block();
  writer.finish();
}

}  // namespace heddle::trace
