// Text by chance: it is read or refused with messages, and takes no more time than its length explains.
#include <chrono>
#include <filesystem>
#include <random>

#include "isa/base/read_file.h"
#include "tests/isa/ptx/reading.h"
#include "tests/support/seed.h"

namespace heddle::ptx {
namespace {

using namespace test;

const char* const kPieces[] = {".version 8.3\n",
                               ".target sm_90\n",
                               ".visible",
                               ".entry",
                               ".func",
                               ".extern",
                               ".global",
                               ".shared",
                               ".param",
                               ".reg",
                               ".b32",
                               ".u64",
                               ".f32",
                               ".v4",
                               ".align 8",
                               ".pred",
                               ".section .debug_str",
                               ".loc 1 2 3",
                               ", function_name",
                               ", inlined_at",
                               ".branchtargets",
                               ".callprototype",
                               ".calltargets",
                               ".pragma",
                               "\"text\"",
                               "\"open\n",
                               "k",
                               "x",
                               "%r",
                               "%r1",
                               "%p1",
                               "%tid",
                               ".x",
                               ".b0",
                               "L",
                               "L:",
                               "_",
                               "(",
                               ")",
                               "{",
                               "}",
                               "[",
                               "]",
                               "<",
                               ">",
                               "<99>",
                               "=",
                               ",",
                               ";",
                               ";\n",
                               "+",
                               "-",
                               "!",
                               "~",
                               "|",
                               "@",
                               "@!",
                               "*",
                               "/",
                               "%",
                               "?",
                               ":",
                               "0",
                               "7",
                               "0x1f",
                               "0f3f800000",
                               "1.5e3",
                               "18446744073709551616",
                               "4294967295",
                               "add",
                               ".s32",
                               "mov",
                               "ld",
                               "call",
                               "bra",
                               "brx.idx",
                               "ret",
                               "frob",
                               "mma.sync.aligned.m16n8k16",
                               "WARP_SZ",
                               "generic(",
                               "/*",
                               "*/",
                               "//",
                               "\n#",
                               "\n",
                               " ",
                               "\x80"};

/// Modules with a little of everything.
std::vector<std::string> read_corpus() {
  std::vector<std::string> corpus;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/tests/fuzz/ptx_corpus")) {
    corpus.push_back(read_file(entry.path()));
  }
  REQUIRE(corpus.size() > 1);
  return corpus;
}

/// Whether it was read. Refusals have messages with places.
bool read_or_refuse(const std::string& text) {
  try {
    read_module(text, "k.ptx");
    return true;
  } catch (const InputError& error) {
    CHECK_FALSE(error.list().empty());
    for (const Diagnostic& each : error.list()) CHECK_FALSE(each.message.empty());
    return false;
  }
}

TEST_CASE("PTX: pieces in any order are read or refused") {
  const std::uint32_t seed = heddle::test::drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 == 0 ? ".version 8.3\n.entry k() { .reg .b32 %r<9>;\n" : "";
    const std::size_t pieces = random() % 80;
    for (std::size_t n = 0; n < pieces; ++n) {
      text += kPieces[random() % std::size(kPieces)];
      if (random() % 2 == 0) text += ' ';
    }
    read_or_refuse(text);
  }
}

TEST_CASE("PTX: a file that was changed by chance is read or refused") {
  const std::vector<std::string> corpus = read_corpus();
  for (const std::string& each : corpus) CHECK(read_or_refuse(each));
  const std::uint32_t seed = heddle::test::drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::string text = corpus[random() % corpus.size()];
    for (std::size_t changes = 1 + random() % 5; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        default:
          text.insert(at, kPieces[random() % std::size(kPieces)]);
      }
    }
    read_or_refuse(text);
  }
}

double seconds_for(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  read_or_refuse(text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string repeated(const std::string& before, const std::string& piece, std::size_t times,
                     const std::string& after) {
  std::string text = before;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text + after;
}

TEST_CASE("PTX: time grows with the text, not with its square") {
  struct Shape {
    std::string before;
    std::string piece;
    std::string after;
  };
  const std::string open = std::string(kHead) + ".entry k() { .reg .b32 %r<9>; ";
  const Shape shapes[] = {
      {open, "add.s32 %r1, %r2, %r3;\n", "}"},
      {open, "{ bra L;", "L: }"},
      {open, "{ .reg .b64 %r<9>; ", ""},
      {open, ".loc 1 2 3, function_name a, inlined_at 1 2 3\n", "}"},
      {open, "zog {{;", "}"},
      {open, "a1", ": }"},
      {open + "mov.b32 %r", "1", ", 2; }"},
      {std::string(kHead) + ".global .u8 x[] = {", "0,", "1};"},
      {std::string(kHead) + ".global .u8 x = ", "1+", "1;"},
      {kHead, "\n#", ""},
      {kHead, "/* \n", ""},
  };
  for (const Shape& shape : shapes) {
    INFO(shape.piece);
    constexpr std::size_t kFew = 20000;
    constexpr std::size_t kTimes = 8;
    const double few = seconds_for(repeated(shape.before, shape.piece, kFew, shape.after));
    const double many = seconds_for(repeated(shape.before, shape.piece, kTimes * kFew, shape.after));
    // A square would take 64 times as long. The constant is for machines that are busy with other work.
    CHECK(many < 25 * few + 0.25);
  }
}

}  // namespace
}  // namespace heddle::ptx
