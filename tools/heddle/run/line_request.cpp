#include "tools/heddle/run/line_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "isa/base/read_file.h"
#include "isa/text/disassemble.h"

namespace heddle::command {

namespace {

using launch::KernelSource;
using report::SourceLevel;

constexpr SourceLevel kLevels[] = {SourceLevel::Cuda, SourceLevel::Ptx, SourceLevel::Ir};

SourceLevel level_of(const LineRequest& request, const launch::LaunchFile& file) {
  if (request.level) return *request.level;
  switch (file.source.kind) {
    case KernelSource::Kind::Cuda:
      return SourceLevel::Cuda;
    case KernelSource::Kind::Ptx:
      return SourceLevel::Ptx;
    default:
      return SourceLevel::Ir;
  }
}

bool has_level(SourceLevel level, const launch::LaunchFile& file) {
  const ir::Kernel& kernel = file.launch.kernel;
  const bool is_text = file.source.kind == KernelSource::Kind::Text;
  if (level == SourceLevel::Ptx) return !is_text;
  if (level == SourceLevel::Ir) return true;
  return !is_text && std::any_of(kernel.sources.begin(), kernel.sources.end(),
                                 [](const ir::SourcePlace& place) { return place.line != 0; });
}

/// The text of the file, as far as it can be read: a compiler may have seen it elsewhere.
report::SourceText text_of_file(const std::string& name, const KernelSource& source) {
  if (!source.standard_input.empty() && std::filesystem::path(name).filename() == "<stdin>")
    return report::source_text("<stdin>", source.standard_input);
  try {
    return report::source_text(name, read_file(name));
  } catch (const InputError&) {
    return {name, {}};
  }
}

void place_in_cuda(const launch::LaunchFile& file, report::LineProfile& profile,
                   std::vector<sim::LinePlace>& places) {
  for (const ir::SourcePlace& place : file.launch.kernel.sources)
    places.push_back(place.line == 0 ? sim::LinePlace{} : sim::LinePlace{place.file, place.line});
  for (std::uint32_t i = 0; i < file.source.files.size(); ++i) {
    const bool is_used = std::any_of(places.begin(), places.end(), [i](const sim::LinePlace& place) {
      return place.file == i && place.line != 0;
    });
    const std::string& name = file.source.files[i];
    profile.files.push_back(is_used ? text_of_file(name, file.source) : report::SourceText{name, {}});
  }
}

/// Lines of the kernel's text or of its PTX.
void place_in_text(const launch::LaunchFile& file, report::LineProfile& profile,
                   std::vector<sim::LinePlace>& places) {
  for (const ir::Instruction& instruction : file.launch.kernel.instructions)
    places.push_back({0, instruction.line});
  profile.files.push_back(report::source_text(file.launch.kernel.file, file.source.text));
}

/// What the compiler has made has no lines of its own: each instruction and each label is one.
void place_in_instructions(const launch::LaunchFile& file, report::LineProfile& profile,
                           std::vector<sim::LinePlace>& places) {
  const ir::Kernel& kernel = file.launch.kernel;
  report::SourceText text{file.source.name + ".sass", {}};
  auto label = kernel.labels.begin();
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    for (; label != kernel.labels.end() && label->pc <= pc; ++label) text.lines.push_back(label->name + ':');
    text.lines.push_back("  " + text::disassemble(kernel, pc));
    places.push_back({0, static_cast<std::uint32_t>(text.lines.size())});
  }
  profile.files.push_back(std::move(text));
}

}  // namespace

std::optional<LineRequest> read_lines(const OptionValues& values) {
  const auto word = text_of(values, "lines");
  if (!word) return std::nullopt;
  if (word->empty()) return LineRequest{};
  for (const SourceLevel level : kLevels) {
    if (report::key_of(level) == *word) return LineRequest{level};
  }
  throw UsageError(fmt::format("--lines={}: must be cuda, ptx or ir", *word));
}

void require_lines(const LineRequest& request, const launch::LaunchFile& file, Diagnostics& problems) {
  const SourceLevel level = level_of(request, file);
  if (has_level(level, file)) return;
  std::string known;
  for (const SourceLevel each : kLevels) {
    if (has_level(each, file)) known += fmt::format("{}{}", known.empty() ? "" : ", ", report::key_of(each));
  }
  problems.add({file.source.name, 0, 0}, fmt::format("--lines={}: of this kernel there are only lines of {}",
                                                     report::key_of(level), known));
}

report::LineProfile line_profile(const LineRequest& request, const launch::LaunchFile& file,
                                 const sim::RunResult& result) {
  report::LineProfile profile;
  profile.level = level_of(request, file);
  std::vector<sim::LinePlace> places;
  const bool is_written = file.source.kind == KernelSource::Kind::Text;
  if (profile.level == SourceLevel::Cuda) {
    place_in_cuda(file, profile, places);
  } else if (profile.level == SourceLevel::Ptx || is_written) {
    place_in_text(file, profile, places);
  } else {
    place_in_instructions(file, profile, places);
  }
  profile.lines = sim::figures_by_line(result.by_pc, sim::costs_of(file.launch.kernel, result.by_pc), places);
  return profile;
}

}  // namespace heddle::command
