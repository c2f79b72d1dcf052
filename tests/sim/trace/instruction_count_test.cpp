// Instructions are counted as they are read, in every form of a trace.
#include "sim/trace/read/instruction_count.h"

#include "isa/base/diagnostic.h"
#include "sim/trace/write/trace_writer.h"
#include "tests/sim/trace/random_traces.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seed.h"

namespace heddle::trace {

TEST_CASE("Random traces have as many instructions by the scan as by the reader") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const test::ScratchFolder folder;
  for (int i = 0; i < 20; ++i) {
    const SeenTrace trace = random_trace(random);
    const std::string container = folder.path("t.tracez");
    write(trace, *tracez_writer(trace.header, container, {.lines_of_chunk = 3, .dictionary = {}}));
    CHECK(count_instructions(container) == trace.lines.size());
    for (const Compression compression :
         {Compression::None, Compression::Gzip, Compression::Xz, Compression::Zstd}) {
      const std::string text = folder.path("t.traceg" + std::string(ending_of(compression)));
      write(trace, *text_writer(trace.header, open_sink(text, compression)));
      CHECK(count_instructions(text) == trace.lines.size());
    }
  }
}

TEST_CASE("A number of instructions that is none is named with its line") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("t.traceg", "warp = 0\ninsts = 3\n\ninsts = x\n");
  try {
    count_instructions(path);
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(error.list()[0].where.line == 4);
    CHECK(error.list()[0].message == "'insts = n' has no number n");
  }
}

}  // namespace heddle::trace
