// Traces that are not as they should be: each mistake with its line, alone or together.
#include <fmt/format.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>

#include "isa/base/diagnostic.h"
#include "sim/trace/io/byte_stream.h"
#include "tests/sim/config/refusal.h"
#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {

namespace {

using Mistakes = std::vector<std::string>;

const std::string kExit = "0100 ffffffff 0 EXIT 0 0 0 ";
const std::string kMove = "0000 ffffffff 1 R1 MOV 0 0 0 ";

/// The head has 17 lines; #BEGIN_TB is line 18, "warp = 0" line 22, its first instruction line 24.
std::string of_lines(const std::vector<std::string>& lines) {
  return text_of({}) + block_text("0,0,0", warp_text(0, lines));
}

/// Both ways of reading say the same.
void check_only(const std::string& text, const std::string& expected) {
  INFO(text);
  CHECK(first_mistake(text) == expected);
  CHECK(all_mistakes(text) == Mistakes{expected});
}

std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

}  // namespace

TEST_CASE("Lines of instructions that are malformed, with line and column") {
  const std::pair<const char*, const char*> cases[] = {
      {"0000 fffffffff 1 R1 MOV 0 0 0 ", "24:6: 'fffffffff' stands where a mask of 32 lanes should be"},
      {"0000 -1 1 R1 MOV 0 0 0 ", "24:6: '-1' stands where a mask of 32 lanes should be"},
      {"zz ffffffff 1 R1 MOV 0 0 0 ",
       "24:1: 'zz' stands where the instruction's place, hexadecimal should be"},
      {"0000 ffffffff 2 R1 R2 MOV 0 0 0 ",
       "24:15: '2' stands where the number of destinations, 0 or 1 should be"},
      {"0000 ffffffff -1 R1 MOV 0 0 0 ",
       "24:15: '-1' stands where the number of destinations, 0 or 1 should be"},
      {"0000 ffffffff 1 R256 MOV 0 0 0 ",
       "24:17: 'R256' stands where a register (R0 to R255, UR, P, UP) should be"},
      {"0000 ffffffff 1 X1 MOV 0 0 0 ",
       "24:17: 'X1' stands where a register (R0 to R255, UR, P, UP) should be"},
      {"0000 ffffffff 0 1MOV 0 0 0 ", "24:17: '1MOV' stands where an opcode should be"},
      {"0000 ffffffff 0 MOV 6 R1 R2 R3 R4 R5 R6 0 0 ",
       "24:21: '6' stands where the number of sources, 0 to 5 should be"},
      {"0000 ffffffff 0 MOV 2 R1 0 0 ",
       "24:26: '0' stands where a register (R0 to R255, UR, P, UP) should be"},
      {"0000 ffffffff 0 MOV 0",
       "24:22: the end of the line stands where the width of the access in bytes, or 0 should be"},
      {"0000 ffffffff 0 MOV 0 0 x ", "24:25: 'x' stands where an immediate should be"},
      {"0000 ffffffff 0 MOV 0 0 1 2 ", "24:27: '2' stands where the end of the line should be"},
      {"0000 ffffffff 0 MOV 0 0 99999999999999999999 ",
       "24:25: '99999999999999999999' stands where an immediate should be"},
      {"0000 ffffffff 1 R1 LDG 1 R2 4 5 0x0 0 ",
       "24:31: '5' stands where the format of the addresses, 0 to 2 should be"},
      {"0000 ffffffff 1 R1 LDG 1 R2 4 1 0xg 0 ", "24:33: '0xg' stands where a hexadecimal address should be"},
      {"0000 00000003 1 R1 LDG 1 R2 4 0 0x12345678901234567 0x0 0 ",
       "24:33: '0x12345678901234567' stands where a hexadecimal address should be"},
      {"0000 00000007 1 R1 LDG 1 R2 4 0 0x0 0x4",
       "24:40: the end of the line stands where a hexadecimal address should be"},
      {"0000 00000007 1 R1 LDG 1 R2 4 2 0x0 4",
       "24:38: the end of the line stands where the distance to the next lane's address should be"},
      {"0000\xff ffffffff 1 R1 MOV 0 0 0 ",
       "24:1: '0000?' stands where the instruction's place, hexadecimal should be"},
  };
  for (const auto& [line, expected] : cases) check_only(of_lines({line, kExit}), expected);
}

