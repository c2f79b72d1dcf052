#include "isa/load/ptx_sources.h"

#include <algorithm>

#include "isa/lower/lower.h"
#include "isa/ptx/module.h"

namespace heddle::load {

namespace {

const ptx::SourceLine& outermost(const ptx::Function& function, const ptx::SourceLine& line) {
  const ptx::SourceLine* at = &line;
  // A chain is no longer than the list, even if a mistaken file makes a ring of it.
  for (std::size_t i = 0; at->inlined_at != ptx::kNone && i < function.source_lines.size(); ++i)
    at = &function.source_lines[at->inlined_at];
  return *at;
}

ir::SourcePlace place_of(const ptx::Module& module, const ptx::SourceLine& line) {
  const auto found = std::find_if(module.files.begin(), module.files.end(),
                                  [&](const ptx::SourceFile& file) { return file.number == line.file; });
  if (found == module.files.end()) return {};
  return {static_cast<std::uint32_t>(found - module.files.begin()), line.line, line.column};
}

}  // namespace

PtxSources ptx_sources(const std::string& text, const std::string& name) {
  const ptx::Module module = ptx::read_module(text, name);
  PtxSources sources{lower::source_files(module), {}, {}};
  for (const ptx::Function& function : module.functions) {
    std::vector<std::uint32_t>& statements = sources.statements[function.name];
    for (const ptx::Instruction& instruction : function.body) {
      if (statements.empty() || statements.back() != instruction.place.line)
        statements.push_back(instruction.place.line);
      if (instruction.source == ptx::kNone) continue;
      const ptx::SourceLine& line = function.source_lines[instruction.source];
      sources.calls[instruction.place.line] = place_of(module, outermost(function, line));
    }
  }
  return sources;
}

}  // namespace heddle::load
