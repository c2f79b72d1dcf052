// Tables of configurations.
#include "tools/occupancy/batch.h"

#include <fmt/format.h>

#include <ctime>
#include <random>
#include <sstream>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"

namespace heddle::occupancy {

namespace {

Question defaults() {
  Question question;
  question.device = device_of_version("9.0");
  question.resources.block = {256, 1, 1};
  return question;
}

Device no_device(const std::string& name) { throw InputError({}, "no GPU '" + name + "'"); }

std::string answered(std::string_view csv, const Question& question = defaults()) {
  return answer_batch(csv, "t.csv", question, no_device);
}

std::string refusal(std::string_view csv, const Question& question = defaults()) {
  try {
    answered(csv, question);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

constexpr std::string_view kAnswers = ",blocks_per_sm,warps_per_sm,occupancy,limiters,refused\n";

}  // namespace

TEST_CASE("a batch hands its rows back with their occupancy") {
  CHECK(answered("cc,block,regs,dynamic_smem\n"
                 "8.6,256,40,8192\n"
                 "sm_90a, 16x16 ,40,0\r\n"
                 "\n"
                 "9.0,32,8,12288") == fmt::format("cc,block,regs,dynamic_smem{}"
                                                  "8.6,256,40,8192,6,48,1,warps registers,\n"
                                                  "sm_90a, 16x16 ,40,0,6,48,0.75,registers,\n"
                                                  "9.0,32,8,12288,17,17,0.265625,shared,\n",
                                                  kAnswers));
}

TEST_CASE("what a batch does not say is as on the command line") {
  Question question = defaults();
  question.resources.registers_per_thread = 40;
  CHECK(answered("name,smem\n\"a, b\",\nc,12288\n", question) ==
        fmt::format("name,smem{}\"a, b\",,6,48,0.75,registers,\nc,12288,6,48,0.75,registers,\n", kAnswers));
  CHECK(answered("smem\n40960\n40KiB\n", question) ==
        fmt::format("smem{}40960,5,40,0.625,shared,\n40KiB,5,40,0.625,shared,\n", kAnswers));
}

TEST_CASE("a row that cannot run has no blocks and says why") {
  const std::string text = answered("block,regs\n1024,65\n0,1\n");
  CHECK(text.find(
            "1024,65,0,0,0,registers,\"a block of 32 warps with 65 registers a thread takes 73728 registers; "
            "at most 65536 (occupancy.registers_per_block)\"\n") != std::string::npos);
  CHECK(text.find("0,1,0,0,0,warps,\"a block of 0 x 1 x 1 has no threads; it needs at least 1\"\n") !=
        std::string::npos);
}

TEST_CASE("carve-outs, barriers and GPUs by name are taken") {
  const auto find = [](const std::string& name) {
    Device device = device_of_version(name == "old" ? "7.0" : "10.3");
    return device;
  };
  CHECK(answer_batch("gpu,carveout,dynamic_smem,barriers\nnew,50,32768,1\nold,,0,16\nnew,,0,16\n", "t.csv",
                     defaults(), find) == fmt::format("gpu,carveout,dynamic_smem,barriers{}"
                                                      "new,50,32768,1,4,32,0.5,shared,\n"
                                                      "old,,0,16,8,64,1,warps,\n"
                                                      "new,,0,16,4,32,0.5,barriers,\n",
                                                      kAnswers));
}

TEST_CASE("mistakes of a batch are told with line and column, all at once") {
  const std::string text = refusal(
      "cc,block,regs\n"
      "8.4,256,1\n"
      "8.6,16y,1\n"
      "8.6,16x16x16x16,1\n"
      "8.6,256,-1\n"
      "8.6,256\n");
  CHECK(text.find("t.csv:2:1: error: the limits of compute capability '8.4' are not known") !=
        std::string::npos);
  CHECK(text.find("t.csv:3:5: error: '16y' is no block size") != std::string::npos);
  CHECK(text.find("t.csv:4:5: error: '16x16x16x16' is no block size") != std::string::npos);
  CHECK(text.find("t.csv:5:9: error: '-1' must be a whole number") != std::string::npos);
  CHECK(refusal("cc,block,smem\n8.6,256,8 kilo\n")
            .find("t.csv:2:9: error: '8 kilo' must be a number of bytes, or of KiB as 8KiB") !=
        std::string::npos);
  CHECK(text.find("t.csv:6:1: error: 2 cells, but there are 3 columns") != std::string::npos);
  CHECK(refusal("cc,block,regs,registers\n")
            .find("t.csv:1:15: error: column 'registers' says what 'regs' has said") != std::string::npos);
  CHECK(
      refusal("cc,block,gpu\n8.6,128,h100\n").find("t.csv:2:9: error: 'gpu' and 'cc' name the GPU twice") !=
      std::string::npos);
  CHECK(refusal("cc,reg\n").find("t.csv:1:4: error: unknown column 'reg'; did you mean 'regs'?") !=
        std::string::npos);
  CHECK(refusal("").find("no line with the names of the columns") != std::string::npos);
  CHECK(refusal("gpu\nx\n").find("t.csv:2:1: error: no GPU 'x'") != std::string::npos);
  Question question = defaults();
  question.has_block = false;
  CHECK(refusal("regs\n1\n", question).find("there is no column 'block'") != std::string::npos);
  CHECK(refusal("block,regs\n,1\n", question).find("t.csv:2:1: error: no block size") != std::string::npos);
}

TEST_CASE("a batch says what occupancy_of says, and 100,000 rows take less than a second") {
  const std::uint32_t seed = 12;
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
  const Device devices[] = {device_of_version("7.5"), device_of_version("8.6"), device_of_version("9.0")};
  constexpr int kRows = 100'000;
  std::string csv = "cc,block,regs,smem,dynamic_smem\n";
  std::vector<sim::Occupancy> expected;
  for (int i = 0; i < kRows; ++i) {
    const Device& device = devices[below(3)];
    sim::KernelResources kernel;
    kernel.block.x = 1 + below(1024);
    kernel.registers_per_thread = below(200);
    kernel.static_shared = below(2048);
    kernel.dynamic_shared = below(40'000);
    csv += fmt::format("{},{},{},{},{}\n", device.compute_capability, kernel.block.x,
                       kernel.registers_per_thread, kernel.static_shared, kernel.dynamic_shared);
    expected.push_back(sim::occupancy_of(device.limits, kernel));
  }
  const std::clock_t start = std::clock();
  const std::string text = answered(csv);
  [[maybe_unused]] const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
#ifdef NDEBUG  // sanitizers and debug builds are slower
  CHECK(seconds < 1);
#endif
  std::istringstream rows(text);
  std::string row;
  std::getline(rows, row);
  for (const sim::Occupancy& occupancy : expected) {
    REQUIRE(std::getline(rows, row));
    const std::string figures =
        fmt::format(",{},{},{},", occupancy.blocks_per_sm, occupancy.warps_per_sm, occupancy.occupancy);
    if (row.find(figures) == std::string::npos) FAIL("seed " << seed << ": " << row << " lacks " << figures);
  }
}

}  // namespace heddle::occupancy
