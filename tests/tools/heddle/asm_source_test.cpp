// `heddle asm --source`: a kernel beside the CUDA C++ and the PTX that it was made from.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;

constexpr std::string_view kSource = R"(__global__ void add(float* x) {
  float* own = x + threadIdx.x;
  *own += 1.0f;
}
)";

/// Line 12 makes no instruction: it becomes an operand of others.
constexpr std::string_view kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "FILE"
.visible .entry add (.param .u64 x)
{
  .reg .b32 %i;
  .reg .f32 %f;
  .reg .b64 %x, %at;
  .loc 1 2 14
  mov.u32 %i, %tid.x;
  ld.param.u64 %x, [x];
  mad.wide.u32 %at, %i, 4, %x;
  .loc 1 3 3
  ld.global.f32 %f, [%at];
  add.f32 %f, %f, 0f3F800000;
  st.global.f32 [%at], %f;
  .loc 1 4 1
  ret;
}
)";

/// Of all lines, those that show an instruction, from its address on; sorted.
std::vector<std::string> instructions_of(const std::string& listing) {
  std::vector<std::string> instructions;
  for (const std::string& line : lines_of(listing)) {
    const std::size_t begin = line.find("/*");
    if (begin == std::string::npos) continue;
    std::string text = line.substr(begin, line.find("  //") - begin);
    text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
               text.end());
    text.erase(text.find_last_not_of(' ') + 1);
    instructions.push_back(text);
  }
  std::sort(instructions.begin(), instructions.end());
  return instructions;
}

struct Files {
  Files() {
    folder.write("add.cu", std::string(kSource));
    std::string ptx(kPtx);
    ptx.replace(ptx.find("FILE"), 4, folder.path("add.cu"));
    folder.write("add.ptx", ptx);
  }
  launch::ScratchFolder folder;
};

}  // namespace

TEST_CASE(
    "heddle asm --source shows lines of the source, under each its PTX, and under that its instructions") {
  const Files files;
  const Outcome shown = heddle({"asm", files.folder.path("add.ptx"), "--source"});
  REQUIRE(shown.exit_code == 0);
  check_says(shown.out, fmt::format("\n// {}\n    2    float* own = x + threadIdx.x;\n"
                                    "          11  mov.u32 %i, %tid.x;\n",
                                    files.folder.path("add.cu")));
  check_says(
      shown.out,
      "\n          12  ld.param.u64 %x, [x];\n          13  mad.wide.u32 %at, %i, 4, %x;\n                /*");
  check_says(shown.out,
             "\n    3    *own += 1.0f;\n          15  ld.global.f32 %f, [%at];\n                /*");
  check_says(shown.out, "\n    4  }\n          19  ret;\n                /*");
  const Outcome plain = heddle({"asm", files.folder.path("add.ptx")});
  CHECK(instructions_of(shown.out).size() >= 6);
  CHECK(instructions_of(shown.out) == instructions_of(plain.out));
}

TEST_CASE(
    "Without lines of a source, heddle asm --source shows the PTX alone, and other files have neither") {
  const Files files;
  std::string ptx;
  for (const std::string& line : lines_of(contents_of(files.folder.path("add.ptx")))) {
    const bool is_place = line.find(".loc") != std::string::npos || line.starts_with(".file");
    ptx += (is_place ? "" : line) + "\n";
  }
  files.folder.write("bare.ptx", ptx);
  const Outcome bare = heddle({"asm", files.folder.path("bare.ptx"), "--source"});
  CHECK(bare.exit_code == 0);
  check_says(bare.out,
             fmt::format("\n// {}\n          11  mov.u32 %i, %tid.x;\n", files.folder.path("bare.ptx")));
  check_refused({"asm", "traces/vecadd.sass", "--source"}, "--source is of CUDA C++ and PTX");
  check_refused({"asm", files.folder.path("add.ptx"), "--source", "--format", "json"},
                "--source is of the listing as text");
}

}  // namespace heddle::command
