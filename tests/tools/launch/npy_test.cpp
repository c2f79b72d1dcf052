#include "tools/launch/npy.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::launch {
namespace {

/// A file with this dictionary, and `data_bytes` zeros behind it.
std::string npy_file(const std::string& dictionary, std::size_t data_bytes, char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes +=
      {major, '\0', static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)};
  if (major != 1) bytes += std::string(2, '\0');
  return bytes + dictionary + std::string(data_bytes, '\0');
}

NpyHeader parse(const std::string& bytes) {
  return parse_npy_header(std::as_bytes(std::span(bytes)), bytes.size(), "x.npy");
}

std::string error_of(const std::string& bytes) {
  return message_of([&] { parse(bytes); });
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Element>
std::vector<Element> round_trip(const ScratchFolder& folder, ElementType type,
                                const std::vector<Element>& elements) {
  const std::string path = folder.path("array.npy");
  write_npy(path, type, std::as_bytes(std::span(elements)));
  const NpyHeader header = read_npy_header(path);
  CHECK(header.type == type);
  CHECK(header.shape == std::vector<std::uint64_t>{elements.size()});
  std::vector<Element> back(header.count);
  read_npy_elements(path, header, std::as_writable_bytes(std::span(back)));
  return back;
}

TEST_CASE("Arrays come back from .npy files as they were") {
  const ScratchFolder folder;
  const std::vector<float> floats = {0.0F, -1.5F, 3e38F};
  const std::vector<std::uint8_t> bytes = {0, 255};
  const std::vector<std::int64_t> longs = {-1, 1LL << 62};
  CHECK(round_trip(folder, ElementType::F32, floats) == floats);
  CHECK(round_trip(folder, ElementType::U8, bytes) == bytes);
  CHECK(round_trip(folder, ElementType::S64, longs) == longs);
  CHECK(round_trip(folder, ElementType::F64, std::vector<double>{}).empty());
}

TEST_CASE("A written file is what NumPy writes, byte for byte") {
  const ScratchFolder folder;
  const std::vector<float> elements = {1.0F};
  write_npy(folder.path("a.npy"), ElementType::F32, std::as_bytes(std::span(elements)));
  // numpy.save of numpy.array([1], dtype='<f4'), as the format's description lays it out.
  std::string expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  expected += std::string(128 - expected.size() - 1, ' ') + "\n";
  expected += std::string("\x00\x00\x80\x3f", 4);
  CHECK(read_text(folder.path("a.npy")) == expected);
}

TEST_CASE("Headers are read in any order, version and shape") {
  CHECK(parse(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n", 48)).count == 12);
  CHECK(parse(npy_file("{\"shape\":(2,),\"descr\":\"<u8\",\"fortran_order\":True}", 16)).type ==
        ElementType::U64);
  CHECK(parse(npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': ()}", 1)).count == 1);
  CHECK(parse(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (5)}", 20)).count == 5);
  CHECK(parse(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 5)}", 0)).count == 0);
  CHECK(parse(npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8, 2)).type ==
        ElementType::F64);
  CHECK(parse(npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8, 3)).data_offset == 67);
}

TEST_CASE("Malformed .npy files are refused with the byte of the trouble") {
  const auto with = [](const std::string& dictionary) { return npy_file(dictionary, 4); };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
  std::string sixty_five_ones;
  for (int k = 0; k < 65; ++k) sixty_five_ones += "1,";
  const std::pair<std::string, std::string> cases[] = {
      {"", "x.npy: error: byte 0: this is no .npy file"},
      {" \x93NUMPY", "byte 0: this is no .npy file"},
      {"\x93NUMPY", "byte 6: the file ends before the version"},
      {std::string("\x93NUMPY\x04\x00", 8), "byte 7: version 4 of .npy is not known"},
      {std::string("\x93NUMPY\x01\x00\x10", 9), "byte 8: the file ends before the length of the header"},
      {std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "the header of 65535 bytes is cut off, or too long"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14),
       "the header of 4294967295 bytes is cut off, or too long"},
      {with("['descr']"), "byte 10: '{' must stand here"},
      {with("{descr: 1}"), "byte 11: text in quotes must stand here"},
      {with("{'descr"), "byte 11: the quoted text has no end"},
      {with("{'descr' '<f4'}"), "byte 19: ':' must stand here"},
      {with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}"),
       "byte 20: elements of type \">f4\" are not supported"},
      {with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"), "byte 20: text in quotes"},
      {with("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}"), "True or False must stand here"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': 1}"), "'(' must stand here"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
       "an extent (a whole number) must stand here"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}"), "')' must stand here"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2 2)}"), "')' must stand here"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
       "the extent is too large"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}"),
       "more elements than any file holds"},
      {with("{'descr': '<f4', 'fortran_order': False, 'shape': (" + sixty_five_ones + ")}"),
       "more than 64 dimensions"},
      {with("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1)}"), "Fortran order is not supported"},
      {with("{'descr': '<f4', 'shape': (1,)}"), "must have 'descr', 'fortran_order' and 'shape'"},
      {with("{'descr': '<f4', 'descr': '<f4'}"), "key \"descr\" is unknown or stands here again"},
      {with("{'colour': 1}"), "byte 11: key \"colour\" is unknown"},
      {with(good + "x"), "only blanks may follow"},
      {npy_file(good, 3), "byte 65: the shape needs 4 bytes of elements, the file has 3"},
      {npy_file(good, 5), "the shape needs 4 bytes of elements, the file has 5"},
  };
  for (const auto& [bytes, message] : cases) check_says(error_of(bytes), message);
}

TEST_CASE("No bytes make the .npy reader do anything but read or refuse") {
  std::mt19937 engine(1);
  const std::string good = npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 4);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good.substr(0, engine() % 8 == 0 ? engine() % good.size() : good.size());
    for (auto change = engine() % 6; change != 0 && !bytes.empty(); --change) {
      bytes[engine() % bytes.size()] = static_cast<char>(engine());
    }
    if (round % 4 == 0)
      std::generate(bytes.begin() + std::min<long>(10, static_cast<long>(bytes.size())), bytes.end(),
                    [&] { return static_cast<char>(engine()); });
    const std::string answer = error_of(bytes);
    if (answer != "no error") {
      ++refused;
      REQUIRE(answer.starts_with("x.npy: error: byte "));
    }
  }
  CHECK(refused > 10000);
  CHECK(refused < 20000);
}

