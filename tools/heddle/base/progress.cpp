#include "tools/heddle/base/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "tools/report/text_columns.h"

namespace heddle::command {

namespace {

constexpr double kSilentSeconds = 1.0;
constexpr double kSecondsBetween = 0.2;
constexpr double kLongRun = 2.0;    // seconds; with many runs, shorter ones would only flicker
constexpr double kPatience = 20.0;  // seconds without the end of a block
constexpr std::size_t kLongestName = 16;
/// A line that wraps cannot be erased.
constexpr std::size_t kLongestLine = 79;
constexpr std::string_view kEraseLine = "\r\x1b[K";
constexpr double kMillion = 1e6;

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  return seconds < 2 * kHour ? fmt::format("{:.0f} min", seconds / kMinute)
                             : fmt::format("{:.1f} h", seconds / kHour);
}

std::string shown_name(const std::string& name) { return report::printable(name.substr(0, kLongestName)); }

double millions(std::uint64_t count) { return static_cast<double>(count) / kMillion; }

/// An estimate from the share of the work that is done.
std::string time_left(double elapsed, double share) {
  return fmt::format(", {} left", duration_text(elapsed * (1 - share) / share));
}

/// If all blocks of a launch run at once, only cycles and instructions can be shown.
std::string run_text(const std::string& name, const sim::Progress& progress, double elapsed) {
  const std::string cycles = fmt::format("{}: {:.2f} M cycles", name, millions(progress.cycle));
  if (progress.blocks_done == 0) {
    return fmt::format("{}, {:.1f} M warp instructions, 0 of {} blocks", cycles,
                       millions(progress.warp_instructions), progress.blocks);
  }
  const double share = static_cast<double>(progress.blocks_done) / static_cast<double>(progress.blocks);
  return fmt::format("{}, {:.2f} M/s, {} of {} blocks ({:.0f} %){}", cycles,
                     millions(progress.cycle) / elapsed, progress.blocks_done, progress.blocks, 100 * share,
                     time_left(elapsed, share));
}

}  // namespace

Clock steady_clock() {
  return [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
}

// -- a line ---------------------------------------------------------------------------------------

TerminalLine::TerminalLine(Clock clock, Sink sink)
    : clock_(std::move(clock)), sink_(std::move(sink)), start_(clock_()), next_(start_ + kSilentSeconds) {}

void TerminalLine::show(const std::function<std::string(double)>& text) {
  const double now = clock_();
  if (now < next_) return;
  next_ = now + kSecondsBetween;
  shown_ = true;
  sink_(fmt::format("{}{}", kEraseLine, text(now - start_).substr(0, kLongestLine)));
}

void TerminalLine::note(std::string_view text) {
  erase();
  sink_(fmt::format("{}\n", text));
}

void TerminalLine::erase() {
  if (shown_) sink_(kEraseLine);
  shown_ = false;
}

// -- a run ----------------------------------------------------------------------------------------

ProgressLine::ProgressLine(const std::string& name, Clock clock, Sink sink, bool has_limit)
    : name_(shown_name(name)), line_(std::move(clock), std::move(sink)), has_limit_(has_limit) {}

void ProgressLine::update(const sim::Progress& progress) {
  note_if_endless(progress);
  line_.show([&](double elapsed) { return run_text(name_, progress, elapsed); });
}

void ProgressLine::update(std::size_t runs_done, std::size_t runs) {
  line_.show([&](double elapsed) {
    const std::string text = fmt::format("{}: {} of {} runs", name_, runs_done, runs);
    if (runs_done == 0) return text;
    return text + time_left(elapsed, static_cast<double>(runs_done) / static_cast<double>(runs));
  });
}

/// Without a limit on cycles, an endless loop looks like a long one.
void ProgressLine::note_if_endless(const sim::Progress& progress) {
  if (has_limit_ || noted_) return;
  const double elapsed = line_.elapsed();
  if (progress.blocks_done != blocks_done_) {
    blocks_done_ = progress.blocks_done;
    block_ended_ = elapsed;
  }
  const double silent = elapsed - block_ended_;
  if (silent < kPatience || silent < block_ended_) return;
  line_.note(fmt::format(
      "note: {}: for {} no block has ended, {} of {} have; if it may run for ever, --max-cycles N ends it",
      name_, duration_text(silent), progress.blocks_done, progress.blocks));
  noted_ = true;
}

// -- many runs ------------------------------------------------------------------------------------

RunsProgress::RunsProgress(std::size_t runs, std::size_t done, Clock clock, Sink sink)
    : line_(std::move(clock), std::move(sink)), runs_(runs), done_(done), done_before_(done) {}

std::function<void(const sim::Progress&)> RunsProgress::watch(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return [this, name = shown_name(name), start = line_.elapsed()](const sim::Progress& progress) {
    const std::lock_guard inner_lock(mutex_);
    if (closed_) return;
    line_.show([&](double elapsed) {
      const double taken = elapsed - start;
      if (taken < kLongRun) return text(elapsed);
      return fmt::format("{}; {}", text(elapsed), run_text(name, progress, taken));
    });
  };
}

void RunsProgress::run_done() {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (!closed_) line_.show([this](double elapsed) { return text(elapsed); });
}

void RunsProgress::tell(const std::function<void()>& write) {
  const std::lock_guard lock(mutex_);
  line_.erase();
  write();
}

void RunsProgress::close() {
  const std::lock_guard lock(mutex_);
  line_.erase();
  closed_ = true;
}

/// The current run is the one after those that are done.
std::string RunsProgress::text(double elapsed) const {
  const std::string number = fmt::format("run {} of {}", std::min(done_ + 1, runs_), runs_);
  if (done_ == done_before_) return number;
  const auto made = static_cast<double>(done_ - done_before_);
  return number + time_left(elapsed, made / static_cast<double>(runs_ - done_before_));
}

}  // namespace heddle::command
