#include "isa/base/write_all.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle {
namespace {

TEST_CASE("What a pipe takes in parts is written whole") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string sent(1 << 20, 'x');  // more than a pipe holds
  std::string got;
  std::thread reader([&] {
    char piece[1000];
    for (ssize_t read = 0; (read = ::read(ends[0], piece, sizeof piece)) > 0;)
      got.append(piece, static_cast<std::size_t>(read));
  });
  CHECK(write_all(ends[1], sent));
  close(ends[1]);
  reader.join();
  close(ends[0]);
  CHECK(got == sent);
}

TEST_CASE("Bytes at an offset leave what stands before and behind them") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("file", "0123456789");
  const int file = open(path.c_str(), O_RDWR);
  REQUIRE(file >= 0);
  CHECK(write_all_at(file, 3, "abc"));
  CHECK(write_all_at(file, 10, ""));
  CHECK(write_all(file, "AB"));  // where the file stands
  std::string now(10, ' ');
  CHECK(pread(file, now.data(), now.size(), 0) == 10);
  CHECK(now == "AB2abc6789");
  close(file);
}

TEST_CASE("What cannot be written says so, with the reason") {
  const int full = open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  CHECK_FALSE(write_all(full, "x"));
  CHECK(errno == ENOSPC);
  CHECK(write_all(full, ""));
  close(full);
  CHECK_FALSE(write_all_at(full, 0, "x"));
  CHECK(errno == EBADF);
}

}  // namespace
}  // namespace heddle
