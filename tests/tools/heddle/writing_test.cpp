// docs/writing.md: what it shows can be written down and run.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

/// The first piece of the page that is marked as being in the language.
std::string piece_of(const std::string& page, const std::string& language) {
  const std::string mark = fmt::format("\n```{}\n", language);
  const std::size_t begin = page.find(mark) + mark.size();
  REQUIRE(begin > mark.size());
  return page.substr(begin, page.find("\n```\n", begin) + 1 - begin);
}

}  // namespace

TEST_CASE("The kernel and the launch of docs/writing.md make a run with the right result") {
  const std::string page = contents_of(HEDDLE_SOURCE_DIR "/docs/writing.md");
  const launch::ScratchFolder folder;
  folder.write("dot.sass", piece_of(page, "sass"));
  const std::string file = folder.write("dot.yaml", piece_of(page, "yaml"));
  for (const char* n : {"1", "1000", "4096"}) {
    const Outcome outcome = heddle({"run", file, "--gpu", "tiny", "--param", fmt::format("n={}", n)});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    launch::check_says(outcome.out, "Checked: 'out' is as expected (1 element)");
  }
  CHECK(heddle({"asm", folder.path("dot.sass")}).exit_code == 0);
}

}  // namespace heddle::command
