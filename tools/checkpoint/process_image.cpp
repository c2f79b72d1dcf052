#include "tools/checkpoint/process_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/write_all.h"
#include "tools/checkpoint/mappings.h"
#include "tools/checkpoint/open_files.h"
#include "tools/checkpoint/restorer.h"
#include "tools/checkpoint/support.h"

// glibc 2.35 and newer tell the kernel where a thread's restartable sequences are noted.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" [[gnu::weak]] const std::ptrdiff_t __rseq_offset;
extern "C" [[gnu::weak]] const unsigned int __rseq_size;
// NOLINTEND(bugprone-reserved-identifier)

// Addresses of another process are numbers here.
// NOLINTBEGIN(performance-no-int-to-ptr)

namespace heddle::checkpoint {

namespace {

constexpr std::array<char, 8> kMagic = {'H', 'e', 'd', 'd', 'l', 'e', 'C', '1'};
constexpr std::size_t kMostLabel = 4096;
constexpr std::size_t kPage = 4096;
constexpr int kSignals = 32;

/// At the beginning of an image; then come the mappings, then their runs.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::array<char, 256> machine{};  ///< Kernel and processor.
  std::array<char, kMostLabel> label{};
  std::size_t bytes = 0;  ///< Of the whole file.
  std::size_t mappings = 0;
  std::uintptr_t thread = 0;
  void (*go_on)() = nullptr;
  OpenFiles files;
};

/// What a process needs to go on from its image, and what the one that writes it needs: it must not allocate.
struct State {
  ucontext_t context;
  std::array<struct sigaction, kSignals> handlers;
  Header header;
  std::array<Mapping, kMostMappings> mappings;
  bool is_restored = false;
  pid_t original = 0;
  pid_t writer = 0;
  char path[4096] = {};
  char temporary[4096] = {};
};

State& state() {
  static State the_state;
  return the_state;
}

template <std::size_t size>
void set_text(std::array<char, size>& to, const std::string& text) {
  to.fill('\0');
  std::memcpy(to.data(), text.data(), std::min(text.size(), size - 1));
}

std::string temporary_of(const std::string& path) { return path + ".new"; }

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError({path, 0, 0}, what);
}

// -- the process that writes: it has just been forked, and allocates nothing
// ------------------------------------------

bool write_bytes(int file, const void* bytes, std::size_t count) {
  return write_all(file, {static_cast<const std::byte*>(bytes), count});
}

/// Which pages of a range hold something: those that somebody has touched, as /proc/self/pagemap tells.
class TouchedPages {
 public:
  TouchedPages() : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~TouchedPages() { ::close(file_); }
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;

  bool hold(std::uintptr_t address) {
    const std::uintptr_t page = address / kPage;
    if (page < first_ || page >= first_ + known_) {
      const ssize_t got =
          ::pread(file_, entries_, sizeof(entries_), static_cast<off_t>(page * sizeof(entries_[0])));
      if (got < static_cast<ssize_t>(sizeof(entries_[0]))) return true;
      first_ = page;
      known_ = static_cast<std::size_t>(got) / sizeof(entries_[0]);
    }
    constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
    return (entries_[page - first_] & kPresentOrSwapped) != 0;
  }

 private:
  int file_;
  std::uintptr_t first_ = 0;
  std::size_t known_ = 0;
  std::uint64_t entries_[512] = {};
};

bool write_mapping(int file, const Mapping& mapping, TouchedPages& touched) {
  if (mapping.kind == Mapping::Kind::Kernel || mapping.kind == Mapping::Kind::Fixed) return true;
  const bool is_readable = (mapping.protection & PROT_READ) != 0;
  std::uintptr_t at = mapping.begin;
  while (is_readable && at < mapping.end) {
    const std::uintptr_t begin = at;
    while (at < mapping.end && (mapping.has_file || touched.hold(at))) at += kPage;
    const Run run{begin, at - begin};
    if (run.bytes != 0 && !(write_bytes(file, &run, sizeof(run)) &&
                            write_bytes(file, reinterpret_cast<const void*>(begin), run.bytes)))
      return false;
    while (at < mapping.end && !mapping.has_file && !touched.hold(at)) at += kPage;
  }
  const Run end;
  return write_bytes(file, &end, sizeof(end));
}

