// Bytes go through every compression and come back; what is cut or damaged is told with its place.
#include "sim/trace/io/byte_stream.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "isa/base/diagnostic.h"
#include "tests/sim/config/refusal.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {

namespace {

using sim::refusal;
using test::ScratchFolder;

std::string name_of(Compression compression) {
  switch (compression) {
    case Compression::Gzip:
      return "t.gz";
    case Compression::Xz:
      return "t.xz";
    case Compression::Zstd:
      return "t.zst";
    default:
      return "t";
  }
}

constexpr Compression kAll[] = {Compression::None, Compression::Gzip, Compression::Xz, Compression::Zstd};

/// Half of it repeats itself, half does not.
std::string bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    text += fmt::format("{:04x} ffffffff 1 R{} FFMA 2 R3 R0 0 0 \n", random() % 64 * 16, random() % 250);
  }
  return text.substr(0, size);
}

void write(const std::string& path, Compression compression, const std::string& text, std::size_t piece) {
  const auto sink = open_sink(path, compression);
  for (std::size_t at = 0; at < text.size(); at += piece)
    sink->write(std::string_view(text).substr(at, piece));
  sink->finish();
}

std::string read(const std::string& path, std::size_t piece) {
  const auto source = open_source(path);
  std::string text;
  std::string buffer(piece, '\0');
  while (const std::size_t got = source->read(buffer.data(), piece)) text.append(buffer, 0, got);
  CHECK(source->read(buffer.data(), piece) == 0);
  CHECK(source->file_offset() == std::filesystem::file_size(path));
  return text;
}

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("Bytes come back from every compression, whatever the pieces") {
  const test::ScratchFolder folder;
  for (const Compression compression : kAll) {
    const std::string path = folder.path() + "/" + name_of(compression);
    CHECK(compression_of(path) == compression);
    for (const std::size_t size : {0UL, 1UL, 1000UL, 300000UL}) {
      INFO(path << ", " << size << " bytes");
      const std::string text = bytes(size, 1);
      write(path, compression, text, 777);
      CHECK(read(path, 1 << 20) == text);
      write(path, compression, text, 1 << 20);
      CHECK(read(path, 313) == text);
    }
  }
}

TEST_CASE("A compression is known by its bytes, not by its name") {
  const test::ScratchFolder folder;
  const std::string text = bytes(5000, 2);
  for (const Compression compression : kAll) {
    const std::string path = folder.path() + "/kernel-1.traceg";
    write(path, compression, text, 512);
    CHECK(read(path, 4096) == text);
  }
}

TEST_CASE("What is not compressed, though its name says so, is not read as text") {
  const ScratchFolder folder;
  for (const Compression named : {Compression::Gzip, Compression::Xz, Compression::Zstd}) {
    const std::string name = fmt::format("kernel-1.traceg{}", ending_of(named));
    for (const auto& [text, is] : {std::pair{"-kernel name = k\n", "compressed by none of gzip, xz and zstd"},
                                   std::pair{"", "empty"}}) {
      const std::string path = folder.write(name, text);
      const auto list = refusal([&] { open_source(path); });
      REQUIRE(list.size() == 1);
      CHECK(list[0].where.file == path);
      CHECK(list[0].message == fmt::format("the name ends in {}, so the file must be {} data, but it is {}",
                                           ending_of(named), format_of(named), is));
    }
  }
}

TEST_CASE("Streams one after another in a file are one text") {
  const test::ScratchFolder folder;
  for (const Compression compression : {Compression::Gzip, Compression::Xz, Compression::Zstd}) {
    const std::string path = folder.path() + "/" + name_of(compression);
    write(path, compression, "first\n", 100);
    const std::string first = contents(path);
    write(path, compression, "second\n", 100);
    const std::string both = folder.write("both", first + contents(path));
    CHECK(read(both, 100) == "first\nsecond\n");
  }
}

TEST_CASE("A compressed stream cut anywhere is refused, with the byte at which it ends") {
  const test::ScratchFolder folder;
  for (const Compression compression : {Compression::Gzip, Compression::Xz, Compression::Zstd}) {
    const std::string path = folder.path() + "/" + name_of(compression);
    write(path, compression, bytes(3000, 3), 100);
    const std::string whole = contents(path);
    for (std::size_t size = 6; size < whole.size(); ++size) {
      INFO(path << ", " << size << " of " << whole.size() << " bytes");
      const std::string cut = folder.write(fmt::format("cut{}", size), whole.substr(0, size));
      const auto list = refusal([&] { read(cut, 1000); });
      REQUIRE(list.size() == 1);
      CHECK(list[0].where.file == cut);
      CHECK(list[0].message.find("stream ends too early") != std::string::npos);
      CHECK(list[0].message.find(fmt::format("(byte {} of the file)", size)) != std::string::npos);
    }
  }
}

TEST_CASE("A damaged compressed stream is refused or still gives what was written") {
  const test::ScratchFolder folder;
  const std::string text = bytes(3000, 4);
  for (const Compression compression : {Compression::Gzip, Compression::Xz, Compression::Zstd}) {
    const std::string path = folder.path() + "/" + name_of(compression);
    write(path, compression, text, 100);
    const std::string whole = contents(path);
    for (std::size_t at = 6; at < whole.size(); ++at) {
      INFO(path << ", byte " << at);
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      const std::string file = folder.write(fmt::format("damaged{}", at), damaged);
      std::string got = text;
      const auto list = refusal([&] { got = read(file, 1000); });
      if (list.empty()) CHECK(got == text);
    }
  }
}

TEST_CASE("A file that is not there, and a folder, are refused by name") {
  const test::ScratchFolder folder;
  const auto absent = refusal([&] { open_source(folder.path() + "/absent"); });
  REQUIRE(absent.size() == 1);
  CHECK(absent[0].message == "the file cannot be opened: No such file or directory");
  CHECK(refusal([&] { open_source(folder.path()); }).size() == 1);
  CHECK(refusal([&] { open_sink(folder.path(), Compression::None); }).size() == 1);
}

TEST_CASE("A full disk is an error, not a short file") {
  if (!std::filesystem::exists("/dev/full")) return;
  for (const Compression compression : kAll) {
    const auto list = refusal([&] { write("/dev/full", compression, bytes(300000, 5), 1000); });
    REQUIRE(list.size() == 1);
    CHECK(list[0].message == "the file cannot be written: No space left on device");
  }
}

}  // namespace heddle::trace