TEST_CASE("Every malformed line is told, not just the first") {
  const std::string text = of_lines(
      {kMove, "what", kMove, "0000 ffffffff 1 R999 MOV 0 0 0 ", "", "0000 fffffffg 1 R1 MOV 0 0 0 ", kExit});
  // The empty line counts as none.
  CHECK(all_mistakes(text) ==
        Mistakes{"25:1: 'what' stands where the instruction's place, hexadecimal should be",
                 "27:17: 'R999' stands where a register (R0 to R255, UR, P, UP) should be",
                 "29:6: 'fffffffg' stands where a mask of 32 lanes should be",
                 "32: warp 0 has only 6 of the 7 lines that 'insts' says"});
}

TEST_CASE("Values of registers that are malformed") {
  const SmallHead head = {.version = "6", .format = kNewFormat};
  const std::string exit = "0100 ffffffff 0 EXIT 0 0 0 0 NoVal ";
  const std::pair<const char*, const char*> cases[] = {
      {"0000 ffffffff 1 R1 MOV 0 0 0 0 ", "24:32: the end of the line stands where Val or NoVal should be"},
      {"0000 ffffffff 1 R1 MOV 0 0 0 0 Nope ", "24:32: 'Nope' stands where Val or NoVal should be"},
      {"0000 ffffffff 1 R1 MOV 0 0 0 0 Val 2 1 2 ",
       "24:36: '2' stands where the number of values, 1 or 32 should be"},
      {"0000 ffffffff 1 R1 MOV 0 0 0 0 Val ",
       "24:36: the end of the line stands where the number of values, 1 or 32 should be"},
      {"0000 ffffffff 1 R1 MOV 0 0 0 0 Val 1 xyz ",
       "24:38: 'xyz' stands where a hexadecimal value should be"},
      {"0000 ffffffff 1 R1 MOV 0 0 0 0 Val 1 1 1 ", "24:40: '1' stands where the end of the line should be"},
  };
  for (const auto& [line, expected] : cases) check_only(one_warp(head, {line}, exit), expected);
}

TEST_CASE("Tiles that are malformed") {
  const SmallHead head = {.format = kNewFormat};
  const std::pair<const char*, const char*> cases[] = {
      {"0000 00000001 0 UTMALDG 0 64 0x0 0 64 0 2 0x0 1 0 0 ",
       "24:41: '2' stands where the format of the addresses, 3 or 4 should be"},
      {"0000 00000001 0 UTMALDG 0 64 0x0 0 64 0 4 0x0 1 64 64 0 0 ",
       "24:49: there are more addresses than the 0 that are announced"},
      {"0000 00000001 0 UTMALDG 0 64 0x0 2 64 0 4 0x0 1 0 0 ",
       "24:34: '2' stands where whether it is multicast, 0 or 1 should be"},
      {"0000 00000001 0 UTMALDG 0 64 0x0 0 64 0 3 99999999999 0 ",
       "24:55: '0' stands where an address or an immediate should be"},
  };
  for (const auto& [line, expected] : cases)
    check_only(one_warp(head, {line}, "0100 ffffffff 0 EXIT 0 0 0 0 "), expected);
}

TEST_CASE("Heads that are malformed are told with all their mistakes") {
  const std::string body = block_text("0,0,0", warp_text(0, {kExit}));
  SmallHead head = {.version = "7", .grid = "(8,1)", .block = "(2048,1,1)", .more = "-shmem = 3\nnonsense\n"};
  const Mistakes expected = {"3: '-grid dim' must be (x,y,z), up to 2147483647, 65535 and 65535, not '(8,1)'",
                             "4: '-block dim' must be (x,y,z), up to 1024 threads in all, not '(2048,1,1)'",
                             "12: '-accelsim tracer version' must be a version up to 6, not '7'",
                             "13: '-shmem' stands twice", "14: 'nonsense' is no line of a trace's head"};
  const test::ScratchFolder folder;
  const std::string path = folder.write("t.traceg", text_of(head) + body);
  const auto list = sim::refusal([&] { open_trace(path); });
  REQUIRE(list.size() == expected.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    CHECK(fmt::format("{}: {}", list[i].where.line, list[i].message) == expected[i]);
  }
  CHECK(all_mistakes_of(path) == expected);
  CHECK(first_mistake(text_of({.block = "(0,1,1)"}) + body).starts_with("4: '-block dim' must be"));
  for (const char* grid :
       {"(0,1,1)", "(-1,1,1)", "(1,65536,1)", "8,1,1", "(1,1,1", "(1,1,1,1)", "(1,1,99999999999)", ""}) {
    INFO(grid);
    CHECK(first_mistake(text_of({.grid = grid}) + body).starts_with("3: '-grid dim' must be"));
  }
}