/// It dies with the process that it writes of: who goes on from the file may write it, too.
bool write_image(State& of) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != of.original) return false;
  const int file = ::open(of.temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return false;
  of.header.mappings = read_mappings(of.mappings);
  TouchedPages touched;
  bool is_good = of.header.mappings != 0 && write_bytes(file, &of.header, sizeof(of.header)) &&
                 write_bytes(file, of.mappings.data(), of.header.mappings * sizeof(Mapping));
  for (std::size_t i = 0; is_good && i < of.header.mappings; ++i)
    is_good = write_mapping(file, of.mappings[i], touched);
  of.header.bytes = static_cast<std::size_t>(::lseek(file, 0, SEEK_CUR));
  is_good =
      is_good && ::pwrite(file, &of.header, sizeof(of.header), 0) == static_cast<ssize_t>(sizeof(of.header));
  is_good = is_good && ::fsync(file) == 0;
  is_good = ::close(file) == 0 && is_good;
  is_good = is_good && ::rename(of.temporary, of.path) == 0;
  if (!is_good) ::unlink(of.temporary);
  return is_good;
}

// -- the process that goes on
// ------------------------------------------------------------------------------------------

constexpr unsigned kRseqSignature = 0x53053053;

/// Tells the kernel where the thread's restartable sequences are noted, or that it is to forget that.
void register_sequences(bool is_wanted) {
  if (&__rseq_size == nullptr || __rseq_size == 0) return;
  constexpr unsigned kUnregister = 1;
  constexpr unsigned kLeastBytes = 32;
  auto* const area = static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset;
  ::syscall(SYS_rseq, area, std::max(__rseq_size, kLeastBytes), is_wanted ? 0U : kUnregister, kRseqSignature);
}

/// The first that runs in the memory of the image.
[[noreturn]] void go_on_restored() {
  State& saved = state();
  register_sequences(true);
  for (int signal = 1; signal < kSignals; ++signal)
    ::sigaction(signal, &saved.handlers[static_cast<std::size_t>(signal)], nullptr);
  saved.is_restored = true;
  ::setcontext(&saved.context);
  std::abort();
}

Header read_header(int file, const std::string& path) {
  Header header;
  if (::read(file, &header, sizeof(header)) != static_cast<ssize_t>(sizeof(header)) || header.magic != kMagic)
    fail(path, "the file is no checkpoint of this version of Heddle");
  struct stat status {};
  if (::fstat(file, &status) != 0 || static_cast<std::size_t>(status.st_size) != header.bytes)
    fail(path, "the checkpoint is cut off");
  header.label.back() = header.machine.back() = '\0';
  return header;
}

void require_same_machine(const Header& header, const std::vector<Mapping>& saved, const std::string& path) {
  const std::string here = machine_text().substr(0, header.machine.size() - 1);
  if (here != header.machine.data())
    fail(path, fmt::format("the checkpoint was made on another machine: {}; this is {}",
                           header.machine.data(), here));
  const auto kernel_bytes = [](const std::vector<Mapping>& mappings) {
    std::vector<std::size_t> bytes;
    for (const Mapping& each : mappings) {
      if (each.kind == Mapping::Kind::Kernel) bytes.push_back(each.bytes());
    }
    return bytes;
  };
  if (kernel_bytes(saved) != kernel_bytes(all_mappings()))
    fail(path, "the checkpoint was made on a machine whose kernel maps other things into processes");
}

/// The stack of the image has to grow again.
void extend_stack(std::vector<Mapping>& saved) {
  constexpr std::size_t kMostStack = std::size_t{8} << 20;
  for (std::size_t i = 0; i < saved.size(); ++i) {
    if (saved[i].kind != Mapping::Kind::Stack) continue;
    const std::uintptr_t wanted = saved[i].end - std::max(kMostStack, saved[i].bytes());
    saved[i].begin = std::max(wanted, i == 0 ? wanted : saved[i - 1].end);
  }
}

