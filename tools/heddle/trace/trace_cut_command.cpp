#include <fmt/format.h>

#include "isa/base/new_file.h"
#include "sim/trace/format/facts.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/trace/trace_conversion.h"
#include "tools/heddle/trace/trace_files.h"

namespace heddle::command {

namespace {

/// A grid with the first blocks of another one. If they do not fill whole rows or planes, it is a single row.
struct CutGrid {
  Dim3 grid;
  bool is_renumbered = false;
};

CutGrid cut_grid(const Dim3& grid, std::uint64_t blocks) {
  const auto size = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
  if (blocks <= grid.x) return {{size(blocks), 1, 1}};
  if (blocks <= plane && blocks % grid.x == 0) return {{grid.x, size(blocks / grid.x), 1}};
  if (blocks % plane == 0) return {{grid.x, grid.y, size(blocks / plane)}};
  return {{size(blocks), 1, 1}, true};
}

/// Copies the wanted blocks and stops reading after the last one.
void copy(trace::TraceReader& reader, std::uint64_t blocks, bool is_renumbered, trace::TraceWriter& writer) {
  const Dim3 grid = reader.header().grid;
  std::uint64_t left = blocks;
  bool is_wanted = false;
  while (left != 0) {
    switch (reader.next()) {
      case trace::TraceReader::Event::Block: {
        const std::uint64_t id = reader.block().index_in(grid);
        is_wanted = id < blocks;
        trace::TraceBlock block = reader.block();
        if (is_renumbered) block.id = {static_cast<std::uint32_t>(id), 0, 0};
        if (is_wanted) writer.block(block);
        break;
      }
      case trace::TraceReader::Event::Warp:
        if (is_wanted) writer.warp(reader.warp());
        break;
      case trace::TraceReader::Event::Line:
        if (is_wanted) writer.line(reader.line());
        break;
      case trace::TraceReader::Event::EndBlock:
        if (is_wanted) writer.end_block();
        left -= is_wanted ? 1 : 0;
        break;
      case trace::TraceReader::Event::End:
        return;
    }
  }
}

void note(const std::string& path, std::string_view text) {
  print_error(fmt::format("{}: note: {}\n", path, text));
}

void cut(const std::string& from, const std::string& to, std::uint64_t blocks) {
  require_own_places({to}, {from});
  const auto reader = trace::open_trace(from);
  trace::TraceHeader header = reader->header();
  const std::uint64_t all = header.grid.count();
  if (blocks > all) throw UsageError(fmt::format("--blocks {}: {} has {} blocks", blocks, from, all));
  const CutGrid grid = cut_grid(header.grid, blocks);
  header.grid = grid.grid;
  const auto is_fact = [](const std::string& line) { return line.starts_with(trace::kFactsKey); };
  if (std::erase_if(header.unknown, is_fact) != 0) {
    note(to, "what Heddle had recorded beside the trace is left out");
  }
  if (grid.is_renumbered) note(to, "the blocks fill no rows of their grid: they are numbered along x");
  NewFile file(to);
  const auto writer = open_trace_writer(header, file);
  copy(*reader, blocks, grid.is_renumbered, *writer);
  writer->finish();
  file.keep();
}

}  // namespace

Syntax trace_cut_syntax() {
  Syntax syntax = make_syntax(
      "heddle trace cut FROM TO --blocks N",
      "Writes the first N blocks of a kernel, in the order of its grid, as a smaller trace that is\n"
      "valid by itself. Its form is what the name TO ends in. All of it is written, or nothing.",
      "trace", "  heddle trace cut kernel-1.traceg.xz small.traceg --blocks 16\n");
  syntax.options.add_options()("blocks", text_option("N"), "how many blocks");
  return syntax;
}

int trace_cut_command(const Arguments& arguments) {
  const Syntax syntax = trace_cut_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  const std::vector<std::string> names = list_of(*values, "trace");
  if (names.size() != 2) throw UsageError("what to cut and where to are needed: FROM TO");
  if (trace::is_kernels_list(names[0]))
    throw UsageError("a trace is cut, not a list: name one of its kernels");
  const auto blocks = size_of(*values, "blocks");
  if (!blocks) throw UsageError("--blocks is needed: how many blocks");
  if (*blocks == 0) throw UsageError("--blocks 0: must be at least 1");
  cut(names[0], names[1], *blocks);
  return kDone;
}

}  // namespace heddle::command
