#include "sim/trace/read/kernels_list.h"

#include "tests/sim/config/refusal.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {

TEST_CASE("A list of kernels and copies, in its order") {
  const test::ScratchFolder folder;
  folder.write("sub/kernel-1.traceg", "");
  folder.write("sub/kernel-2-ctx_0x55.tracez", "");
  const std::string path =
      folder.write("sub/kernelslist.g",
                   "MemcpyHtoD,0x00007fc841500000,32768\n\nkernel-1.traceg\nMemcpyDtoH,0x1,2\n"
                   "# note\nMemcpyHtoD,0xff,1\nFlushCaches\nkernel-2-ctx_0x55.tracez");
  CHECK(is_kernels_list(path));
  CHECK_FALSE(is_kernels_list("sub/kernel-1.traceg"));
  const KernelsList list = read_kernels_list(path);
  REQUIRE(list.entries.size() == 5);
  CHECK(list.entries[0].kind == ListEntry::Kind::Copy);
  CHECK(list.entries[0].address == 0x7fc841500000);
  CHECK(list.entries[0].bytes == 32768);
  CHECK(to_text(list.entries[0]) == "MemcpyHtoD,0x00007fc841500000,32768\n");
  CHECK(list.entries[1].kind == ListEntry::Kind::Kernel);
  CHECK(list.entries[1].name == "kernel-1.traceg");
  CHECK(list.entries[1].path == folder.path() + "/sub/kernel-1.traceg");
  CHECK(list.entries[1].line == 3);
  CHECK(list.entries[2].bytes == 1);
  CHECK(list.entries[4].name == "kernel-2-ctx_0x55.tracez");
  CHECK(to_text(list.entries[3]) == "FlushCaches\n");
  CHECK(list.passed_over == 2);
  CHECK(list.first_passed_over == 4);
  CHECK(list.passed_over_text == "MemcpyDtoH,0x1,2");
}

TEST_CASE("A list without a kernel is none") {
  const test::ScratchFolder folder;
  for (const char* text : {"", "\n", "MemcpyHtoD,0x1000,64\n", "MemcpyDtoH,0x1000,64\n"}) {
    const std::string path = folder.write("kernelslist.g", text);
    const auto list = sim::refusal([&] { read_kernels_list(path); });
    REQUIRE(list.size() == 1);
    CHECK(list[0].where.file == path);
    CHECK(list[0].message == "names no kernel: a line for one begins with 'kernel'");
  }
}

TEST_CASE("A list names traces in other folders") {
  const test::ScratchFolder folder;
  for (const char* name : {"kernel-1.traceg", "sub/kernel-2.traceg.xz", "sub/kernel-3", "other/app.traceg", "up/kernel-4.tracez"})
    folder.write(name, "");
  const std::string list = folder.write(
      "up/kernelslist.g", "../kernel-1.traceg\n../sub/kernel-2.traceg.xz\r\n../sub/kernel-3\n  ../other/app.traceg\n./kernel-4.tracez\n" +
                              folder.path() + "/kernel-1.traceg\n");
  const auto entries = read_kernels_list(list).entries;
  REQUIRE(entries.size() == 6);
  for (const ListEntry& entry : entries) CHECK(entry.kind == ListEntry::Kind::Kernel);
  CHECK(entries[1].path == folder.path() + "/up/../sub/kernel-2.traceg.xz");
  CHECK(entries[5].path == folder.path() + "/kernel-1.traceg");
}

TEST_CASE("A line of a list that is no known command is a mistake, one that does nothing here is passed over") {
  const test::ScratchFolder folder;
  folder.write("kernel-1.traceg", "");
  const KernelsList passed = read_kernels_list(folder.write(
      "a.g", "kernel-1.traceg\nMemcpyDtoH,0x1,2\nmemcpy_peer\nMemset,0x1,2\nncclAllReduce,1\nncclGroupStart\ncudaFree,0x1\n# x\n"));
  CHECK(passed.entries.size() == 1);
  CHECK(passed.passed_over == 7);
  const auto list = sim::refusal([&] {
    read_kernels_list(folder.write(
        "b.g", "kernel-1.traceg\nkernal-3.traceg\nsub/kernel-9.traceg\n/nowhere/kernel-1.traceg.xz\nsomething\nFlushCachez\nsub/other\n"));
  });
  REQUIRE(list.size() == 6);
  for (std::size_t i = 0; i < list.size(); ++i) CHECK(list[i].where.line == i + 2);
  CHECK(list[0].message == "there is no trace 'kernal-3.traceg' here");
  CHECK(list[2].message == "there is no trace '/nowhere/kernel-1.traceg.xz' here");
  CHECK(list[3].message.starts_with("'something' is neither a trace nor a command"));
  CHECK(list[5].message.starts_with("'sub/other' is neither a trace nor a command"));
}

TEST_CASE("Lists that are malformed are told with all their mistakes") {
  const test::ScratchFolder folder;
  const std::string path =
      folder.write("kernelslist.g",
                   "kernel-1.traceg\nMemcpyHtoD,12,5\nMemcpyHtoD,0x12\nMemcpyHtoD,0x12,-5\n"
                   "MemcpyHtoD,0x12,5,6\nMemcpyHtoD\nMemcpyHtoD,0x,5\nMemcpyHtoD,0x0,18446744073709551615\n");
  const auto list = sim::refusal([&] { read_kernels_list(path); });
  const char* const expected[] = {
      "there is no trace 'kernel-1.traceg' here",
      "'12' stands where a hexadecimal address should be; a copy is 'MemcpyHtoD,0x<address>,<bytes>'",
      "the end of the line stands where a number of bytes should be; a copy is "
      "'MemcpyHtoD,0x<address>,<bytes>'",
      "'-5' stands where a number of bytes should be; a copy is 'MemcpyHtoD,0x<address>,<bytes>'",
      "'6' stands where the end of the line should be; a copy is 'MemcpyHtoD,0x<address>,<bytes>'",
      "the end of the line stands where a hexadecimal address should be; a copy is "
      "'MemcpyHtoD,0x<address>,<bytes>'",
      "'0x' stands where a hexadecimal address should be; a copy is 'MemcpyHtoD,0x<address>,<bytes>'",
      "the copy ends behind 0x200000000000000, where addresses end"};
  REQUIRE(list.size() == std::size(expected));
  for (std::size_t i = 0; i < list.size(); ++i) {
    CHECK(list[i].message == expected[i]);
    CHECK(list[i].where.line == i + 1);
  }
  CHECK(sim::refusal([&] { read_kernels_list(folder.path() + "/absent.g"); }).size() == 1);
}

}  // namespace heddle::trace