/// A place where neither process has anything.
std::byte* free_region(std::size_t bytes, const std::vector<Mapping>& saved, const std::string& path) {
  constexpr std::uintptr_t kFirst = std::uintptr_t{1} << 32;
  constexpr std::uintptr_t kLast = std::uintptr_t{1} << 46;
  for (std::uintptr_t at = kFirst; at < kLast; at += kFirst) {
    if (std::any_of(saved.begin(), saved.end(),
                    [&](const Mapping& each) { return each.overlaps(at, at + bytes); }))
      continue;
    void* const place = ::mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (place != MAP_FAILED) return static_cast<std::byte*>(place);
  }
  fail(path, "there is no room for what restores it");
}

}  // namespace

std::string label_of(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, std::strerror(errno));
  const Header header = read_header(file, path);
  ::close(file);
  return header.label.data();
}

void finish() {
  State& of = state();
  if (of.writer == 0) return;
  int status = 0;
  while (::waitpid(of.writer, &status, 0) < 0 && errno == EINTR) {
  }
  of.writer = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail(of.path, fmt::format("the checkpoint could not be written: {}",
                              std::strerror(WIFEXITED(status) ? WEXITSTATUS(status) : EINTR)));
}

void remove(const std::string& path) {
  std::filesystem::remove(path);
  std::filesystem::remove(temporary_of(path));
}

Side save(const std::string& path, const std::string& label) {
  finish();
  State& of = state();
  if (label.size() >= kMostLabel || path.size() + 8 >= sizeof(of.path))
    fail(path, "the command is too long for a checkpoint");
  std::memcpy(of.path, path.c_str(), path.size() + 1);
  fmt::format_to_n(of.temporary, sizeof(of.temporary) - 1, "{}{}", temporary_of(path), '\0');
  set_text(of.header.machine, machine_text());
  set_text(of.header.label, label);
  of.header.files = open_files(path);
  of.header.thread = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  of.header.go_on = &go_on_restored;
  for (int signal = 1; signal < kSignals; ++signal)
    ::sigaction(signal, nullptr, &of.handlers[static_cast<std::size_t>(signal)]);
  of.is_restored = false;
  of.original = ::getpid();
  ::getcontext(&of.context);
  if (static_cast<volatile State&>(of).is_restored) {
    of.writer = 0;
    return Side::Restored;
  }
  of.writer = ::fork();
  if (of.writer < 0) {
    of.writer = 0;
    fail(path, fmt::format("the checkpoint cannot be written: {}", std::strerror(errno)));
  }
  if (of.writer == 0) ::_exit(write_image(of) ? 0 : std::max(errno, 1));
  return Side::Original;
}

void restore(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, std::strerror(errno));
  const Header header = read_header(file, path);
  std::vector<Mapping> saved(header.mappings);
  const auto bytes = static_cast<ssize_t>(saved.size() * sizeof(Mapping));
  if (header.mappings > kMostMappings || ::read(file, saved.data(), static_cast<std::size_t>(bytes)) != bytes)
    fail(path, "the checkpoint is cut off");
  require_same_machine(header, saved, path);
  extend_stack(saved);
  const int image = reopen(header.files, file, path);
  const std::size_t table = 2 * kMostMappings * sizeof(Mapping);
  const std::size_t region_bytes = (restorer_bytes() + table + kPage - 1) / kPage * kPage;
  std::byte* const region = free_region(region_bytes, saved, path);

  auto* const tables = reinterpret_cast<Mapping*>(region + region_bytes - table);
  std::copy(saved.begin(), saved.end(), tables);
  Restoration work;
  work.image = image;
  work.saved = tables;
  work.saved_count = saved.size();
  work.old = tables + kMostMappings;
  work.region_begin = reinterpret_cast<std::uintptr_t>(region);
  work.region_end = work.region_begin + region_bytes;
  work.thread = header.thread;
  work.go_on = header.go_on;
  const auto said = fmt::format_to_n(work.last_words, sizeof(work.last_words),
                                     "heddle: the checkpoint cannot be restored\n");
  work.last_words_bytes = std::min(said.size, sizeof(work.last_words));
  register_sequences(false);
  work.old_count = read_mappings({tables + kMostMappings, kMostMappings});
  leave_for(region, work);
}

}  // namespace heddle::checkpoint
// NOLINTEND(performance-no-int-to-ptr)
