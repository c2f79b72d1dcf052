// Containers of device code: those that nvcc made in each of its modes (fatbins/), and damaged ones.
#include "tools/cuda/image/fat_binary.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tests/support/catch.h"
#include "tools/cuda/runtime/image_text.h"

namespace heddle::image {

namespace {

const std::string kName = "code";

std::string container(const std::string& mode) {
  return read_file(HEDDLE_SOURCE_DIR "/tests/tools/cuda/fatbins/" + mode + ".fatbin");
}

std::string ptx_in(const std::string& bytes) {
  const auto all = fat_binaries(bytes, kName);
  REQUIRE(all.size() == 1);
  REQUIRE(all[0].size() == 1);
  CHECK(all[0][0].kind == CodeKind::Ptx);
  CHECK(all[0][0].capability == 75);
  return code_of(all[0][0]);
}

FatEntry code_of_capability(unsigned capability) {
  return {CodeKind::MachineCode, Packing::None, capability, cubin::ByteView("", kName), 0};
}

FatEntry ptx_of_capability(unsigned capability) {
  return {CodeKind::Ptx, Packing::None, capability, cubin::ByteView("", kName), 0};
}

}  // namespace

TEST_CASE("Containers hold the same PTX plain, packed by LZ4 and packed by zstd") {
  const std::string plain = ptx_in(container("none"));
  CHECK_THAT(plain, Catch::Contains(".visible .entry scale("));
  CHECK(plain.find('\0') == std::string::npos);
  CHECK(cudart::target_of(plain) == 75);
  CHECK(ptx_in(container("speed")) == plain);
  CHECK(ptx_in(container("size")) == plain);
}

TEST_CASE("Several containers stand one after the other, each aligned to 8 bytes") {
  const std::string both = container("speed") + std::string(16, '\0') + container("size");
  const auto all = fat_binaries(both, kName);
  REQUIRE(all.size() == 2);
  CHECK(code_of(all[0].front()) == code_of(all[1].front()));
  CHECK(fat_binary_at(both.data()) == container("speed"));
}

TEST_CASE("Containers that are cut off or damaged are refused, wherever it is") {
  for (const char* mode : {"speed", "size"}) {
    const std::string whole = container(mode);
    for (std::size_t bytes = 1; bytes < whole.size(); bytes += 7) {
      INFO(mode << ", the first " << bytes << " bytes");
      const std::string part = whole.substr(0, bytes);
      if (is_fat_binary(part)) CHECK_THROWS_AS(fat_binaries(part, kName), InputError);
    }
    // Packed bytes that differ hold something else, or nothing; nobody reads beyond them.
    const std::string plain = ptx_in(whole);
    for (std::size_t at = 96; at < whole.size() - 8; at += 13) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      std::string code;
      try {
        code = code_of(fat_binaries(damaged, kName)[0][0]);
      } catch (const InputError&) {
      }
      CHECK(code.size() <= plain.size() + 1);  // a zero may follow
    }
  }
}

TEST_CASE("Of several PTX the newest that the GPU can use is taken, or else the oldest") {
  const std::vector<FatEntry> entries = {
      ptx_of_capability(75),
      ptx_of_capability(90),
      ptx_of_capability(80),
      {CodeKind::MachineCode, Packing::None, 86, cubin::ByteView("", kName), 0}};
  CHECK(ptx_for(entries, 86)->capability == 80);
  CHECK(ptx_for(entries, 90)->capability == 90);
  CHECK(ptx_for(entries, 70)->capability == 75);
  CHECK(ptx_for({entries[3]}, 86) == nullptr);
}

TEST_CASE("Machine code runs on GPUs of its major number whose minor one is not below its own") {
  const std::vector<FatEntry> entries = {ptx_of_capability(75), code_of_capability(80),
                                         code_of_capability(86), code_of_capability(90)};
  const auto chosen = [&](unsigned capability) {
    const FatEntry* entry = machine_code_for(entries, capability);
    return entry != nullptr ? entry->capability : 0;
  };
  CHECK(chosen(75) == 0);
  CHECK(chosen(80) == 80);
  CHECK(chosen(86) == 86);
  CHECK(chosen(89) == 86);
  CHECK(chosen(90) == 90);
  CHECK(chosen(100) == 0);
}

}  // namespace heddle::image
