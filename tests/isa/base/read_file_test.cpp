#include "isa/base/read_file.h"

#include <sys/stat.h>

#include <thread>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle {
namespace {

std::string refusal(const std::string& path, std::uint64_t most_bytes = 100) {
  try {
    read_file(path, Pipes::Refused, most_bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("a file is read as it is, up to a number of bytes") {
  const test::ScratchFolder folder;
  const std::string path = folder.path("file");
  const std::string text("a\0b\r\n\xff", 6);
  std::ofstream(path, std::ios::binary) << text;
  CHECK(read_file(path) == text);
  CHECK(read_file(path, Pipes::Refused, 6) == text);
  CHECK(refusal(path, 5) == path + ": error: larger than the 5 bytes that are taken\n");
  std::ofstream(path, std::ios::binary) << std::string(200'000, 'x');
  CHECK(read_file(path) == std::string(200'000, 'x'));
}

TEST_CASE("what is no file is refused, a pipe is read where that is asked for") {
  const test::ScratchFolder folder;
  CHECK(refusal(folder.path("none")) == folder.path("none") + ": error: no such file\n");
  CHECK(refusal(folder.path()) == folder.path() + ": error: is a directory, not a file\n");
  CHECK(refusal("/dev/zero") == "/dev/zero: error: not a regular file\n");
  const std::string pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusal(pipe) == pipe + ": error: not a regular file\n");
  const std::jthread writer([&pipe] { std::ofstream(pipe) << "through a pipe"; });
  CHECK(read_file(pipe, Pipes::Read) == "through a pipe");
}

}  // namespace
}  // namespace heddle
