// Answers, their arithmetic as text, and their figures as JSON.
#include <nlohmann/json.hpp>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tools/occupancy/curves.h"
#include "tools/occupancy/explain.h"
#include "tools/occupancy/reports.h"
#include "tools/report/render_text.h"
#include "tools/report/text_columns.h"

namespace heddle::occupancy {

namespace {

Question question_of(std::string_view version, std::uint32_t threads, std::uint32_t registers,
                     std::uint32_t shared = 0) {
  Question question;
  question.device = device_of_version(version);
  question.resources.block = {threads, 1, 1};
  question.resources.registers_per_thread = registers;
  question.resources.static_shared = shared;
  return question;
}

std::string explained(const Question& question) { return to_text(explain(answer(question))); }

/// Wherever lines are broken.
std::string on_one_line(const std::string& text) {
  std::string joined;
  for (const char c : text) {
    const bool is_blank = c == '\n' || c == ' ';
    if (!is_blank) joined += c;
    if (is_blank && !joined.empty() && joined.back() != ' ') joined += ' ';
  }
  return joined;
}

void check_says(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  CHECK(on_one_line(text).find(on_one_line(part)) != std::string::npos);
}

std::string refusal(const Question& question) {
  try {
    answer(question);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("12 KiB blocks on 9.0 are 19 by the book and 17 in hardware, for the reserved KiB") {
  const std::string text = explained(question_of("9.0", 32, 8, 12288));
  check_says(text, "12,288 bytes + 1,024 reserved by the system = 13,312");
  check_says(text, "233,472 / 13,312 = 17.54, so 17");
  check_says(text, "17 blocks x 1 warp = 17 of 64 warps = 26.6 %");
  check_says(text, "233,472 / 12,288 = 19 blocks; x 1 warp = 19 warps");
  check_says(text, "19 of 64 warps = 29.7 %");
  check_says(text, "the system reserves 1,024 bytes of shared memory for each block");
}

TEST_CASE("40 registers on 9.0 are 51 warps by the book and 48 in hardware, for whole warps in each pool") {
  for (const std::uint32_t threads : {128u, 256u, 512u}) {
    CAPTURE(threads);
    const std::string text = explained(question_of("9.0", threads, 40, threads == 256 ? 8192 : 0));
    check_says(text, "65,536 in 4 pools of 16,384; / 1,280 = 12.80, so 12 warps in each, 48 in all");
    check_says(text, "= 48 of 64 warps = 75.0 %, limited by registers");
    check_says(text, "65,536 / (40 x 32) = 51.20, so 51 warps");
    check_says(text, "51 of 64 warps = 79.7 %");
    check_says(text, "48 warps, not 51");
    check_says(text, "51 warps are no whole number of blocks of " + std::to_string(threads / 32) + " warps");
  }
}

TEST_CASE("each rule that the textbook leaves out is named where it counts") {
  check_says(explained(question_of("7.0", 320, 37)),
             "a warp's 1,184 registers are allocated in units of 256: 1,280");
  check_says(explained(question_of("7.0", 320, 37)),
             "blocks come whole: 48 warps have room for 4 blocks of 10 warps");
  check_says(explained(question_of("8.6", 1024, 16)),
             "blocks come whole: 48 warp slots hold 1 block of 32 warps");
  check_says(explained(question_of("9.0", 64, 16, 6500)),
             "allocated in units of 128 bytes: 7,552 for each block");
  Question question = question_of("9.0", 256, 16, 32768);
  question.resources.carveout_percent = 25;
  check_says(explained(question), "a carve-out of 25 % of 233,472 is 64 KiB: 65,536 / 33,792 = 1.94, so 1");
  check_says(explained(question), "the carve-out leaves 64 KiB of 228 KiB for shared memory");
  question = question_of("9.0", 64, 16);
  question.resources.barriers = 16;
  check_says(explained(question), "the formula knows nothing of named barriers");
  question = question_of("6.1", 352, 16);
  question.resources.caching = sim::PartitionedCaching::Forced;
  check_says(explained(question), "32 in each half of the SM, / 11 = 2.91, so 2; x 2 = 4");
  CHECK(explained(question_of("8.0", 256, 32)).ends_with("Both agree.\n"));
}

TEST_CASE("where hardware holds less than the book says, a reason is given, whatever the kernel") {
  for (const char* version : {"5.2", "6.0", "7.5", "8.0", "8.6", "9.0", "12.0"}) {
    for (std::uint32_t threads = 32; threads <= 1024; threads += 96) {
      for (std::uint32_t registers = 0; registers <= 64; registers += 3) {
        for (const std::uint32_t shared : {0u, 100u, 5000u, 20000u}) {
          const Answer found = answer(question_of(version, threads, registers, shared));
          CAPTURE(version, threads, registers, shared);
          REQUIRE(found.occupancy.warps_per_sm <= found.textbook.warps);
          REQUIRE(explain(found).differences.empty() ==
                  (found.occupancy.warps_per_sm == found.textbook.warps));
        }
      }
    }
  }
}

TEST_CASE("JSON has the figures under the keys that programs rely on") {
  Question question = question_of("9.0", 256, 40, 8192);
  question.grid = Dim3{1000, 1, 1};
  const nlohmann::ordered_json object = to_object(answer(question));
  CHECK(object["schema_version"] == 1);
  CHECK(object["blocks_per_sm"] == 6);
  CHECK(object["warps_per_sm"] == 48);
  CHECK(object["occupancy"] == 0.75);
  CHECK(object["limiters"] == nlohmann::ordered_json({"registers"}));
  CHECK(object["limits"]["blocks"] == 32);
  CHECK(object["limits"]["registers"] == 6);
  CHECK(object["limits"]["shared"] == 25);
  CHECK(object["limits"]["warps"] == 8);
  CHECK(object["limits"]["barriers"] == 64);
  CHECK(object["limits"]["virtual"].is_null());
  // 65536 - 6 x 10240; 233472 - 6 x 9216; 64 - 48; 64 - 6.
  CHECK(object["left_over"]["registers"] == 4096);
  CHECK(object["left_over"]["shared"] == 178176);
  CHECK(object["left_over"]["warps"] == 16);
  CHECK(object["left_over"]["barriers"] == 58);
  CHECK(object["textbook"]["warps_per_sm"] == 51);
  // 132 SMs of 6 blocks are 792; 1000 - 792.
  CHECK(object["grid"]["blocks_per_wave"] == 792);
  CHECK(object["grid"]["full_waves"] == 1);
  CHECK(object["grid"]["tail_blocks"] == 208);
  CHECK(object["grid"]["tail_efficiency"] == Approx(1000.0 / 1584));
}

TEST_CASE("limiting factors are those of NVIDIA's header, limiters those that bind") {
  Question question = question_of("9.0", 256, 16);
  question.resources.barriers = 16;
  const nlohmann::ordered_json object = to_object(answer(question));
  CHECK(object["limiters"] == nlohmann::ordered_json({"barriers"}));
  CHECK(object["limiting_factors"] == nlohmann::ordered_json({"warps", "barriers"}));
}

TEST_CASE("clusters are counted on the whole GPU, and refused where they cannot be") {
  Question question = question_of("9.0", 1024, 64);
  question.cluster = Dim3{4, 1, 1};
  question.grid = Dim3{64, 1, 1};
  const Answer found = answer(question);
  REQUIRE(found.clusters);
  CHECK(found.clusters->max_active_clusters == 32);
  CHECK(found.grid->blocks_per_wave == 128);
  CHECK(found.clusters->is_portable);
  question.grid = Dim3{63, 1, 1};
  check_says(refusal(question), "no whole number of clusters");
  question.grid.reset();
  question.cluster = Dim3{17, 1, 1};
  check_says(refusal(question), "a cluster of 17 blocks is larger than this GPU takes: at most 16");
  question.cluster = Dim3{0x80000000, 2, 1};  // of 2^32 blocks
  check_says(refusal(question), "a cluster of 2147483648 blocks is larger");
  question.grid = Dim3{0x80000000, 0x80000000, 4};  // of 2^64 blocks
  check_says(refusal(question), "a grid of 2147483648 x 2147483648 x 4 blocks is too large");
  question.grid.reset();
  question.cluster = Dim3{4, 4, 1};
  CHECK_FALSE(answer(question).clusters->is_portable);
  question.device = device_of_version("8.6");
  check_says(refusal(question), "clusters need compute capability 9.0 or later");
  check_says(refusal(question_of("9.0", 1024, 65)), "takes 73728 registers");
}

TEST_CASE("a block of less than a warp has its curve, too, if no larger one is allowed") {
  Question question = question_of("8.6", 16, 64);
  question.device.limits.max_threads_per_block = 16;
  const Curve curve = curves_of(question)[0];
  REQUIRE(curve.points.size() == 1);
  CHECK(curve.points[0].amount == 16);
  check_says(plot(curve, 48, true), "^16");
}

TEST_CASE("a plot has the curve's height at the kernel's own amount") {
  const Question question = question_of("8.6", 256, 64);
  const std::vector<Curve> curves = curves_of(question);
  REQUIRE(curves.size() == 3);
  const std::string text = plot(curves[1], 48, true);
  check_says(text, "warps an SM over registers a thread");
  check_says(text, "^64");
  // At 1 register all 8 rows are filled; at the right end, 253 to 255 registers and 8 of 48 warps, one.
  CHECK(std::count(text.begin(), text.end(), '#') > 100);
  CHECK(text.find("     48 |#") != std::string::npos);
  check_says(text, " 255\n");
  for (const Curve& curve : curves) {
    const std::string drawn = plot(curve, 48, false);
    for (std::size_t begin = 0; begin < drawn.size();) {
      const std::size_t end = drawn.find('\n', begin);
      CHECK(report::text_width(drawn.substr(begin, end - begin)) <= report::kTextColumns);
      begin = end + 1;
    }
  }
  const std::string csv = to_csv(curves, {"1.2.3", {"heddle", "x y"}, {}, {}, {{"f", "0a"}}});
  check_says(csv, ",limiters,provenance.version,provenance.command,provenance.files\n");
  check_says(csv, "registers,64,4,32,0.6666666666666666,registers,1.2.3,heddle 'x y',f:0a\n");
  check_says(csv, "block_size,256,4,32,0.6666666666666666,registers,1.2.3,heddle 'x y',f:0a\n");
}

TEST_CASE("the report names what binds and the next step") {
  const auto text_of = [](const Question& question) {
    return report::render_text(to_document(answer(question)), {false, true});
  };
  check_says(text_of(question_of("9.0", 256, 40)),
             "Limited by registers: with at most 32 registers a thread it would be 8 blocks = 100.0 %");
  check_says(text_of(question_of("8.0", 256, 16, 30000)),
             "bytes of shared memory a block it would be 6 blocks");
  check_says(text_of(question_of("8.0", 32, 16)),
             "larger blocks are needed to fill the warp slots of 32 blocks");
  check_says(text_of(question_of("8.6", 1024, 16)),
             "another block of 32 warps does not fit the 48 warp slots");
  check_says(text_of(question_of("8.0", 256, 32)), "every warp slot of the SM is taken");
  Question question = question_of("9.0", 256, 16);
  question.resources.dynamic_shared = 100'000;
  check_says(text_of(question), "cudaFuncAttributeMaxDynamicSharedMemorySize, 100000");
}

}  // namespace heddle::occupancy
