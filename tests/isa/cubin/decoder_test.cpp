// Decoding against nvdisasm. tests/isa/cubin/corpus has encodings with the text that cuobjdump -sass (13.5)
// prints of them, without the control codes: two of each form of an instruction that nvcc 13.0 makes of this
// repository's kernels, and one of each mnemonic that it makes of public suites, and of kernels with rare
// instructions, for 7.5 to 12.0. tools/compare_sass.sh counts the agreement over all of them.
#include "isa/cubin/decoder.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "isa/cubin/listing.h"
#include "isa/text/assemble.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::cubin {
namespace {

const std::string kCorpus = HEDDLE_SOURCE_DIR "/tests/isa/cubin/corpus/";

struct Known {
  Encoding encoding;
  std::uint64_t address = 0;
  std::string text;
};

/// Lines such as "000fe40000000f00 00000a00ff017624 0 MOV R1, c[0x0][0x28]": bits 64 to 127 without the
/// control codes, bits 0 to 63, the address, the text.
std::vector<Known> corpus(unsigned capability) {
  std::vector<Known> all;
  std::ifstream file(kCorpus + std::to_string(capability) + ".txt");
  REQUIRE(file.good());
  for (std::string line; std::getline(file, line);) {
    Known known;
    std::istringstream words(line);
    words >> std::hex >> known.encoding[1] >> known.encoding[0] >> known.address;
    words.get();
    std::getline(words, known.text);
    all.push_back(known);
  }
  return all;
}

TEST_CASE("instructions decode to the text that nvdisasm prints, to the letter") {
  for (const unsigned capability : {75U, 80U, 86U, 89U, 90U, 100U, 120U}) {
    const Decoder decoder(capability);
    const std::vector<Known> all = corpus(capability);
    CHECK(all.size() > 300);
    for (const Known& known : all) {
      INFO(capability << " " << to_text(known.encoding));
      CHECK(decoder.decode(known.encoding, known.address).value_or("not known") == known.text);
    }
  }
}

TEST_CASE("the control codes of an instruction are read, whatever the instruction is") {
  // 0x001fc800078e00ff of nvdisasm -hex: bits 105 to 108 are 4, 109 is 0, 110 to 115 are set, 116 is set.
  const ir::ControlCode control = control_of({0x00000a00ff017624, 0x001fc800078e00ff});
  CHECK(control == ir::ControlCode{.is_given = true, .yield = true, .stall = 4, .wait_mask = 1});
  CHECK(to_text(control) == "B0-----:R-:W-:Y:S04");
  // S2R R10, SR_TID.X writes barrier 0; the next instructions wait for it.
  CHECK(to_text(control_of({0x00000000000a7919, 0x000e220000002100})) == "B------:R-:W0:-:S01");
  for (unsigned i = 0; i < 6; ++i)
    CHECK(control_of({0, std::uint64_t{1} << (116 - 64 + i)}).wait_mask == 1U << i);
}

TEST_CASE("a bit whose meaning is not known makes an encoding unknown") {
  const Decoder decoder(80);
  const Encoding ffma = {0x0000000606087223, 0x000fca0000000009};
  CHECK(decoder.decode(ffma, 0) == "FFMA R8, R6, R6, R9");
  CHECK(decoder.decode({ffma[0], ffma[1] | std::uint64_t{1} << (80 - 64)}, 0) == "FFMA.FTZ R8, R6, R6, R9");
  CHECK_FALSE(decoder.decode({ffma[0] | std::uint64_t{1} << 45, ffma[1]}, 0));
  CHECK_FALSE(decoder.decode({ffma[0], ffma[1] | std::uint64_t{1} << (100 - 64)}, 0));
  CHECK_FALSE(decoder.decode({0, 0}, 0));
}

TEST_CASE("random encodings are decoded or not known, and never end the program") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  const std::vector<Known> all = corpus(80);
  for (const unsigned capability : {75U, 80U, 90U, 120U}) {
    const Decoder decoder(capability);
    for (int i = 0; i < 20000; ++i) {
      Encoding encoding = all[random() % all.size()].encoding;
      for (std::uint64_t flips = random() % 4; flips > 0; --flips) {
        const std::uint64_t bit = random() % 128;
        encoding[bit / 64] ^= std::uint64_t{1} << (bit % 64);
      }
      if (random() % 8 == 0) encoding = {random(), random()};
      const auto text = decoder.decode(encoding, 0x100);
      if (text) CHECK(!text->empty());
    }
  }
}

TEST_CASE("a listing is read as a disassembly, with what the cubin says of each kernel") {
  const std::string file = HEDDLE_SOURCE_DIR "/tests/isa/cubins/kernels.80.cubin";
  const Image image = read_image(read_file(file), file);
  const Listing listing = list_image(image, file);
  for (const auto& mistakes : listing.mistakes) CHECK(mistakes.empty());
  const text::ModuleText read = text::read_module(listing.text, "listing");
  // The same kernels as nvdisasm prints them.
  const text::ModuleText printed =
      text::read_module_file(HEDDLE_SOURCE_DIR "/tests/isa/dumps/80.nvdisasm.sass");
  REQUIRE(read.module.functions.size() == printed.module.functions.size());
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    const ir::Kernel& kernel = read.module.functions[i];
    INFO(kernel.name);
    CHECK(read.mistakes[i].empty());
    CHECK(kernel.compute_capability == 80);
    CHECK(kernel.registers == image.functions[i].registers);
    CHECK(kernel.static_shared_bytes == image.functions[i].shared_bytes);
    CHECK(kernel.param_slots.size() == image.functions[i].params.size());
    for (const ir::Kernel& other : printed.module.functions) {
      if (other.name != kernel.name) continue;
      REQUIRE(kernel.instructions.size() == other.instructions.size());
      for (std::size_t pc = 0; pc < kernel.instructions.size(); ++pc) {
        INFO(pc);
        CHECK(kernel.instructions[pc].opcode == other.instructions[pc].opcode);
        CHECK(kernel.instructions[pc].operands == other.instructions[pc].operands);
      }
    }
  }
}

TEST_CASE("an unknown instruction is named with its kernel, address and encoding") {
  Image image;
  image.capability = 80;
  image.functions.resize(1);
  image.functions[0].name = "k";
  image.functions[0].code = {{0x000000000000794d, 0x000fea0003800000}, {0x1234, 0x5678}};
  const Listing listing = list_image(image, "a.cubin");
  REQUIRE(listing.mistakes.size() == 1);
  REQUIRE(listing.mistakes[0].size() == 1);
  CHECK(
      to_text(listing.mistakes[0][0]) ==
      "a.cubin: error: kernel 'k', address 0x0010: no instruction is known for the encoding 0x0000000000005678 "
      "0x0000000000001234\n");
}

}  // namespace
}  // namespace heddle::cubin
