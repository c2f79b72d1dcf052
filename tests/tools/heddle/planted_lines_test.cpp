// Kernels with one slow line each: the profile finds the line and names the mistake. Where it is mended it
// finds neither.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "isa/base/read_file.h"
#include "sim/config/load.h"
#include "sim/device/run.h"
#include "sim/session/live_kernel.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/heddle/run/line_request.h"
#include "tools/report/line_cause.h"
#include "tools/report/line_listing.h"

namespace heddle::command {

namespace {

constexpr const char* kLaunch = R"(kernel: planted.{}
grid: 8
block: {}
params: {{from: from, to: to, n: 64}}
buffers:
  from: {{type: f32, count: 1048576}}
  to: {{type: f32, count: 1048576}}
)";
constexpr std::string_view kPlanted = "// planted: ";
constexpr std::string_view kMended = "// mended: ";
constexpr std::string_view kBlock = "// block: ";

/// A kernel whose slow line ends in "// planted: CAUSE". A line "// mended: TEXT" says what stands in the
/// place of the line before it where the mistake is mended, "// block: N" how many threads a block has.
struct Planted {
  explicit Planted(const std::filesystem::path& path)
      : ending(path.extension().string().substr(1)), text(report::source_text("", read_file(path.string()))) {
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
      if (text.lines[i].starts_with(kBlock)) block = text.lines[i].substr(kBlock.size());
      const std::size_t mark = text.lines[i].find(kPlanted);
      if (mark == std::string::npos) continue;
      line = static_cast<std::uint32_t>(i + 1);
      cause = text.lines[i].substr(mark + kPlanted.size());
    }
  }

  [[nodiscard]] std::string slow() const { return joined(text.lines); }
  [[nodiscard]] std::string mended() const {
    std::vector<std::string> lines = text.lines;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].starts_with(kMended)) lines[i - 1] = lines[i].substr(kMended.size());
    }
    return joined(lines);
  }

  std::string ending;
  report::SourceText text;
  std::uint32_t line = 0;
  std::string cause;
  std::string block = "512";

 private:
  static std::string joined(const std::vector<std::string>& lines) {
    return fmt::format("{}\n", fmt::join(lines, "\n"));
  }
};

/// A run and its lines.
struct Profiled {
  report::Summary summary;
  report::LineProfile lines;

  [[nodiscard]] std::vector<const sim::LineFigures*> worst() const {
    return sim::worst_first(lines.lines, summary.warp_size);
  }
  [[nodiscard]] bool names(const sim::LineFigures& line, std::string_view cause) const {
    const auto found = report::line_causes(summary, line);
    return std::any_of(found.begin(), found.end(),
                       [&](const auto& each) { return report::key_of(each.cause) == cause; });
  }
  /// For a person who looks why a test has failed.
  [[nodiscard]] std::string list() const {
    std::string list = fmt::format("{} cycles. {}\n", summary.cycles, worst_line_text(summary, lines));
    for (const sim::LineFigures* line : worst()) {
      const auto first = sim::first_reason(line->cost.slots);
      list += fmt::format("{:.3f} {} {}\n", report::cost_share(summary, *line), first ? first->key : "-",
                          lines.files[0].line(line->place.line));
    }
    return list;
  }
};

Profiled profiled(const sim::GpuSpec& spec, const Planted& planted, const std::string& text) {
  const launch::ScratchFolder folder;
  folder.write("planted." + planted.ending, text);
  const std::string path = folder.write("planted.yaml", fmt::format(kLaunch, planted.ending, planted.block));
  launch::LaunchFile file = launch::load_launch(path, launch::for_gpu({}, spec));
  exec::LiveKernel kernel = session::live_kernel(spec, file.launch, file.memory);
  sim::RunOptions options;
  options.by_instruction = true;
  const sim::RunResult result = sim::run(kernel, spec, options);
  const launch::KernelSource source = launch::kernel_source(path, launch::for_gpu({}, spec));
  return {report::summarize(result, spec, {}), line_profile({}, source, file.launch.kernel, result)};
}

void check_planted(const sim::GpuSpec& spec, const Planted& planted) {
  const Profiled slow = profiled(spec, planted, planted.slow());
  const Profiled mended = profiled(spec, planted, planted.mended());
  INFO("planted on line " << planted.line << '\n' << slow.list() << "mended: " << mended.list());
  CHECK(mended.summary.cycles * 5 < slow.summary.cycles * 4);  // else it is no slow line
  REQUIRE_FALSE(slow.worst().empty());
  const sim::LineFigures& first = *slow.worst().front();
  CHECK(first.place.line == planted.line);
  CHECK(slow.names(first, planted.cause));
  const std::string verdict = report::worst_line_text(slow.summary, slow.lines);
  CHECK_THAT(verdict, Catch::StartsWith(fmt::format("Line {} of planted.", planted.line)));
  for (const report::FoundCause& cause : report::line_causes(slow.summary, first))
    CHECK_THAT(verdict, Catch::Contains(cause.text));
  for (const sim::LineFigures& line : mended.lines.lines) {
    INFO("line " << line.place.line);
    CHECK_FALSE(mended.names(line, planted.cause));
  }
}

void check_all(const char* gpu) {
  const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=4"});
  const std::string folder = std::string(HEDDLE_SOURCE_DIR) + "/tests/tools/heddle/planted";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    INFO(gpu << ", " << entry.path().filename().string());
    check_planted(spec, Planted(entry.path()));
    ++count;
  }
  CHECK(count >= 12);
}

}  // namespace

TEST_CASE("A planted slow line is the worst, and the verdict names it and its cause: V100") {
  check_all("v100");
}
TEST_CASE("A planted slow line is the worst, and the verdict names it and its cause: H100") {
  check_all("h100");
}

}  // namespace heddle::command
