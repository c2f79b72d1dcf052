#include "tools/heddle/journal/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <set>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "isa/base/write_all.h"
#include "tools/heddle/journal/journal_lines.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kReadableByUmask = 0666;
/// The results of this time can be lost in a power failure. A killed process loses nothing of them.
constexpr double kSecondsBetweenSyncs = 1;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

InputError unwritable(const std::string& path) {
  return {{path, 0, 0}, fmt::format("the file cannot be written: {}", std::strerror(errno))};
}

/// The contents of an existing journal.
struct Contents {
  bool has_head = false;
  JournalHead head;
  std::uint64_t end = 0;  ///< End of its last complete line.
};

/// A file with nothing but an incomplete head counts as empty.
Contents read_head(JournalReader& reader, const std::string& path) {
  const bool has_line = reader.next();
  const auto object = has_line ? unsealed(reader.line()) : std::nullopt;
  const auto head = object ? head_from_json(*object) : std::nullopt;
  if (head) return {true, *head, reader.end()};
  if (!has_line && may_be_head(reader.rest())) return {};
  throw InputError({path, 0, 0}, "is there already, and no journal of heddle run: it stays as it is");
}

/// The run number of a line, from 1; 0 if the line belongs to no run.
std::size_t run_of(const std::optional<Json>& object) {
  if (!object || !object->contains("run") || !object->contains("outcomes")) return 0;
  const Json& run = object->at("run");
  return run.is_number_unsigned() ? run.get<std::size_t>() : 0;
}

/// Passes each complete run to `take`, once. Returns how many there are.
std::size_t read_runs(JournalReader& reader, Contents& contents, const Journal::Take& take) {
  std::set<std::size_t> runs;
  while (reader.next()) {
    contents.end = reader.end();
    const auto object = unsealed(reader.line());
    const std::size_t run = run_of(object);
    if (run == 0 || run > contents.head.runs || !runs.insert(run).second) continue;
    take(run - 1, object->at("outcomes"));
  }
  return runs.size();
}

/// A new journal would overwrite these runs.
void require_no_runs(JournalReader& reader, Contents& contents, const std::string& path) {
  const std::size_t runs = read_runs(reader, contents, [](std::size_t, const Json&) {});
  if (runs == 0) return;
  throw InputError({path, 0, 0}, fmt::format("has {} of {} runs in it that an earlier command has made: "
                                             "--resume goes on with them; without the file, all begins again",
                                             runs, contents.head.runs));
}

}  // namespace

Journal::Journal(const std::string& path, const JournalHead& head, Mode mode, const Take& take)
    : path_(path) {
  open();
  try {
    begin(head, mode, take);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

void Journal::begin(const JournalHead& head, Mode mode, const Take& take) {
  JournalReader reader(path_);
  Contents contents = read_head(reader, path_);
  if (mode == Mode::Begin && contents.has_head) require_no_runs(reader, contents, path_);
  if (mode == Mode::Begin || !contents.has_head) return restart(head);
  require_same(head, contents.head, path_);
  runs_ = read_runs(reader, contents, take);
  // An incomplete line is cut off, so that the next line does not continue it.
  if (ftruncate(descriptor_, static_cast<off_t>(contents.end)) != 0) throw unwritable(path_);
}

Journal::~Journal() {
  if (descriptor_ < 0) return;
  if (runs_ == 0) remove();
  close(descriptor_);
}

/// Takes a lock that the system releases when the process ends in any way.
void Journal::open() {
  require_writable(path_);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kReadableByUmask);
  if (descriptor_ < 0) throw unwritable(path_);
  struct stat status = {};
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor_, &status) == 0 && status.st_nlink != 0)
    return;
  close(descriptor_);
  throw InputError({path_, 0, 0}, "another heddle is at work with this journal");
}

void Journal::restart(const JournalHead& head) {
  if (ftruncate(descriptor_, 0) != 0) throw unwritable(path_);
  write(sealed(head_to_json(head)));
}

void Journal::add(std::size_t run, const Json& report, const Json& outcomes) {
  write(sealed({{"run", run + 1}, {"report", report}, {"outcomes", outcomes}}));
  ++runs_;
}

void Journal::write(const std::string& line) {
  if (!write_all(descriptor_, line)) throw unwritable(path_);
  sync_now_and_then();
}

void Journal::sync_now_and_then() {
  const double now = seconds();
  if (now - synced_ < kSecondsBetweenSyncs) return;
  if (fdatasync(descriptor_) != 0) throw unwritable(path_);
  synced_ = now;
}

void Journal::remove() { unlink(path_.c_str()); }

}  // namespace heddle::command
