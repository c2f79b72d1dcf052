// What kernels print in `heddle run`, and their failed assertions.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

using launch::check_says;

/// say prints "thread %d\n" of each thread; checked asserts `i < n` behind that. Texts are bytes, as
/// compilers write them.
constexpr std::string_view kKernels = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 text[11] = {116, 104, 114, 101, 97, 100, 32, 37, 100, 10, 0};
.global .align 1 .b8 claim[6] = {105, 32, 60, 32, 110, 0};
.global .align 1 .b8 file[7] = {97, 112, 112, 46, 99, 117, 0};
.global .align 1 .b8 name[2] = {107, 0};

.func print () {
  .local .align 8 .b8 own[8];
  .reg .b32 %i;
  .reg .b64 %place, %format;
  mov.u64 %place, own;
  cvta.local.u64 %place, %place;
  mov.u32 %i, %tid.x;
  st.u32 [%place], %i;
  mov.u64 %format, text;
  cvta.global.u64 %format, %format;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %format;
    st.param.b64 [a], %place;
    call (r), vprintf, (f, a); }
  ret;
}

.visible .entry say () {
  call print;
  ret;
}

.visible .entry checked (.param .u32 n) {
  .reg .pred %p;
  .reg .b32 %i, %n;
  .reg .b64 %claim, %file, %name, %one;
  call print;
  ld.param.u32 %n, [n];
  mov.u32 %i, %tid.x;
  setp.lt.u32 %p, %i, %n;
  @%p ret;
  mov.u64 %claim, claim;
  mov.u64 %file, file;
  mov.u64 %name, name;
  cvta.global.u64 %claim, %claim;
  cvta.global.u64 %file, %file;
  cvta.global.u64 %name, %name;
  mov.u64 %one, 1;
  { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
    st.param.b64 [a], %claim;
    st.param.b64 [b], %file;
    st.param.b32 [c], 7;
    st.param.b64 [d], %name;
    st.param.b64 [e], %one;
    call __assertfail, (a, b, c, d, e); }
  ret;
}
)";

/// What the block's threads print, in their order.
std::string text_of_block(unsigned threads) {
  std::string text;
  for (unsigned i = 0; i < threads; ++i) text += fmt::format("thread {}\n", i);
  return text;
}

struct Kernels {
  Kernels() { folder.write("print.ptx", std::string(kKernels)); }

  /// Blocks of 32 threads, unless `more` says otherwise.
  [[nodiscard]] Outcome run(const std::string& entry, const std::string& arguments,
                            const std::vector<std::string>& more = {"--block", "32"}) const {
    std::vector<std::string> line = {
        "run",    folder.path("print.ptx"), "--gpu", "tiny", "--grid", "1", "--entry", entry, "--args",
        arguments};
    line.insert(line.end(), more.begin(), more.end());
    return heddle(line);
  }

  launch::ScratchFolder folder;
};

}  // namespace

TEST_CASE("heddle run shows what a kernel prints before its report, and never in one for programs") {
  const Kernels kernels;
  const Outcome page = kernels.run("say", "");
  CHECK(page.exit_code == 0);
  CHECK(page.out.starts_with(text_of_block(32) + "say on tiny"));
  const Outcome json = kernels.run("say", "", {"--block", "32", "--format", "json"});
  CHECK(nlohmann::json::parse(json.out)["kernel"] == "say");
  CHECK(json.err == text_of_block(32));
  const std::string report = kernels.folder.path("report.json");
  const Outcome filed = kernels.run("say", "", {"--block", "32", "--format", "json", "--output", report});
  CHECK(filed.out == text_of_block(32));
  CHECK(nlohmann::json::parse(contents_of(report))["kernel"] == "say");
}

TEST_CASE("Of several runs what their kernels print is on standard error, in the order of the runs") {
  const Outcome sweep = Kernels().run("say", "", {"--sweep", "block=64,32"});
  CHECK(sweep.exit_code == 0);
  CHECK(sweep.out.starts_with("2 runs"));
  CHECK(lines_of(sweep.err).size() == 64 + 32);
  CHECK(sweep.err.ends_with(text_of_block(32)));
}

TEST_CASE("heddle run names each assertion that failed by its line and thread") {
  const Kernels kernels;
  CHECK(kernels.run("checked", "32").exit_code == 0);
  const Outcome failed = kernels.run("checked", "30");
  CHECK(failed.exit_code == 3);
  CHECK(failed.out == text_of_block(32));
  check_says(failed.err,
             "the program ends itself, as a failed assertion does\n"
             "app.cu:7: k: block: [0,0,0], thread: [30,0,0] Assertion `i < n` failed.\n"
             "app.cu:7: k: block: [0,0,0], thread: [31,0,0] Assertion `i < n` failed.\n");
}

}  // namespace heddle::command
