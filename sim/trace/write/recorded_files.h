// The files of a recorded launch: its trace, and the facts that Heddle adds to it.
#pragma once

#include <cstdint>
#include <string>

#include "isa/base/new_file.h"
#include "sim/trace/io/byte_stream.h"
#include "sim/trace/write/recorder.h"

namespace heddle::trace {

/// The list of a folder of recordings.
inline constexpr const char* kRecordedList = "kernelslist.g";

/// "kernel-3.traceg.zst" and "kernel-3.facts.zst" of the third launch of a folder.
struct RecordedNames {
  RecordedNames(std::uint64_t number, Compression compression);
  std::string trace;
  std::string facts;
};

/// Writes both into new files, which are to get these names. Throws InputError if that fails.
void write_recorded(RecordingKernel& kernel, std::uint64_t number, Compression compression,
                    const NewFile& trace, const NewFile& facts);

}  // namespace heddle::trace
