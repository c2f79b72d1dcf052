#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/load/ptx_sources.h"
#include "isa/text/disassemble.h"
#include "tools/heddle/asm/asm_listing.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/source_file.h"
#include "tools/report/line_profile.h"

namespace heddle::command {

namespace {

/// What was made of a line of PTX.
using Made = std::vector<Pc>;
/// The lines of PTX that were made of a line of the source.
using Statements = std::map<std::uint32_t, Made>;
/// By file and line of the source; both are 0 where the PTX does not say.
using BySource = std::map<std::pair<std::uint32_t, std::uint32_t>, Statements>;

/// Lines without PTX are shown between others if they are so few.
constexpr std::uint32_t kMostBetween = 3;

BySource by_source(const ir::Kernel& kernel, const load::PtxSources& sources) {
  Statements all;
  if (const auto own = sources.statements.find(kernel.name); own != sources.statements.end()) {
    for (const std::uint32_t line : own->second) all[line];
  }
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) all[kernel.instructions[pc].line].push_back(pc);
  BySource made;
  for (auto& [line, pcs] : all) {
    const auto call = sources.calls.find(line);
    const ir::SourcePlace place = call == sources.calls.end() ? ir::SourcePlace{} : call->second;
    const bool is_known = place.line != 0;
    made[{is_known ? place.file + 1 : 0, place.line}][line] = std::move(pcs);
  }
  return made;
}

/// With one space where compilers write several, or tabs.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string source_line(const report::SourceText& source, std::uint32_t line) {
  std::string text = fmt::format("{:>5}  {}", line, source.line(line));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

/// The lines of the source from behind `last` up to `line`.
std::string source_lines(const report::SourceText& source, std::uint32_t last, std::uint32_t line) {
  std::string text;
  if (last != 0 && line - last - 1 > kMostBetween) {
    text += "  ...\n";
  } else if (last != 0) {
    for (std::uint32_t between = last + 1; between < line; ++between) text += source_line(source, between);
  }
  return text + source_line(source, line);
}

std::string statements_text(const ir::Kernel& kernel, const report::SourceText& ptx,
                            const Statements& statements) {
  std::string text;
  for (const auto& [line, pcs] : statements) {
    if (line != 0) text += fmt::format("{:>12}  {}\n", line, in_one_line(ptx.line(line)));
    for (const Pc pc : pcs)
      text += fmt::format("{:16}{} {}\n", "", address_text(kernel, pc), text::disassemble(kernel, pc));
  }
  return text;
}

std::string kernel_text(const ir::Kernel& kernel, const load::PtxSources& sources,
                        const report::SourceText& ptx, const std::string& standard_input) {
  std::string text = heading(kernel);
  std::uint32_t file = 0;
  std::uint32_t last = 0;
  report::SourceText source;
  const BySource all = by_source(kernel, sources);
  for (const auto& [place, statements] : all) {
    if (place.second == 0) continue;  // they come last
    if (place.first != file) {
      file = place.first;
      last = 0;
      source = source_file(sources.files.at(file - 1), standard_input);
      text += fmt::format("\n// {}\n", source.name);
    }
    text += source_lines(source, last, place.second) + statements_text(kernel, ptx, statements);
    last = place.second;
  }
  if (const auto unknown = all.find({0, 0}); unknown != all.end()) {
    text += file == 0 ? fmt::format("\n// {}\n", ptx.name) : "\n// of no line of the source that is known\n";
    text += statements_text(kernel, ptx, unknown->second);
  }
  return text;
}

}  // namespace

std::string kernels_beside_source(std::span<const ir::Kernel> kernels, const load::KernelFile& file,
                                  const GivenFile& given) {
  if (file.ptx() == nullptr)
    throw InputError({input_name(given.path), 0, 0}, "--source is of CUDA C++ and PTX; this is neither");
  const std::string& name = kernels[0].file;
  const load::PtxSources sources = load::ptx_sources(*file.ptx(), name);
  const report::SourceText ptx = report::source_text(name, *file.ptx());
  const std::string standard_input = given.path == kStandardInput ? given.text : std::string();
  std::string text;
  for (const ir::Kernel& kernel : kernels)
    text += (text.empty() ? "" : "\n") + kernel_text(kernel, sources, ptx, standard_input);
  return text;
}

}  // namespace heddle::command
