// What `heddle run --record` leaves: a folder with a list and a trace for each launch.
#pragma once

#include <deque>
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

/// All files appear when the last launch has run, the list last; or none does, nor a folder that was made
/// for them.
class Recording {
 public:
  /// Makes the folder. Throws InputError where it cannot be written to.
  explicit Recording(RecordRequest request);

  [[nodiscard]] const std::string& folder() const { return request_.folder; }
  /// A launch that has run.
  void add(trace::RecordingKernel& kernel);
  void keep();

 private:
  NewFile& new_file(const std::string& name);

  RecordRequest request_;
  MadeFolders folders_;  // before the files, which go first
  std::deque<NewFile> files_;
  std::string list_;
  std::uint64_t kernels_ = 0;
};

}  // namespace heddle::command
