// Blocks that a replay leaves out: what is read of the others is the same, and lines in between are not
// parsed.
#include <fmt/format.h>

#include "sim/trace/write/trace_writer.h"
#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {

namespace {

using Event = TraceReader::Event;

constexpr unsigned kBlocks = 6;
constexpr unsigned kWarps = 2;
constexpr unsigned kLoads = 40;

TraceHeader header_of_blocks() {
  TraceHeader header;
  header.kernel.assign(1, 'k');
  header.grid = {kBlocks, 1, 1};
  header.block = {kWarps * kLanes, 1, 1};
  header.tracer_version.assign(1, '5');  // GCC 12 warns of an overlapping copy at ="5"
  header.format = kNewFormat.substr(0, kNewFormat.size() - 1);
  return header;
}

/// Each block loads from addresses of its own.
Addr address_of(unsigned block, unsigned warp, unsigned load) {
  return 0x7f0000000000 + 0x1000000 * block + 0x10000 * warp + 128 * load;
}

void write_blocks(TraceWriter& writer) {
  TraceInstruction load;
  load.opcode = "LDG.E";
  load.has_destination = true;
  load.sources = 1;
  TraceInstruction exit;
  exit.pc = 16;
  exit.opcode = "EXIT";
  for (unsigned block = 0; block < kBlocks; ++block) {
    writer.block({{block, 0, 0}, {}, {}, 0, false});
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      writer.warp({warp, kLoads + 1});
      TraceLine line;
      line.mask = 0xffffffff;
      for (unsigned i = 0; i < kLoads; ++i) {
        line.instruction = &load;
        line.width = 4;
        line.addresses.fill(address_of(block, warp, i));
        writer.line(line);
      }
      line.instruction = &exit;
      line.width = 0;
      writer.line(line);
    }
    writer.end_block();
  }
  writer.finish();
}

/// Skips the blocks with an odd place.
void require_even_blocks(TraceReader& reader) {
  for (unsigned block = 0; block < kBlocks; ++block) {
    REQUIRE(reader.next() == Event::Block);
    CHECK(reader.block().id[0] == block);
    if (block % 2 == 1) {
      reader.skip_block();
      continue;
    }
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      REQUIRE(reader.next() == Event::Warp);
      for (unsigned i = 0; i < kLoads; ++i) {
        REQUIRE(reader.next() == Event::Line);
        CHECK(reader.line().addresses[31] == address_of(block, warp, i));
      }
      REQUIRE(reader.next() == Event::Line);
      CHECK(reader.line().instruction->opcode == "EXIT");
    }
    REQUIRE(reader.next() == Event::EndBlock);
  }
  CHECK(reader.next() == Event::End);
}

std::string two_blocks(const std::string& first_warp) {
  const std::string good = warp_text(0, {"0000 ffffffff 0 EXIT 0 0 0 0 "});
  return text_of({.grid = "(2,1,1)", .format = kNewFormat}) + block_text("0,0,0", first_warp) +
         block_text("1,0,0", good);
}

/// Skips the first block and reads the second.
void read_second(const std::string& text) {
  const test::ScratchFolder folder;
  const auto reader = open_trace(folder.write("t.traceg", text));
  REQUIRE(reader->next() == Event::Block);
  reader->skip_block();
  REQUIRE(reader->next() == Event::Block);
  CHECK(reader->block().id[0] == 1);
  while (reader->next() != Event::End) {
  }
}

}  // namespace

TEST_CASE("Blocks that are skipped do not move what others say") {
  const test::ScratchFolder folder;
  const std::string text = folder.path() + "/t.traceg.zst";
  write_blocks(*text_writer(header_of_blocks(), open_sink(text, Compression::Zstd)));
  require_even_blocks(*open_trace(text));
  for (const std::uint32_t lines : {0U, 3U, 2048U}) {
    const std::string container = fmt::format("{}/{}.tracez", folder.path(), lines);
    write_blocks(*tracez_writer(header_of_blocks(), container, {.lines_of_chunk = lines}));
    require_even_blocks(*open_trace(container));
  }
}

TEST_CASE("Lines of skipped blocks are not parsed, but counted") {
  read_second(two_blocks(warp_text(0, {"nonsense", "0010 ffffffff 0 EXIT 0 0 0 0 "})));
  read_second(two_blocks(warp_text(0, {"0000 ffffffff 0 NOP 0 0 0 0 "})));  // no lane exits
  CHECK_THROWS_WITH(read_second(two_blocks("\nwarp = 0\ninsts = 2\n0000 ffffffff 0 EXIT 0 0 0 0 \n")),
                    Catch::Contains("has only 1 of the 2 lines"));
}

}  // namespace heddle::trace
