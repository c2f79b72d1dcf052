// What `heddle run --record` leaves: a folder with a list and a trace for each launch.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "isa/base/new_file.h"
#include "sim/trace/io/byte_stream.h"
#include "sim/trace/write/recorder.h"
#include "tools/heddle/base/made_folders.h"

namespace heddle::command {

/// --record DIR
struct RecordRequest {
  std::string folder;
  trace::Compression compression = trace::Compression::Zstd;
};

/// All files appear when the last launch has run, with their folder, the list last; or none does, however the
/// command ends.
class Recording {
 public:
  /// Throws InputError where the folder cannot be made or written to.
  explicit Recording(RecordRequest request);

  /// Where there is room for what is recorded meanwhile.
  [[nodiscard]] const std::string& room() const { return until_then_; }
  /// A launch that has run.
  void add(trace::RecordingKernel& kernel);
  void keep();

 private:
  NewFile& new_file(const std::string& name);

  RecordRequest request_;
  std::string until_then_;              // a folder that is there already
  std::optional<MadeFolders> folders_;  // before the files, which go first
  std::deque<NewFile> files_;
  std::string list_;
  std::uint64_t kernels_ = 0;
};

}  // namespace heddle::command
