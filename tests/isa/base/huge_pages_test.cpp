#include "isa/base/huge_pages.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace heddle {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasOwnMalloc = true;
#else
constexpr bool kHasOwnMalloc = false;
#endif

/// The flags of the mapping in which it lies, as proc(5) tells them: "rd wr mr mw me ac hg".
std::string flags_of(const void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::ifstream maps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> first >> dash >> end && dash == '-') is_here = first <= address && address < end;
    if (is_here && line.rfind("VmFlags:", 0) == 0) return line;
  }
  return "";
}

TEST_CASE(
    "what is allocated after prefer_huge_pages() lies where the kernel gives huge pages, as far as it goes") {
  if (kHasOwnMalloc || !std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) {
    SUCCEED("no malloc of glibc, or a kernel without huge pages");
    return;
  }
  const std::vector<char> before(std::size_t{64} << 10, 1);
  prefer_huge_pages(std::size_t{32} << 20);
  const std::vector<char> after(std::size_t{16} << 20, 1);
  const std::vector<char> beyond(std::size_t{64} << 20, 1);
  const auto is_huge = [](const std::vector<char>& memory) {
    const std::string flags = flags_of(memory.data() + memory.size() / 2);
    REQUIRE_FALSE(flags.empty());
    return flags.find(" hg") != std::string::npos;
  };
  CHECK_FALSE(is_huge(before));
  CHECK(is_huge(after));
  CHECK_FALSE(is_huge(beyond));
}

}  // namespace
}  // namespace heddle
