// The .tracez container: put together here byte by byte, apart from what the simulator writes.
#include <fmt/format.h>
#include <zdict.h>
#include <zstd.h>

#include <random>

#include "sim/trace/write/trace_writer.h"
#include "tests/sim/trace/random_traces.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {

namespace {

std::string u32(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
  return bytes;
}
std::string u64(std::uint64_t value) { return u32(value & 0xffffffff) + u32(value >> 32); }

/// One zstd frame with its size before it.
std::string chunk(const std::string& text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 3));
  return u32(frame.size()) + frame;
}

const std::string kHead = [] {
  return text_of({.version = "6", .block = "(33,1,1)", .format = kNewFormat});
}();
const std::string kFirst =
    "0000 ffffffff 1 R1 LDC 0 0 0 0 NoVal \n0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0 0 NoVal ";
const std::string kSecond = "0020 ffffffff 0 EXIT 0 0 0 0 NoVal ";
const std::string kThird = "0020 00000001 0 EXIT 0 0 0 0 NoVal ";

/// What may be spoiled.
struct Container {
  std::string head = kHead;
  std::uint64_t dictionary = 0;
  std::string chunks = chunk(kFirst) + chunk(kSecond);
  std::uint64_t instructions = 3;  // of the first warp, in its record
  std::uint64_t indexed = 3;       // the same in the index
  std::uint64_t lines[2] = {2, 1};
  std::uint64_t place_offset = 0;  // added to the second warp's place
  std::uint64_t index_offset = 0;  // added to the index's
  std::uint64_t blocks = 1;
  std::uint64_t warps = 2;
  std::string behind_warps = {};
  std::string behind_index = {};
};

std::string bytes_of(const Container& c) {
  std::string file = c.head + std::string(1, '\0') + u32(c.dictionary) + u32(2);
  const std::size_t first = file.size();
  file += u32(c.instructions) + u32(2) + c.chunks;
  const std::size_t second = file.size();
  file += u32(1) + u32(1) + chunk(kThird) + c.behind_warps;
  const std::size_t index = file.size();
  file += u32(c.blocks);
  for (int i = 0; i < 3; ++i) file += u32(0);                            // block
  file += u32(7) + u32(0) + u32(0) + u32(1) + u32(0) + u32(0) + u32(1);  // cluster, place in it, rank
  file += u32(c.warps);
  file += u32(c.indexed) + u32(2) + u64(first) + u32(c.lines[0]) + u32(c.lines[1]);
  file += u32(1) + u32(1) + u64(second + c.place_offset) + u32(1);
  return file + c.behind_index + u64(index + c.index_offset);
}

std::vector<std::string> mistakes(const Container& container) {
  const std::string bytes = bytes_of(container);
  std::vector<std::string> list = all_mistakes(bytes, "t.tracez");
  REQUIRE_FALSE(list.empty());
  CHECK(first_mistake(bytes, "t.tracez") == list[0]);
  return list;
}

void check_first(const Container& container, const std::string& fragment) {
  const std::vector<std::string> list = mistakes(container);
  INFO(list[0]);
  CHECK(list[0].find(fragment) != std::string::npos);
}

}  // namespace

TEST_CASE("A container of two warps and three chunks") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("t.tracez", bytes_of({}));
  const SeenTrace trace = read_trace(path);
  CHECK(trace.blocks == 1);
  CHECK(trace.warps == 2);
  REQUIRE(trace.lines.size() == 4);
  CHECK(trace.lines[0].block.cluster[0] == 7);
  CHECK(trace.lines[0].block.place_in_cluster[0] == 1);
  CHECK(trace.lines[0].block.rank_in_cluster == 1);
  CHECK(trace.lines[1].instruction.opcode == "LDG.E");
  CHECK(trace.lines[1].line.addresses[31] == 0x7f000000007c);
  CHECK(trace.lines[2].warp.index == 0);
  CHECK(trace.lines[2].warp.instructions == 3);
  CHECK(trace.lines[3].warp.index == 1);
  CHECK(trace.lines[3].line.mask == 1);
  CHECK(trace.header.tracer_version == "6");
}

