#include "tools/cuda/runtime/program_end.h"

#include <fmt/format.h>

#include <cstdio>

#include "isa/base/new_file.h"
#include "isa/stream/kernel_fault.h"
#include "tools/cuda/runtime/check_report.h"
#include "tools/cuda/runtime/program_limits.h"
#include "tools/cuda/runtime/program_summary.h"
#include "tools/cuda/runtime/program_totals.h"

namespace heddle::cudart {

namespace {

void say(const std::string& text) { std::fputs(fmt::format("heddle: {}\n", text).c_str(), stderr); }

void write(const std::string& target, const std::string& text) {
  if (target == "-") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  if (target == "/dev/null") return;
  NewFile file(target);
  file.write(text);
  file.keep();
}

void settle(Gpu& gpu) {
  constexpr double kUsPerMs = 1000;
  // A fault has been told of by the call that found it.
  try {
    if (!gpu.sticky) gpu.device.synchronize();
  } catch (const stream::KernelFault& fault) {
    say(note_fault(gpu, fault));
  }
  gpu.launches.add_clock(gpu.milliseconds_of(gpu.device.clock()) * kUsPerMs);
  gpu.launches.collect(gpu.device);
  gpu.launches.estimate();
  if (gpu.recording) gpu.recording->write_list();
}

bool tell_findings(Gpu& gpu, const Settings& settings) {
  if (!settings.checks.any()) return false;
  const std::string found = check_report(gpu, settings.checks);
  std::fputs(found.c_str(), stderr);
  return !found.empty() || gpu.sticky;
}

/// Does the work. What it cannot do is said; then the answer is `otherwise`.
template <typename Answer, typename Work>
Answer attempt(Answer otherwise, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle: at the end of the program: %s\n", error.what());
    return otherwise;
  }
}

using Logs = std::span<const std::unique_ptr<LaunchLog>>;

void write_summary(Logs logs, const Settings& settings) {
  if (settings.summary.empty()) return;
  std::string text;
  for (const auto& log : logs) {
    if (log) text += program_summary(*log);
  }
  write(settings.summary, text);
}

/// Of the first GPU that was used: settings refuse several.
void write_page(Logs logs, const Settings& settings) {
  if (settings.html.empty()) return;
  for (const auto& log : logs) {
    if (!log || !log->page) continue;
    const std::string text = log->page->text(log->kernels(), log->clock_us());
    if (!text.empty()) return write(settings.html, text);
  }
  say(fmt::format("{} is not written: no launch was timed", settings.html));
}

/// Totals without the launch that failed are no totals.
void write_totals(const ProgramTotals& totals, const Settings& settings) {
  if (settings.totals.empty()) return;
  if (totals.has_failed) {
    say(fmt::format("{} is not written: a kernel has failed", settings.totals));
  } else {
    write(settings.totals, totals_text(totals, settings));
  }
}

}  // namespace

void tell_notes(Gpu& gpu) noexcept {
  attempt(0, [&] { return std::fputs(notes_on(gpu).c_str(), stderr); });
}

bool finish_gpu(Gpu& gpu, const Settings& settings) noexcept {
  return attempt(settings.checks.any(), [&] {
    settle(gpu);
    return tell_findings(gpu, settings);
  });
}

int finish_program(Logs logs, const Settings& settings) noexcept {
  const int written = attempt(settings.wants_totals() ? kEndFailed : 0, [&] {
    write_summary(logs, settings);
    write_page(logs, settings);
    return 0;
  });
  if (!settings.wants_totals()) return written;
  const int decided = attempt(kEndFailed, [&] {
    const ProgramTotals totals = totals_of(logs);
    write_totals(totals, settings);
    const LimitAnswer answer = limits_of(totals, settings);
    if (!answer.text.empty()) std::fputs(answer.text.c_str(), stderr);
    return answer.exit_code;
  });
  return decided != 0 ? decided : written;
}

int finish_without_gpu() noexcept {
  return attempt(kEndFailed, [] {
    return Settings::asks_for_totals() ? finish_program({}, Settings::from_environment()) : 0;
  });
}

}  // namespace heddle::cudart
