#include "tools/heddle/base/progress.h"

#include <fmt/format.h>

#include <chrono>

#include "tools/report/text_columns.h"

namespace heddle::command {

namespace {

constexpr double kSilentSeconds = 1.0;
constexpr double kSecondsBetween = 0.2;
constexpr std::size_t kLongestName = 16;
/// A line that wraps cannot be erased.
constexpr std::size_t kLongestLine = 79;
constexpr std::string_view kEraseLine = "\r\x1b[K";

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  return seconds < 2 * kHour ? fmt::format("{:.0f} min", seconds / kMinute)
                             : fmt::format("{:.1f} h", seconds / kHour);
}

}  // namespace

ProgressLine::ProgressLine(const std::string& name, Clock clock, Sink sink)
    : name_(report::printable(name.substr(0, kLongestName))),
      clock_(std::move(clock)),
      sink_(std::move(sink)),
      start_(clock_()),
      next_(start_ + kSilentSeconds) {}

ProgressLine::~ProgressLine() {
  if (shown_) sink_(kEraseLine);
}

template <typename Text>
void ProgressLine::show(Text text) {
  const double now = clock_();
  if (now < next_) return;
  next_ = now + kSecondsBetween;
  shown_ = true;
  sink_(fmt::format("{}{}", kEraseLine, text(now - start_)));
}

void ProgressLine::update(const sim::Progress& progress) {
  show([&](double elapsed) { return text(progress, elapsed); });
}

void ProgressLine::update(std::size_t runs_done, std::size_t runs) {
  show([&](double elapsed) {
    const std::string text = fmt::format("{}: {} of {} runs", name_, runs_done, runs);
    if (runs_done == 0) return text;
    const double share = static_cast<double>(runs_done) / static_cast<double>(runs);
    return fmt::format("{}, {} left", text, duration_text(elapsed * (1 - share) / share));
  });
}

std::string ProgressLine::text(const sim::Progress& progress, double elapsed) const {
  constexpr double kMillion = 1e6;
  const double done = progress.blocks == 0
                          ? 0
                          : static_cast<double>(progress.blocks_done) / static_cast<double>(progress.blocks);
  const double cycles = static_cast<double>(progress.cycle) / kMillion;
  std::string text = fmt::format("{}: {:.2f} M cycles, {:.2f} M/s, {} of {} blocks ({:.0f} %)", name_, cycles,
                                 cycles / elapsed, progress.blocks_done, progress.blocks, 100 * done);
  // Blocks take about as long as one another; before the first has ended nothing is known.
  if (done > 0) text += fmt::format(", {} left", duration_text(elapsed * (1 - done) / done));
  return text.substr(0, kLongestLine);
}

ProgressLine::Clock ProgressLine::steady_clock() {
  return [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
}

}  // namespace heddle::command
