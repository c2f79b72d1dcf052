#include "tools/heddle/run/recording.h"

#include <fmt/format.h>

#include "sim/trace/write/recorded_files.h"

namespace heddle::command {

namespace {

/// Launches of one command find caches empty, so the list says so. Other readers ignore the line.
constexpr std::string_view kColdCaches = "FlushCaches\n";

}  // namespace

Recording::Recording(RecordRequest request)
    : request_(std::move(request)), until_then_(nearest_folder(request_.folder)) {
  const MadeFolders tried(request_.folder);
  require_writable(fmt::format("{}/{}", request_.folder, trace::kRecordedList));
}

NewFile& Recording::new_file(const std::string& name) {
  return files_.emplace_back(fmt::format("{}/{}", request_.folder, name), until_then_);
}

void Recording::add(trace::RecordingKernel& kernel) {
  ++kernels_;
  const trace::RecordedNames names(kernels_, request_.compression);
  const NewFile& lines = new_file(names.trace);
  const NewFile& facts = new_file(names.facts);
  trace::write_recorded(kernel, kernels_, request_.compression, lines, facts);
  if (kernels_ > 1) list_ += kColdCaches;
  list_ += names.trace + '\n';
}

void Recording::keep() {
  folders_.emplace(request_.folder);
  new_file(trace::kRecordedList).write(list_);
  for (NewFile& file : files_) file.keep();
}

}  // namespace heddle::command
