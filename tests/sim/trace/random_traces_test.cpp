// What is written is what is read, in every compression and in containers.
#include "tests/sim/trace/random_traces.h"

#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seed.h"

namespace heddle::trace {

TEST_CASE("Random traces come back as they were written") {
  const std::uint32_t seed = test::drawn_seed();
  std::mt19937 random(seed);
  const test::ScratchFolder folder;
  constexpr Compression kAll[] = {Compression::None, Compression::Gzip, Compression::Xz, Compression::Zstd};
  for (int round = 0; round < 60; ++round) {
    INFO("seed " << seed << ", round " << round);
    const SeenTrace trace = random_trace(random);
    const Compression compression = kAll[round % 4];
    const std::string path = fmt::format("{}/{}.traceg{}", folder.path(), round, ending_of(compression));
    write(trace, *text_writer(trace.header, open_sink(path, compression)));
    require_same(read_trace(path), trace);

    const std::string container = fmt::format("{}/{}.tracez", folder.path(), round);
    write(trace,
          *tracez_writer(trace.header, container, {.lines_of_chunk = static_cast<std::uint32_t>(round % 7)}));
    const SeenTrace seen = read_trace(container);
    require_same(seen, trace);
    CHECK(to_text(seen.header) == to_text(trace.header));
    CHECK(all_mistakes_of(container).empty());
  }
}

}  // namespace heddle::trace