TEST_CASE("Containers with a dictionary are read") {
  std::mt19937 random(11);
  const SeenTrace trace = random_trace(random);
  std::string samples;
  std::vector<std::size_t> sizes;
  for (unsigned i = 0; i < 4000; ++i) {
    const std::string line = fmt::format("{:04x} ffffffff 1 R{} LDG.E.64 1 R{} 8 1 0x7f{:08x} 8 0 0 NoVal ",
                                         16 * (i % 90), i % 7, i % 11, random());
    samples += line;
    sizes.push_back(line.size());
  }
  std::vector<char> dictionary(65536);
  const std::size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(),
                                                 sizes.data(), static_cast<unsigned>(sizes.size()));
  REQUIRE_FALSE(ZDICT_isError(size));
  dictionary.resize(size);
  const test::ScratchFolder folder;
  const std::string path = folder.path() + "/t.tracez";
  write(trace, *tracez_writer(trace.header, path, {.lines_of_chunk = 3, .dictionary = dictionary}));
  require_same(read_trace(path), trace);
}

TEST_CASE("Containers that are not as they should be") {
  check_first({.dictionary = 5000}, "the dictionary ends too early");
  check_first({.dictionary = 0xffffffff}, "the dictionary has 4294967295 bytes, more than 16 MiB");
  check_first({.instructions = 4}, "the index says 3 instructions in 2 chunks, the warp at byte");
  check_first({.indexed = 4}, "the index says 4 instructions in 2 chunks, the warp at byte");
  check_first({.instructions = 4, .indexed = 4},
              "the chunks of warp 0 have 1 fewer instructions than the warp (block 0,0,0, warp 0");
  check_first({.instructions = 2, .indexed = 2}, "the chunks of warp 0 have more instructions than the warp");
  check_first({.lines = {1, 2}}, "the chunk has more than the 1 lines that the index says");
  check_first({.lines = {3, 0}}, "the chunk has fewer than the 3 lines that the index says");
  check_first({.place_offset = 1}, "warp 1 is to begin at byte");
  check_first({.index_offset = 1000}, "the index cannot be at byte");
  check_first({.index_offset = ~std::uint64_t{0}}, "warp 0 is to begin at byte");
  check_first({.blocks = 0xffffffff}, "the index at byte");
  check_first({.warps = 3}, "the index at byte");
  check_first({.behind_warps = "xyz"}, "3 bytes between the last warp and the index belong to no block");
  check_first({.behind_index = "xyz"}, "3 bytes follow the last block of the index");
  check_first({.blocks = 0}, "bytes follow the last block of the index");
  check_first({.head = "nonsense"}, "'nonsense' is no line of a trace's head");
  CHECK(first_mistake(kHead, "t.tracez") == "this is no .tracez container: no byte 0 ends its head");
}

TEST_CASE("Chunks that are not as they should be, what follows them is still read") {
  const std::string good = chunk(kFirst);
  std::string damaged = good;
  damaged[damaged.size() - 3] = static_cast<char>(damaged[damaged.size() - 3] ^ 0x55);
  std::string unknown_size = good;
  unknown_size[4 + 4] = static_cast<char>(unknown_size[8] & 0x1f);  // the frame says neither segment nor size
  const std::string bad_line = "0010 ffffffff 1 R999 MOV 0 0 0 0 NoVal ";
  check_first({.chunks = u32(8) + "abcdefgh" + chunk(kSecond)}, "is no zstd frame");
  check_first({.chunks = unknown_size + chunk(kSecond)}, "does not say how large it is");
  check_first({.chunks = u32(0xffffffff) + good.substr(4) + chunk(kSecond)},
              "a chunk of 4294967295 bytes reaches beyond the warps");
  check_first({.chunks = u32(good.size() - 4 + chunk(kSecond).size() - 4) + good.substr(4) +
                         chunk(kSecond).substr(4) + chunk(kSecond)},
              "has more than one zstd frame");
  check_first({.chunks = u32(good.size() - 4 - 5) + good.substr(4, good.size() - 4 - 5) + chunk(kSecond)},
              "ends too early");
  const auto list =
      mistakes({.chunks = chunk(kFirst.substr(0, kFirst.find('\n') + 1) + bad_line) + chunk(kSecond)});
  REQUIRE(list.size() == 1);
  CHECK(list[0].find("'R999' stands where a register (R0 to R255, UR, P, UP) should be (block 0,0,0, warp 0, "
                     "instruction 1, up to byte ") == 0);
}

TEST_CASE("A container that is cut or changed anywhere is refused or read, and never worse") {
  const std::string whole = bytes_of({});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK_FALSE(all_mistakes(whole.substr(0, size), "t.tracez").empty());
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x84);
    all_mistakes(changed, "t.tracez");
  }
}

}  // namespace heddle::trace
