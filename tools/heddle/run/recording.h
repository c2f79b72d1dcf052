// The result of `heddle run --record`: a folder with a list and a trace for each launch.
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

/// A folder of recordings. All files appear together when the last launch has run, the list last; or none
/// does, however the command ends.
class Recording {
 public:
  /// Throws InputError if the folder cannot be created or written to.
  explicit Recording(RecordRequest request);

  /// A folder with room for temporary data of the recording.
  [[nodiscard]] const std::string& room() const { return until_then_; }
  /// Writes a launch that has run.
  void add(trace::RecordingKernel& kernel);
  void keep();

 private:
  NewFile& new_file(const std::string& name);

  RecordRequest request_;
  std::string until_then_;              // a folder that exists already
  std::optional<MadeFolders> folders_;  // declared before the files, because these must be destroyed first
  std::deque<NewFile> files_;
  std::string list_;
  std::uint64_t kernels_ = 0;
};

}  // namespace heddle::command