TEST_CASE("Files that cannot be read are refused") {
  const ScratchFolder folder;
  check_says(message_of([&] { read_npy_header(folder.path("none.npy")); }), "none.npy: error: no such file");
  check_says(message_of([&] { read_npy_header("/dev/zero"); }), "not a regular file");
  const std::string pipe = folder.path("pipe.npy");  // cannot be read twice
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  check_says(message_of([&] { read_npy_header(pipe); }), "not a regular file");
}

TEST_CASE("Nothing but a regular file is replaced by an array") {
  const ScratchFolder folder;
  check_says(message_of([&] { write_npy("/dev/null", ElementType::U8, {}); }), "no regular file");
  check_says(message_of([&] { write_npy(folder.path(""), ElementType::U8, {}); }), "no regular file");
  check_says(message_of([&] { write_npy(folder.path("no/such/folder.npy"), ElementType::U8, {}); }),
             "the file cannot be written: No such file or directory");
}

/// Lets files grow to so many bytes only, which fails a write as a full disk does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_CASE("A write that fails leaves the old file and nothing else") {
  const ScratchFolder folder;
  const std::string path = folder.write("a.npy", "old");
  const std::vector<float> elements(100000);
  const std::size_t files = folder.files();
  {
    const FileSizeLimit limit(4096);
    check_says(message_of([&] { write_npy(path, ElementType::F32, std::as_bytes(std::span(elements))); }),
               "a.npy: error: the file cannot be written");
  }
  CHECK(read_text(path) == "old");
  CHECK(folder.files() == files);
  write_npy(path, ElementType::F32, std::as_bytes(std::span(elements)));
  CHECK(read_npy_header(path).count == 100000);
  CHECK(folder.files() == files);
}

}  // namespace
}  // namespace heddle::launch
