// What `cmake --install` leaves works by itself.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

/// Runs it in the root of the file system, without any of our variables; what it says is in the folder's
/// `said`.
int shell(const launch::ScratchFolder& folder, const std::string& command) {
  const std::string line =
      fmt::format("cd / && env -u HEDDLE_CONFIGS {} >'{}' 2>&1", command, folder.path("said"));
  return std::system(line.c_str());
}

std::string said(const launch::ScratchFolder& folder) { return contents_of(folder.path("said")); }

}  // namespace

TEST_CASE("An installed heddle finds its GPU files and examples, also when it is moved") {
  const launch::ScratchFolder folder;
  REQUIRE(shell(folder, fmt::format("'{}' --install '{}' --prefix '{}'", HEDDLE_CMAKE, HEDDLE_BUILD_DIR,
                                    folder.path("first"))) == 0);
  fs::rename(folder.path("first"), folder.path("moved"));
  const std::string heddle = folder.path("moved/bin/heddle");
  const std::string configs = folder.path("moved/share/heddle/configs");
  CHECK(shell(folder, fmt::format("'{}' gpus", heddle)) == 0);
  launch::check_says(said(folder), "h100");
  const std::string example = folder.path("moved/share/heddle/traces/saxpy.yaml");
  CHECK(shell(folder, fmt::format("'{}' run '{}' --gpu tiny", heddle, example)) == 0);
  launch::check_says(said(folder), "saxpy on");
  CHECK(shell(folder, fmt::format("'{}' run saxpy --gpu tiny", heddle)) == 0);
  launch::check_says(said(folder), "saxpy on");
  // The counterparts of the measuring kit's figures came along, with their launch files.
  const std::string measured = folder.write(
      "m.json",
      R"({"format": "heddle-measured-1", "device": {"name": "", "compute_capability": "9.0", "sms": 132}, "kernels": [],
          "microbenchmarks": [{"name": "barrier", "at": {"warps": 2}, "value": 26, "unit": "cycles"},
                              {"name": "latency.L1", "value": 33, "unit": "cycles"}]})");
  CHECK(shell(folder,
              fmt::format("'{}' validate --measured '{}' --gpu h100 --format csv", heddle, measured)) == 0);
  launch::check_says(said(folder), "barrier,\"barrier, warps 2\",h100,cycles,26");
  launch::check_says(said(folder), "chase,latency.L1,h100,cycles,33");
  // Its own files, not those of the checkout that it was built in.
  fs::remove(fmt::format("{}/tiny.yaml", configs));
  CHECK(shell(folder, fmt::format("'{}' gpus tiny", heddle)) != 0);
  launch::check_says(said(folder), configs);
}

TEST_CASE("Man pages, completion for bash and zsh, and all pages of documentation are installed") {
  const launch::ScratchFolder folder;
  REQUIRE(shell(folder, fmt::format("'{}' --install '{}' --prefix '{}'", HEDDLE_CMAKE, HEDDLE_BUILD_DIR,
                                    folder.path("here"))) == 0);
  for (const char* file : {"share/man/man1/heddle.1", "share/man/man1/heddle-trace-info.1",
                           "share/bash-completion/completions/heddle", "share/zsh/site-functions/_heddle",
                           "share/doc/heddle/README.md", "share/doc/heddle/CHANGELOG.md"}) {
    INFO(file);
    CHECK_FALSE(contents_of(folder.path(fmt::format("here/{}", file))).empty());
  }
  for (const auto& entry : fs::directory_iterator(HEDDLE_SOURCE_DIR "/docs")) {
    const std::string installed =
        fmt::format("here/share/doc/heddle/docs/{}", entry.path().filename().string());
    INFO(installed);
    CHECK(contents_of(folder.path(installed)) == contents_of(entry.path().string()));
  }
}

TEST_CASE("A heddle without files beside it looks where they were to be installed") {
  const launch::ScratchFolder folder;
  fs::create_directories(folder.path("some/where/else"));
  const std::string heddle = folder.path("some/where/else/heddle");
  fs::copy(HEDDLE_COMMAND, heddle);
  CHECK(shell(folder, fmt::format("'{}' gpus none", heddle)) != 0);
  launch::check_says(said(folder), "share/heddle/configs");
}

}  // namespace heddle::command