TEST_CASE("Heads that lack something") {
  const std::string text = of_lines({kExit});
  CHECK(first_mistake(without(text, "-nregs = 16\n")) == "13: the head lacks the line '-nregs = ...'");
  CHECK(first_mistake(without(text, "-grid dim = (1,1,1)\n")) ==
        "13: the head lacks the line '-grid dim = ...'");
  CHECK(first_mistake(without(text, kOldFormat)) ==
        "17: the line '#traces format = ...' is missing: it ends the head");
  CHECK(first_mistake("").find("0: ") == std::string::npos);
  CHECK(first_mistake("").ends_with("the file ends within the head of the trace"));
  CHECK(first_mistake("-kernel name = x\n").find("the file ends within the head of the trace") !=
        std::string::npos);
  CHECK(all_mistakes(without(text, kOldFormat)).size() == 1);
}

TEST_CASE("Blocks and warps that do not fit together") {
  const std::string text = of_lines({kMove, kExit});
  check_only(without(text, "#BEGIN_TB\n"), "19: #BEGIN_TB is missing before the block");
  check_only(with(text, "thread block = 0,0,0", "thread block = 0,0"),
             "20: 'thread block = 0,0' stands where 'thread block = x,y,z' should be");
  check_only(with(text, "thread block = 0,0,0", "thread block = -1,0,0"),
             "20: 'thread block = -1,0,0' stands where 'thread block = x,y,z' should be");
  check_only(with(text, "insts = 2", "insts = 3"), "27: warp 0 has only 2 of the 3 lines that 'insts' says");
  check_only(with(text, "insts = 2", "insts = 1"), "25: warp 0 has more lines than the 1 that 'insts' says");
  check_only(with(text, "insts = 2", "insts = -2"), "23: 'insts = -2' stands where 'insts = n' should be");
  check_only(with(text, "insts = 2", "insts = 18446744073709551615"),
             "27: warp 0 has only 2 of the 18446744073709551615 lines that 'insts' says");
  check_only(with(text, "insts = 2", "insts = 18446744073709551616"),
             "23: 'insts = 18446744073709551616' stands where 'insts = n' should be");
  check_only(with(text, "warp = 0", "warp = x"), "22: 'warp = x' stands where 'warp = n' should be");
  check_only(with(text, "warp = 0", "warp = -1"), "22: 'warp = -1' stands where 'warp = n' should be");
  check_only(with(text, "#END_TB\n\n", ""), "26: the file ends within a block: #END_TB is missing");
  check_only(text + "#END_TB\n", "29: #END_TB stands outside of a block");
  check_only(text + "something\n", "29: 'something' has no place here; '#BEGIN_TB' may stand here");
  check_only(text + "something", "29: the file ends in the middle of a line");
  check_only(text.substr(0, text.rfind("#END_TB") + 7), "27: the file ends in the middle of a line");
  check_only(text.substr(0, text.find(" EXIT")), "25: the file ends in the middle of a line");
}

TEST_CASE("Places, warps and masks that the launch does not have") {
  const std::string one = warp_text(0, {kExit});
  const std::string half = warp_text(1, {"0100 0000000f 0 EXIT 0 0 0 "});
  const std::string head = text_of({.grid = "(2,2,1)", .block = "(36,1,1)"});
  const auto blocks = [&](std::initializer_list<const char*> places) {
    std::string text = head;
    for (const char* place : places) text += block_text(place, one + half);
    return text;
  };
  CHECK(first_mistake(blocks({"0,0,0", "1,0,0", "0,1,0", "1,1,0"})).empty());
  CHECK(first_mistake(blocks({"1,1,0", "0,1,0", "1,0,0", "0,0,0"})).empty());
  check_only(blocks({"0,0,0", "0,1,0", "1,1,0"}),
             "59: block 1,0,0 is missing: there are 3 blocks of the 4 in the grid (2,2,1)");
  CHECK(first_mistake(blocks({"0,0,0", "2,0,0"})) == "34: block 2,0,0 is outside of the grid (2,2,1)");
  CHECK(first_mistake(blocks({"0,0,0", "1,1,0", "0,0,0"})) == "48: block 0,0,0 stands twice");
  CHECK(first_mistake(blocks({"0,0,0", "1,1,0", "1,1,0"})) == "48: block 1,1,0 stands twice");

  const std::string small = text_of({.block = "(36,1,1)"});
  const auto block = [&](const std::string& warps) { return small + block_text("0,0,0", warps); };
  check_only(block(one), "26: warp 1 of the block is missing: 36 threads are 2 warps");
  check_only(block(half), "26: warp 0 of the block is missing: 36 threads are 2 warps");
  check_only(block(one + half + half), "31: warp 1 of the block stands twice");
  check_only(block(one + half + warp_text(2, {kExit})),
             "31: there is no warp 2: a block of 36 threads has 2 warps");
  check_only(block(one + warp_text(1, {kExit})),
             "28: mask ffffffff has lanes that do not exist: warp 1 has threads in 0000000f");
  check_only(block(one + warp_text(1, {"0100 00000005 0 EXIT 0 0 0 "})),
             "30: threads 0000000a of warp 1 never exit");
  check_only(block(one + warp_text(1, {})), "29: threads 0000000f of warp 1 never exit");
  check_only(block(warp_text(0, {kMove}) + half), "26: threads ffffffff of warp 0 never exit");
}

