#include "tools/heddle/run/line_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/load/ptx_sources.h"
#include "isa/text/disassemble.h"
#include "tools/heddle/base/source_file.h"

namespace heddle::command {

namespace {

using launch::KernelSource;
using report::SourceLevel;

constexpr SourceLevel kLevels[] = {SourceLevel::Cuda, SourceLevel::Ptx, SourceLevel::Ir};

SourceLevel level_of(const LineRequest& request, const KernelSource& source) {
  if (request.level) return *request.level;
  switch (source.kind) {
    case KernelSource::Kind::Cuda:
      return SourceLevel::Cuda;
    case KernelSource::Kind::Ptx:
      return SourceLevel::Ptx;
    case KernelSource::Kind::Machine:
      return source.files.empty() ? SourceLevel::Ir : SourceLevel::Cuda;
    default:
      return SourceLevel::Ir;
  }
}

bool has_level(SourceLevel level, const KernelSource& source, const ir::Kernel& kernel) {
  const bool is_text = source.kind == KernelSource::Kind::Text;
  if (level == SourceLevel::Ptx) return !is_text && source.kind != KernelSource::Kind::Machine;
  if (level == SourceLevel::Ir) return true;
  return !is_text && std::any_of(kernel.sources.begin(), kernel.sources.end(),
                                 [](const ir::SourcePlace& place) { return place.line != 0; });
}

sim::LinePlace line_of(const ir::SourcePlace& place) {
  return place.line == 0 ? sim::LinePlace{} : sim::LinePlace{place.file, place.line};
}

void place_in_cuda(bool by_callers, const KernelSource& source, const ir::Kernel& kernel,
                   report::LineProfile& profile) {
  const load::PtxSources sources = source.kind == KernelSource::Kind::Machine
                                       ? load::PtxSources{source.files, {}, {}}
                                       : load::ptx_sources(source.text, source.name);
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const auto call = sources.calls.find(kernel.instructions[pc].line);
    const bool is_called = by_callers && call != sources.calls.end();
    profile.places.push_back(line_of(is_called ? call->second : kernel.sources.at(pc)));
  }
  for (std::uint32_t i = 0; i < sources.files.size(); ++i) {
    const bool is_used =
        std::any_of(profile.places.begin(), profile.places.end(),
                    [i](const sim::LinePlace& place) { return place.file == i && place.line != 0; });
    const std::string& name = sources.files[i];
    profile.files.push_back(is_used ? source_file(name, source.standard_input)
                                    : report::SourceText{name, {}});
  }
}

/// Lines of the kernel's text or of its PTX.
void place_in_text(const KernelSource& source, const ir::Kernel& kernel, report::LineProfile& profile) {
  for (const ir::Instruction& instruction : kernel.instructions)
    profile.places.push_back({0, instruction.line});
  profile.files.push_back(report::source_text(kernel.file, source.text));
}

/// What the compiler has made has no lines of its own: each instruction and each label is one.
void place_in_instructions(const KernelSource& source, const ir::Kernel& kernel,
                           report::LineProfile& profile) {
  report::SourceText text{source.name + ".sass", {}};
  auto label = kernel.labels.begin();
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    for (; label != kernel.labels.end() && label->pc <= pc; ++label) text.lines.push_back(label->name + ':');
    text.lines.push_back("  " + text::disassemble(kernel, pc));
    profile.places.push_back({0, static_cast<std::uint32_t>(text.lines.size())});
  }
  profile.files.push_back(std::move(text));
}

}  // namespace

std::optional<LineRequest> read_lines(const OptionValues& values) {
  const auto word = text_of(values, "lines");
  const bool by_callers = values.count("callers") != 0;
  if (!word && by_callers) throw UsageError("--callers goes with --lines");
  if (!word) return std::nullopt;
  if (word->empty()) return LineRequest{{}, by_callers};
  for (const SourceLevel level : kLevels) {
    if (report::key_of(level) == *word) return LineRequest{level, by_callers};
  }
  throw UsageError(fmt::format("--lines={}: must be cuda, ptx or ir", *word));
}

std::vector<SourceLevel> source_levels(const KernelSource& source, const ir::Kernel& kernel) {
  std::vector<SourceLevel> levels;
  for (const SourceLevel level : kLevels) {
    if (has_level(level, source, kernel)) levels.push_back(level);
  }
  return levels;
}

void require_lines(const LineRequest& request, const KernelSource& source, const ir::Kernel& kernel) {
  const SourceLevel level = level_of(request, source);
  if (request.callers && (level != SourceLevel::Cuda || source.kind == KernelSource::Kind::Machine))
    throw InputError({source.name, 0, 0},
                     "--callers is of lines of CUDA C++ by way of PTX, which says where functions were inlined");
  if (has_level(level, source, kernel)) return;
  std::string known;
  for (const SourceLevel each : source_levels(source, kernel))
    known += fmt::format("{}{}", known.empty() ? "" : ", ", report::key_of(each));
  throw InputError({source.name, 0, 0}, fmt::format("--lines={}: of this kernel there are only lines of {}",
                                                    report::key_of(level), known));
}

report::LineProfile placed_lines(const LineRequest& request, const KernelSource& source,
                                 const ir::Kernel& kernel) {
  report::LineProfile profile;
  profile.level = level_of(request, source);
  if (profile.level == SourceLevel::Cuda) {
    place_in_cuda(request.callers, source, kernel, profile);
  } else if (profile.level == SourceLevel::Ptx || source.kind == KernelSource::Kind::Text) {
    place_in_text(source, kernel, profile);
  } else {
    place_in_instructions(source, kernel, profile);
  }
  return profile;
}

report::LineProfile line_profile(const LineRequest& request, const KernelSource& source,
                                 const ir::Kernel& kernel, const sim::RunResult& result) {
  report::LineProfile profile = placed_lines(request, source, kernel);
  profile.lines = sim::figures_by_line(result.by_pc, sim::costs_of(kernel, result), profile.places);
  return profile;
}

}  // namespace heddle::command
