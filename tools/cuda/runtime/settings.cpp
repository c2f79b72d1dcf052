#include "tools/cuda/runtime/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "isa/base/read_number.h"
#include "sim/config/load.h"

/// Where the GPU files were when heddle cuda linked the program.
extern "C" __attribute__((weak)) const char heddle_program_configs[];

namespace heddle::cudart {

namespace {

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

std::optional<unsigned> number_of(const char* variable, unsigned most) {
  const std::string text = text_of(variable);
  if (text.empty()) return std::nullopt;
  const auto number = number_in<unsigned>(text);
  if (number && *number >= 1 && *number <= most) return number;
  throw InputError({variable, 0, 0}, fmt::format("'{}' is no number from 1 to {}", text, most));
}

bool asks_for_machine_code() {
  const std::string text = text_of("HEDDLE_CODE");
  if (text.empty() || text == "ptx") return false;
  if (text == "machine") return true;
  throw InputError({"HEDDLE_CODE", 0, 0},
                   fmt::format("'{}' is no kind of code; there are ptx and machine", text));
}

std::optional<Cycle> cycles_of(const char* variable) {
  const std::string text = text_of(variable);
  if (text.empty()) return std::nullopt;
  const auto number = number_in<Cycle>(text);
  if (number && *number >= 1 && *number < kNever) return number;
  throw InputError({variable, 0, 0}, fmt::format("'{}' is no number of cycles, which are 1 or more", text));
}

std::vector<conditions::FailCondition> conditions_of(const char* variable) {
  std::vector<conditions::FailCondition> all;
  const std::string text = text_of(variable);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    all.push_back(conditions::read_fail_condition(text.substr(begin, end - begin), variable));
    begin = end + 1;
  }
  return all;
}

/// Of launches that are watched for mistakes none is timed.
void require_timed(const Settings& settings) {
  if (settings.timed.is_sample() && settings.checks.watches_accesses())
    throw InputError({"HEDDLE_TIMED", 0, 0},
                     "a sample has launches that are timed, and HEDDLE_CHECK allows none");
}

/// A sum of the launches of a sample is none of the program.
void require_all_timed(const Settings& settings) {
  if (settings.timed.is_sample() && settings.has_limits())
    throw InputError({"HEDDLE_TIMED", 0, 0},
                     "HEDDLE_MAX_CYCLES and HEDDLE_FAIL_IF are of sums over all launches; a sample has none");
}

/// A run that fails must not take away what it was compared with.
void require_own_file(const Settings& settings) {
  if (settings.totals.empty()) return;
  require_writable(settings.totals);
  for (const conditions::FailCondition& condition : settings.fail_if) {
    std::error_code none;
    if (condition.baseline && std::filesystem::equivalent(condition.baseline->path, settings.totals, none))
      throw InputError({settings.totals, 0, 0}, "the totals would replace what they are compared with");
  }
}

/// "sm.x=1,l1.ways=4": a comma inside of brackets is part of a value.
std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> list;
  std::string item;
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '{') ? 1 : (c == ']' || c == '}') ? -1 : 0;
    if (c != ',' || depth > 0) {
      item += c;
    } else if (!item.empty()) {
      list.push_back(std::exchange(item, {}));
    }
  }
  if (!item.empty()) list.push_back(item);
  return list;
}

}  // namespace

Settings Settings::from_environment() {
  constexpr unsigned kMostGpus = 64;
  constexpr unsigned kMostThreads = 1024;
  constexpr unsigned kMostSms = 1024;
  Settings settings;
  if (const std::string gpu = text_of("HEDDLE_GPU"); !gpu.empty()) settings.gpu = gpu;
  settings.overrides = overrides_of_option("HEDDLE_SET", list_of(text_of("HEDDLE_SET")));
  if (const auto sms = number_of("HEDDLE_SMS", kMostSms))
    settings.overrides.emplace_back("sms", fmt::format("{}", *sms), "HEDDLE_SMS");
  settings.gpus = number_of("HEDDLE_GPUS", kMostGpus).value_or(1);
  settings.threads =
      number_of("HEDDLE_THREADS", kMostThreads).value_or(std::max(1U, std::thread::hardware_concurrency()));
  const std::string timed = text_of("HEDDLE_TIMED");
  settings.timed = TimedChoice::read(timed.empty() ? "all" : timed, "HEDDLE_TIMED");
  settings.takes_machine_code = asks_for_machine_code();
  settings.checks = CheckChoice::read(list_of(text_of("HEDDLE_CHECK")));
  require_timed(settings);
  settings.summary = text_of("HEDDLE_SUMMARY");
  settings.report_folder = text_of("HEDDLE_REPORT");
  if (!settings.report_folder.empty()) std::filesystem::create_directories(settings.report_folder);
  settings.totals = text_of("HEDDLE_TOTALS");
  settings.max_cycles = cycles_of("HEDDLE_MAX_CYCLES");
  settings.fail_if = conditions_of("HEDDLE_FAIL_IF");
  require_all_timed(settings);
  require_own_file(settings);
  settings.html = text_of("HEDDLE_HTML");
  if (!settings.html.empty()) require_writable(settings.html);
  if (!settings.html.empty() && settings.gpus > 1)
    throw InputError({"HEDDLE_HTML", 0, 0},
                     fmt::format("a page shows one GPU, and HEDDLE_GPUS says {}", settings.gpus));
  settings.record_folder = text_of("HEDDLE_RECORD");
  if (!settings.record_folder.empty() && settings.gpus > 1)
    throw InputError({"HEDDLE_RECORD", 0, 0},
                     fmt::format("one GPU is recorded, and HEDDLE_GPUS says {}", settings.gpus));
  return settings;
}

bool Settings::asks_for_totals() {
  return !text_of("HEDDLE_TOTALS").empty() || !text_of("HEDDLE_MAX_CYCLES").empty() ||
         !text_of("HEDDLE_FAIL_IF").empty();
}

sim::GpuSpec Settings::load() const {
  if (heddle_program_configs == nullptr || !text_of("HEDDLE_CONFIGS").empty())
    return sim::load_gpu(gpu, overrides);
  return sim::load_gpu(gpu, overrides, heddle_program_configs);
}

}  // namespace heddle::cudart
