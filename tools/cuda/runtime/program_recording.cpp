#include "tools/cuda/runtime/program_recording.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "isa/base/new_file.h"
#include "sim/trace/write/recorded_files.h"

namespace heddle::cudart {

namespace {

constexpr trace::Compression kCompression = trace::Compression::Zstd;

std::string list_path(const std::string& folder) { return folder + "/" + trace::kRecordedList; }

}  // namespace

/// Of one launch.
class ProgramRecording::Recorder final : public session::LaunchLayer {
 public:
  Recorder(ProgramRecording& recording, const ir::Kernel& kernel, std::uint64_t number, std::size_t entry)
      : recording_(recording), kernel_(kernel), number_(number), entry_(entry), spool_(recording.folder_) {}

  stream::KernelSource& over(stream::KernelSource& kernel) override {
    recorder_.emplace(kernel, kernel_, spool_);
    recorder_->set_compute_capability(recording_.compute_capability_);
    return *recorder_;
  }

  void ended() override {
    const trace::RecordedNames names(number_, kCompression);
    NewFile trace(recording_.folder_ + "/" + names.trace);
    NewFile facts(recording_.folder_ + "/" + names.facts);
    trace::write_recorded(*recorder_, number_, kCompression, trace, facts);
    facts.keep();
    trace.keep();
    recording_.note_ended(entry_);
  }

 private:
  ProgramRecording& recording_;
  const ir::Kernel& kernel_;
  std::uint64_t number_;
  std::size_t entry_;
  trace::Spool spool_;
  std::optional<trace::RecordingKernel> recorder_;
};

ProgramRecording::ProgramRecording(std::string folder, const sim::GpuSpec& gpu)
    : folder_(std::move(folder)), compute_capability_(gpu.compute_capability) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw InputError({folder_, 0, 0}, "the folder cannot be created: " + error.message());
  require_writable(list_path(folder_));
}

std::shared_ptr<session::LaunchLayer> ProgramRecording::next_launch(const ir::Kernel& kernel) {
  const std::uint64_t number = ++launches_;
  entries_.push_back({.name = trace::RecordedNames(number, kCompression).trace});
  has_ended_.push_back(false);
  return std::make_shared<Recorder>(*this, kernel, number, entries_.size() - 1);
}

void ProgramRecording::add_copy(Addr to, std::uint64_t bytes) {
  entries_.push_back({.kind = trace::ListEntry::Kind::Copy, .address = to, .bytes = bytes});
  has_ended_.push_back(true);
}

void ProgramRecording::write_list() const {
  std::string text;
  bool has_launch = false;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!has_ended_[i]) continue;
    text += trace::to_text(entries_[i]);
    has_launch |= entries_[i].kind == trace::ListEntry::Kind::Kernel;
  }
  if (!has_launch) return;
  NewFile file(list_path(folder_));
  file.write(text);
  file.keep();
}

}  // namespace heddle::cudart
