#include "tools/checkpoint/support.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "isa/base/host.h"
#include "tools/checkpoint/mappings.h"

namespace heddle::checkpoint {

namespace {

/// In a process that can be done without.
bool move_kernel_mappings() {
  const std::vector<Mapping> mappings = all_mappings();
  for (const Mapping& each : mappings) {
    if (each.kind != Mapping::Kind::Kernel) continue;
    void* const place = ::mmap(nullptr, each.bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where the kernel has put it
    if (::mremap(reinterpret_cast<void*>(each.begin), each.bytes(), each.bytes(),
                 MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED)
      return false;
  }
  return !mappings.empty();
}

/// A restored process has them where they were in the process of the image.
bool can_move_kernel_mappings() {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) ::_exit(move_kernel_mappings() ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string why_not() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "this program is built with sanitizers";
#elif defined(__x86_64__) && defined(__linux__)
  return can_move_kernel_mappings() ? "" : "the kernel does not let processes move its vDSO";
#else
  return "they are made by Linux on x86-64";
#endif
}

std::string machine_text() {
  utsname system{};
  ::uname(&system);
  return fmt::format("Linux {}, {}", system.release, processor_name());
}

}  // namespace heddle::checkpoint
