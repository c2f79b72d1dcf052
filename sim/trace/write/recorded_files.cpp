#include "sim/trace/write/recorded_files.h"

#include <fmt/format.h>

namespace heddle::trace {

RecordedNames::RecordedNames(std::uint64_t number, Compression compression)
    : trace(fmt::format("kernel-{}.traceg{}", number, ending_of(compression))),
      facts(fmt::format("kernel-{}.facts{}", number, ending_of(compression))) {}

void write_recorded(RecordingKernel& kernel, std::uint64_t number, Compression compression,
                    const NewFile& trace, const NewFile& facts) {
  const auto sink = [compression](const NewFile& file) {
    return open_sink({file.temporary(), file.path()}, compression);
  };
  kernel.write(number, RecordedNames(number, compression).facts, *sink(trace), *sink(facts));
}

}  // namespace heddle::trace
