// Machine code as files. tests/isa/cubins has what nvcc 13.0 -cubin -arch=sm_NN makes of
// tests/isa/dumps/kernels.cu; what is expected is what cuobjdump -res-usage and ptxas -v print of the same,
// and what the C++ ABI says of parameters.
#include "isa/cubin/image.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <random>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "isa/cubin/attributes.h"
#include "isa/cubin/decoder.h"
#include "isa/cubin/link.h"
#include "isa/cubin/listing.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::cubin {
namespace {

std::string bytes_of(unsigned capability, const std::string& name = "kernels") {
  return read_file(HEDDLE_SOURCE_DIR "/tests/isa/cubins/" + name + '.' + std::to_string(capability) +
                   ".cubin");
}

Image image_of(unsigned capability) { return read_image(bytes_of(capability), "kernels.cubin"); }

const Function& function(const Image& image, const std::string& name) {
  const auto found = std::find_if(image.functions.begin(), image.functions.end(),
                                  [&](const Function& each) { return each.name == name; });
  REQUIRE(found != image.functions.end());
  return *found;
}

std::string refusal(const std::string& bytes) {
  try {
    read_image(bytes, "x.cubin");
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

constexpr const char* kSaxpy = "_Z5saxpyifPKfPf";
constexpr const char* kReversed = "_Z8reversedPf";

struct Usage {
  unsigned capability;
  std::vector<unsigned>
      registers;  // of mixed, saxpy, steps, reversed, quotients: in the order of their names
  std::uint32_t param_base;
  std::uint32_t reserved;
};

TEST_CASE("a cubin tells registers, barriers, shared memory and code of each function") {
  const std::vector<Usage> all = {{75, {10, 10, 10, 10, 14}, 0x160, 0},
                                  {80, {12, 10, 10, 10, 15}, 0x160, 0},
                                  {90, {14, 10, 10, 10, 16}, 0x210, 1024}};
  for (const Usage& usage : all) {
    INFO(usage.capability);
    const Image image = image_of(usage.capability);
    CHECK(image.capability == usage.capability);
    REQUIRE(image.functions.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      const Function& each = image.functions[i];
      INFO(each.name);
      CHECK(each.is_entry);
      CHECK(each.registers == usage.registers[i]);
      CHECK(each.param_base == usage.param_base);
      CHECK(each.barriers == (each.name == kReversed ? 1U : 0U));
      CHECK(each.shared_bytes == (each.name == kReversed ? 128 * sizeof(float) : 0));
      CHECK(each.reserved_shared_bytes == (each.name == kReversed ? usage.reserved : 0));
      CHECK(each.frame_bytes == 0);
      CHECK(!each.code.empty());
      CHECK(each.code.size() % 8 == 0);  // code is aligned to 128 bytes
    }
  }
}

TEST_CASE("parameters lie where the C++ ABI has them") {
  for (const unsigned capability : {75U, 80U, 90U}) {
    INFO(capability);
    const Image image = image_of(capability);
    const auto slots = [&](const char* name) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> made;
      for (const ir::ParamSlot& slot : function(image, name).params)
        made.emplace_back(slot.offset, slot.bytes);
      return made;
    };
    using Slots = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    CHECK(slots(kSaxpy) == Slots{{0, 4}, {4, 4}, {8, 8}, {16, 8}});
    CHECK(slots("_Z5mixedc5MixedsPd") == Slots{{0, 1}, {8, 24}, {32, 2}, {40, 8}});
    CHECK(function(image, kSaxpy).param_bytes == 24);
  }
}

TEST_CASE("a file that is no machine code for a GPU is told from one that is") {
  CHECK(is_cubin(bytes_of(80)));
  std::string host = bytes_of(80);
  host[18] = 62;  // x86-64
  CHECK(!is_cubin(host));
  CHECK(refusal(host).find("ELF code for machine 62") != std::string::npos);
  CHECK(!is_cubin(".version 8.0"));
  CHECK(refusal("MZ").find("no ELF file") != std::string::npos);
}

// The lines are those of lines.cu; readelf --debug-dump=decodedline prints the same.
TEST_CASE("a cubin with a line table tells where each instruction is from, also one of an inlined function") {
  for (const unsigned capability : {80U, 90U}) {
    INFO(capability);
    const Image image = read_image(bytes_of(capability, "lines"), "lines.cubin");
    REQUIRE(image.files.size() == 1);
    CHECK(image.files[0] == "/tmp/cubins/lines.cu");
    REQUIRE(image.functions.size() == 1);
    const Function& lines = image.functions[0];
    REQUIRE(lines.places.size() == lines.code.size());
    const Decoder decoder(capability);
    const std::map<std::string, std::uint32_t> expected = {
        {"LDG", 7}, {"FADD", 3}, {"STG", 10}, {"EXIT", 11}};
    std::size_t found = 0;
    for (std::size_t i = 0; i < lines.code.size(); ++i) {
      const std::string text = decoder.decode(lines.code[i], i * ir::kInstructionBytes).value_or("");
      const auto line = expected.find(text.substr(0, text.find_first_of(". ;")));
      if (line == expected.end()) continue;
      INFO(text);
      CHECK(lines.places[i].file == 0);
      CHECK(lines.places[i].line == line->second);
      ++found;
    }
    CHECK(found == expected.size());
  }
  CHECK(image_of(80).files.empty());
  CHECK(image_of(80).functions[0].places.empty());
}

TEST_CASE("a kernel that asks for clusters of several blocks is refused by name, and only that one") {
  // EIATTR_CTA_PER_CLUSTER as ptxas 13.0 writes it for __cluster_dims__(2, 1, 4), behind the parameters' bank.
  const std::string record("\x04\x0a\x08\x00\x0b\x00\x00\x00\x10\x02\x08\x00\x04\x3d\x0c\x00\x02\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00", 28);
  const std::string file = "x.cubin";
  Image image = image_of(90);
  REQUIRE(list_image(image, file).refusals[0].empty());
  read_attributes(ByteView(record, file), image.functions[0]);
  CHECK(image.functions[0].param_base == 0x210);
  CHECK(image.functions[0].cluster == Dim3{2, 1, 4});
  const Listing listing = list_image(image, file);
  REQUIRE(listing.refusals[0].size() == 1);
  CHECK(listing.refusals[0][0].message.find("clusters of 2 x 1 x 4 blocks") != std::string::npos);
  CHECK(listing.refusals[1].empty());
}

TEST_CASE("what has no code in the file stays open when functions are linked, and is refused by name") {
  Image image = image_of(80);
  for (const char* name : {"vprintf", "nobody", "_Z8reversedPf"}) {
    image.functions[0].relocations = {{0x10, 0x3a, name, 0}};
    Image linked = image;
    link_functions(linked);
    REQUIRE(linked.functions[0].relocations.size() == 1);
    const Listing listing = list_image(linked, "x.cubin");
    REQUIRE(listing.refusals[0].size() == 1);
    CHECK(listing.refusals[0][0].message.find(std::string("the address of '") + name + "' is left open") !=
          std::string::npos);
  }
}

TEST_CASE("a file tells which functions without code each kernel calls") {
  using Names = std::vector<std::string>;
  const std::map<std::string, Names> expected = {
      {"prints", {"vprintf"}}, {"asserts", {"__assertfail"}}, {"takes", {"malloc", "free"}}, {"chooses", {}}};
  for (const unsigned capability : {80U, 90U}) {
    for (const char* name : {"calls", "calls_rdc"}) {
      const Image image = read_image(bytes_of(capability, name), "calls.cubin");
      for (const auto& [kernel, names] : expected) {
        INFO(name << ' ' << capability << ' ' << kernel);
        Names called = function(image, kernel).called;
        std::sort(called.begin(), called.end(), std::greater<>());
        CHECK(called == names);
      }
    }
  }
}

TEST_CASE(
    "functions have the same addresses in all kernels, behind the longest one, and pointers hold them") {
  Image image = read_image(bytes_of(80, "calls_rdc"), "calls.cubin");
  std::uint64_t longest = 0;
  for (const Function& each : image.functions)
    if (each.is_entry) longest = std::max(longest, each.code.size() * ir::kInstructionBytes);
  link_functions(image);
  const Function& chooses = function(image, "chooses");
  REQUIRE(chooses.linked.size() == 5);  // three areas, twice and negative
  std::vector<std::uint64_t> addresses;
  for (const LinkedCode& each : chooses.linked) {
    CHECK(each.address >= longest);
    addresses.push_back(each.address);
  }
  const auto variable = std::find_if(image.all_variables.begin(), image.all_variables.end(),
                                     [](const ir::Variable& each) { return each.name == "functions"; });
  REQUIRE(variable != image.all_variables.end());
  REQUIRE(variable->data.size() == 16);
  std::uint64_t held[2];
  std::memcpy(held, variable->data.data(), sizeof held);
  CHECK(held[0] != held[1]);
  for (const std::uint64_t each : held)
    CHECK(std::find(addresses.begin(), addresses.end(), each) != addresses.end());
}

TEST_CASE("a call through a register of what nobody has is refused by name, and only where it may be meant") {
  Image image = read_image(bytes_of(80, "calls"), "calls.cubin");
  for (Function& each : image.functions)
    if (each.name == "prints") each.called.emplace_back("cudaLaunchDeviceV2");
  image.system_functions = {{"vprintf", {}, 0, 0}, {"malloc", {}, 0, 0}, {"free", {}, 0, 0}};
  link_functions(image);
  const Listing listing = list_image(image, "calls.cubin");
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    const std::string& name = image.functions[i].name;
    INFO(name);
    if (name == "chooses" || name == "takes") {
      CHECK(listing.refusals[i].empty());
      continue;
    }
    REQUIRE(listing.refusals[i].size() == 1);
    const std::string unknown = name == "prints" ? "cudaLaunchDeviceV2" : "__assertfail";
    CHECK(listing.refusals[i][0].message.find("a call through a register of " + unknown + ",") !=
          std::string::npos);
  }
}

TEST_CASE("damaged line tables are read or refused") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  const std::string whole = bytes_of(90, "lines");
  const std::size_t table = whole.find("lines.cu", whole.find("/tmp/cubins"));
  REQUIRE(table != std::string::npos);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    constexpr std::size_t kInFront = 80, kBytes = 200;
    for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes)
      damaged[table - kInFront + random() % kBytes] = static_cast<char>(random());
    try {
      const Image image = read_image(damaged, "damaged.cubin");
      CHECK(image.functions.size() == 1);
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find("damaged.cubin") == 0);
    }
  }
}

