#include "sim/config/load.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/trace/trace_files.h"
#include "tools/heddle/trace/trace_info_report.h"

namespace heddle::command {

namespace {

/// Used instead of the separate files of each kernel.
report::Provenance provenance_of(const InfoRequest& request, const std::string& list,
                                 const std::string& path) {
  report::Provenance made = request.provenance;
  if (list != path) add_file(made, list);
  add_file(made, path);
  if (request.gpu) add_gpu(made, request.gpu_name, *request.gpu, request.has_settings);
  return made;
}

FileInfo read_file(const InfoRequest& request, const std::string& path) {
  const trace::KernelsList list = list_of_traces(path);
  note_passed_over(path, list);
  FileInfo info{path, 0, 0, {}};
  for (const trace::ListEntry& entry : list.entries) {
    if (entry.kind == trace::ListEntry::Kind::Kernel) {
      info.kernels.push_back(summarize_trace(entry.path));
      info.kernels.back().provenance = provenance_of(request, path, entry.path);
    }
    if (entry.kind != trace::ListEntry::Kind::Copy) continue;
    ++info.copies;
    info.copied_bytes += entry.bytes;
  }
  return info;
}

InfoRequest read_info_request(const ReportedCommand& command) {
  InfoRequest request;
  request.provenance = command.provenance;
  const auto name = text_of(command.values, "gpu");
  const Overrides settings = overrides_of(command.values, "set");
  if (!name && !settings.empty()) throw UsageError("--set needs the GPU that it changes: --gpu NAME");
  if (!name) return request;
  request.gpu = sim::load_gpu(*name, settings);
  request.gpu_name = *name;
  request.has_settings = !settings.empty();
  return request;
}

}  // namespace

Syntax trace_info_syntax() {
  Syntax syntax =
      make_syntax("heddle trace info FILE... [--gpu GPU|FILE] [--format text|json]",
                  "Says what traces hold: launch, instructions, opcodes, active lanes, how addresses are\n"
                  "written; with --gpu also theoretical occupancy.",
                  "trace",
                  "  heddle trace info kernel-1.traceg.xz\n"
                  "  heddle trace info kernelslist.g --gpu a100 --format json\n");
  auto add = syntax.options.add_options();
  add("gpu", text_option("GPU|FILE"), "the GPU for theoretical occupancy");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU");
  add("format", text_option("text|json"), "form of the answer");
  add_again(syntax);
  return syntax;
}

int trace_info_command(const Arguments& arguments) {
  const auto command = read_reported(trace_info_syntax(), "trace info", arguments);
  if (!command) return kDone;
  const std::string format = choice_of(command->values, "format", {"text", "json"});
  const InfoRequest request = read_info_request(*command);
  std::vector<FileInfo> files;
  for (const std::string& path : require_traces(list_of(command->values, "trace")))
    files.push_back(read_file(request, path));
  write_output(format == "text" ? trace_info_text(request, files) : trace_info_json(request, files));
  return kDone;
}

}  // namespace heddle::command
