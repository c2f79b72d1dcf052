#include "tools/heddle/trace/trace_conversion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "sim/trace/format/trace_name.h"
#include "tools/heddle/base/options.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

using trace::TraceHeader;

constexpr unsigned kFirstNewForm = 5;

// In Accel-Sim's words.
constexpr std::string_view kColumns =
    "PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]";

/// The name decides the form of the file, unless it is a device or a pipe.
void require_trace_name(const std::string& path) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) return;
  if (!trace::trace_ending(path).empty()) return;
  throw UsageError(fmt::format("{}: a trace's name ends in {}", path, fmt::join(trace::kTraceEndings, ", ")));
}

std::string format_of(unsigned version) {
  if (version < trace::kFirstImmediateVersion) {
    return fmt::format("threadblock_x threadblock_y threadblock_z warpid_tb {}", kColumns);
  }
  if (version < kFirstNewForm) return fmt::format("[line_num] {} immediate", kColumns);
  std::string text = fmt::format("[line_num] {} immediate1 immediate2", kColumns);
  if (version < trace::kValuesVersion) return text;
  return fmt::format("{} Val|NoVal [dest_val_num] [dest_val] ... [src_val1_num] [src_val1] ...", text);
}

TraceHeader header_in(const TraceHeader& from, const std::optional<std::string>& version) {
  TraceHeader to = from;
  if (!version || *version == from.tracer_version) return to;
  to.tracer_version = *version;
  to.format = format_of(to.version());
  if (to.version() < trace::kFirstImmediateVersion) to.has_line_numbers = false;
  return to;
}

}  // namespace

TraceConversion::TraceConversion(const TraceHeader& from, const std::optional<std::string>& version)
    : to_(header_in(from, version)),
      is_changed_(to_.tracer_version != from.tracer_version),
      has_new_form_(to_.version() >= kFirstNewForm),
      loses_source_lines_(from.has_line_numbers && !to_.has_line_numbers) {}

trace::TraceBlock TraceConversion::adapted(const trace::TraceBlock& block) {
  trace::TraceBlock to = block;
  if (!is_changed_ || has_new_form_ || !block.has_cluster) return to;
  ++clusters_;
  to.has_cluster = false;
  return to;
}

const trace::TraceLine& TraceConversion::adapted(const trace::TraceLine& line) {
  if (!is_changed_) return line;
  line_ = line;
  const unsigned version = to_.version();
  if (version != trace::kValuesVersion && !line_.values.empty()) ++values_;
  if (version < trace::kFirstImmediateVersion && line_.immediate != 0) ++immediates_;
  if (!has_new_form_ && line_.second_immediate != 0) ++second_immediates_;
  if (!has_new_form_ && line_.has_bulk) {
    ++tiles_;
    line_.has_bulk = false;
    line_.width = 0;
  }
  const bool has_deltas = line_.format == trace::AddressFormat::BaseDelta;
  if (version < trace::kFirstGroupedVersion && has_deltas) line_.format = trace::AddressFormat::List;
  return line_;
}

std::vector<std::string> TraceConversion::losses() const {
  std::vector<std::string> list;
  const auto add = [&](std::uint64_t count, std::string_view what, std::string_view things) {
    if (count != 0) list.push_back(fmt::format("{} of {} {}", what, report::grouped(count), things));
  };
  if (loses_source_lines_) list.emplace_back("the lines of the source");
  add(clusters_, "the places in clusters", "blocks");
  add(values_, "the values of registers", "instructions");
  add(immediates_, "the immediates", "instructions");
  add(second_immediates_, "the second immediates", "instructions");
  add(tiles_, "the addresses of tiles", "instructions");
  return list;
}

std::vector<std::string> trace_versions() { return {"1.2", "3", "4", "5", "6"}; }

std::unique_ptr<trace::TraceWriter> open_trace_writer(const TraceHeader& header, const NewFile& file) {
  require_trace_name(file.path());
  const trace::SinkFile sink = {file.temporary(), file.path()};
  if (!file.path().ends_with(".tracez")) {
    return trace::text_writer(header, trace::open_sink(sink, trace::compression_of(file.path())));
  }
  if (header.version() >= trace::kFirstGroupedVersion) return trace::tracez_writer(header, sink);
  throw InputError({file.path(), 0, 0},
                   "a .tracez container holds traces of version 3 and later; --version 5 makes one");
}

}  // namespace heddle::command
