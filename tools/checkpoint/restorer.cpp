#include "tools/checkpoint/restorer.h"

#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <cstring>

// Addresses of another process are numbers here.
// NOLINTBEGIN(performance-no-int-to-ptr)

namespace heddle::checkpoint {

namespace {

constexpr std::size_t kStackBytes = std::size_t{1} << 16;

}  // namespace

#if defined(__x86_64__) && defined(__linux__)

// All of the section is copied: it calls nothing outside of itself, and has no constants of its own
// elsewhere.
#define HEDDLE_RESTORER __attribute__((section("heddle_restorer"), noinline, no_stack_protector, used))

namespace {

[[gnu::always_inline]] inline long system_call(long number, unsigned long a, unsigned long b = 0,
                                               unsigned long c = 0, unsigned long d = 0, unsigned long e = 0,
                                               unsigned long f = 0) {
  register unsigned long r10 asm("r10") = d;
  register unsigned long r8 asm("r8") = e;
  register unsigned long r9 asm("r9") = f;
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

[[gnu::always_inline]] inline bool failed(long result) { return result < 0 && result > -4096; }

/// Nothing is left that could say more.
[[noreturn, gnu::always_inline]] inline void give_up(const Restoration* work) {
  system_call(SYS_write, 2, reinterpret_cast<unsigned long>(work->last_words), work->last_words_bytes);
  for (;;) system_call(SYS_exit_group, 2);
}

[[gnu::always_inline]] inline void read_all(const Restoration* work, void* to, std::size_t bytes) {
  auto at = reinterpret_cast<unsigned long>(to);
  while (bytes != 0) {
    const long got = system_call(SYS_read, static_cast<unsigned long>(work->image), at, bytes);
    if (failed(got) || got == 0) give_up(work);
    at += static_cast<unsigned long>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

HEDDLE_RESTORER void unmap_old(const Restoration* work) {
  for (std::size_t i = 0; i < work->old_count; ++i) {
    const Mapping& old = work->old[i];
    if (old.kind == Mapping::Kind::Kernel || old.kind == Mapping::Kind::Fixed) continue;
    if (old.overlaps(work->region_begin, work->region_end)) continue;
    if (failed(system_call(SYS_munmap, old.begin, old.end - old.begin))) give_up(work);
  }
}

/// The kernel's own mappings are the same in both, but for their place.
HEDDLE_RESTORER void move_kernel_mappings(const Restoration* work) {
  std::size_t to = 0;
  for (std::size_t from = 0; from < work->old_count; ++from) {
    const Mapping& old = work->old[from];
    if (old.kind != Mapping::Kind::Kernel) continue;
    while (work->saved[to].kind != Mapping::Kind::Kernel) ++to;
    const Mapping& saved = work->saved[to++];
    if (old.begin == saved.begin) continue;
    const std::size_t bytes = old.end - old.begin;
    if (failed(system_call(SYS_mremap, old.begin, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, saved.begin)))
      give_up(work);
  }
}

HEDDLE_RESTORER void fill_in(const Restoration* work) {
  for (std::size_t i = 0; i < work->saved_count; ++i) {
    const Mapping& saved = work->saved[i];
    if (saved.kind == Mapping::Kind::Kernel || saved.kind == Mapping::Kind::Fixed) continue;
    const std::size_t bytes = saved.end - saved.begin;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
    const long place = system_call(SYS_mmap, saved.begin, bytes, PROT_READ | PROT_WRITE, kFlags, ~0UL);
    if (failed(place) || static_cast<std::uintptr_t>(place) != saved.begin) give_up(work);
    for (Run run;;) {
      read_all(work, &run, sizeof(run));
      if (run.bytes == 0) break;
      read_all(work, reinterpret_cast<void*>(run.begin), run.bytes);
    }
    constexpr int kWritable = PROT_READ | PROT_WRITE;
    if (saved.protection != kWritable &&
        failed(system_call(SYS_mprotect, saved.begin, bytes, static_cast<unsigned long>(saved.protection))))
      give_up(work);
  }
}

HEDDLE_RESTORER void restore_memory(const Restoration* work) {
  unmap_old(work);
  move_kernel_mappings(work);
  fill_in(work);
  system_call(SYS_close, static_cast<unsigned long>(work->image));
  if (failed(system_call(SYS_arch_prctl, ARCH_SET_FS, work->thread))) give_up(work);
  work->go_on();
}

}  // namespace

// The linker gives these names to the ends of a section.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" const std::byte __start_heddle_restorer[];
extern "C" const std::byte __stop_heddle_restorer[];
// NOLINTEND(bugprone-reserved-identifier)

std::size_t restorer_bytes() {
  return static_cast<std::size_t>(__stop_heddle_restorer - __start_heddle_restorer) + kStackBytes;
}

void leave_for(std::byte* region, const Restoration& restoration) {
  const auto code_bytes = static_cast<std::size_t>(__stop_heddle_restorer - __start_heddle_restorer);
  std::memcpy(region, __start_heddle_restorer, code_bytes);
  const std::ptrdiff_t entry = reinterpret_cast<const std::byte*>(&restore_memory) - __start_heddle_restorer;
  // The work lies above the stack, which is aligned as before a call.
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(region) + restorer_bytes();
  const std::uintptr_t top = (end - sizeof(Restoration)) & ~std::uintptr_t{63};
  std::memcpy(reinterpret_cast<void*>(top), &restoration, sizeof(restoration));
  asm volatile("mov %%rdi, %%rsp\n\txor %%ebp, %%ebp\n\tcall *%%rax\n\tud2"
               :
               : "D"(top), "a"(region + entry)
               : "memory");
  std::abort();
}

#else

std::size_t restorer_bytes() { return kStackBytes; }
void leave_for(std::byte*, const Restoration&) { std::abort(); }

#endif

}  // namespace heddle::checkpoint
// NOLINTEND(performance-no-int-to-ptr)