TEST_CASE("A trace that is cut anywhere is refused") {
  const std::string text = text_of({.grid = "(2,1,1)"}) + block_text("0,0,0", warp_text(0, {kMove, kExit})) +
                           block_text("1,0,0", warp_text(0, {kExit}));
  const std::size_t whole = text.rfind("#END_TB\n") + 8;
  for (std::size_t size = 0; size < whole; ++size) {
    INFO(text.substr(0, size));
    CHECK_FALSE(first_mistake(text.substr(0, size)).empty());
    CHECK_FALSE(all_mistakes(text.substr(0, size)).empty());
  }
  CHECK(first_mistake(text.substr(0, whole)).empty());
}

TEST_CASE("A compressed trace that is cut is refused with line and byte") {
  const test::ScratchFolder folder;
  std::vector<std::string> lines;
  for (unsigned i = 0; i < 2000; ++i)
    lines.push_back(fmt::format("{:04x} ffffffff 1 R{} MOV 0 0 {} ", 16 * i, i % 200, i * i * 7919));
  const std::string text = one_warp({}, lines);
  for (const char* name : {"t.traceg.gz", "t.traceg.xz", "t.traceg.zst"}) {
    const std::string path = folder.path() + "/" + name;
    const auto sink = open_sink(path, compression_of(path));
    sink->write(text);
    sink->finish();
    CHECK(read_trace(path).lines.size() == 2001);
    std::stringstream whole;
    whole << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string cut = folder.write("cut", whole.str().substr(0, whole.str().size() / 2));
    const auto list = sim::refusal([&] { read_trace(cut); });
    REQUIRE(list.size() == 1);
    CHECK(list[0].where.line > 0);
    CHECK(list[0].message.find(fmt::format("ends too early (byte {} of the file)", whole.str().size() / 2)) !=
          std::string::npos);
    CHECK(all_mistakes_of(cut) == Mistakes{fmt::format("{}: {}", list[0].where.line, list[0].message)});
    // A mistake in the text says how far the file has been read.
    const auto bad = open_sink(path, compression_of(path));
    bad->write(with(text, "insts = 2001", "insts = 2000"));
    bad->finish();
    CHECK(all_mistakes_of(path).at(0).find("'insts' says (up to byte ") != std::string::npos);
  }
}

TEST_CASE("Endless lines, compressed to next to nothing, do not fill the memory") {
  const test::ScratchFolder folder;
  const std::string path = folder.path() + "/t.traceg.zst";
  const auto sink = open_sink(path, Compression::Zstd);
  sink->write(text_of({}) + "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n" + kMove + "\n");
  const std::string piece(1 << 20, 'f');
  for (int i = 0; i < 2100; ++i) sink->write(piece);
  sink->write("\n" + kExit + "\n\n#END_TB\n");
  sink->finish();
  CHECK(all_mistakes_of(path).size() == 1);
  CHECK(all_mistakes_of(path).at(0).starts_with("25: the line is longer than 1 MiB"));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#if defined(__SANITIZE_ADDRESS__)
  constexpr long kMost = 1900;  // which keeps for a while what all tests before this one have freed
#else
  constexpr long kMost = 1000;
#endif
  CHECK(usage.ru_maxrss < kMost * 1024);  // KiB; the line has 2100 MiB
}

}  // namespace heddle::trace