TEST_CASE("a file that is cut off is refused with the offset where it goes on") {
  const std::string whole = bytes_of(80);
  CHECK(refusal(whole.substr(0, 40)).find("at offset 0x0: the header of 64 bytes goes beyond") !=
        std::string::npos);
  constexpr std::size_t kProgramHeaders = 4 * std::size_t{56};  // come last; nobody reads them
  for (std::size_t bytes = 0; bytes < whole.size() - kProgramHeaders; bytes += 61) {
    INFO(bytes);
    CHECK(refusal(whole.substr(0, bytes)).find("at offset 0x") != std::string::npos);
  }
}

TEST_CASE("damaged cubins are read or refused") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  const std::string whole = bytes_of(90);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes) {
      // Headers, names and attributes are less than half of the file; half of the changes fall on the table
      // of sections.
      const std::size_t table = static_cast<std::size_t>(0x2fd8);
      const std::size_t at =
          random() % 2 == 0 ? random() % damaged.size() : table + random() % (damaged.size() - table);
      damaged[at] = static_cast<char>(random());
    }
    try {
      const Image image = read_image(damaged, "damaged.cubin");
      CHECK(!image.functions.empty());
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find("damaged.cubin") == 0);
    }
  }
}

}  // namespace
}  // namespace heddle::cubin
