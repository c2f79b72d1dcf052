#include "tools/heddle/run/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "isa/base/read_bytes.h"
#include "tools/heddle/run/gpu_options.h"

namespace heddle::command {

namespace {

constexpr std::array<std::string_view, 12> kOptions = {"gpu",  "scheduler", "divergence", "warp-size",
                                                       "grid", "block",     "registers",  "shared",
                                                       "sms",  "code",      "compiler",   "maxrregcount"};

constexpr std::string_view kDefine = "define.";  // a macro of CUDA C++

constexpr std::size_t kMostPoints = 10'000;

struct Sweep {
  std::string key;
  std::vector<std::string> values;
};

/// The step of a range: a number to add, or a factor.
struct Step {
  std::uint64_t number = 1;
  bool is_factor = false;

  [[nodiscard]] bool makes_progress(std::uint64_t from) const {
    return is_factor ? number > 1 && from > 0 : number > 0;
  }
  /// Nothing if the next value exceeds `until`.
  [[nodiscard]] std::optional<std::uint64_t> after(std::uint64_t value, std::uint64_t until) const {
    if (is_factor) return value > until / number ? std::nullopt : std::optional(value * number);
    return until - value < number ? std::nullopt : std::optional(value + number);
  }
};

/// Reads "100" or "*2".
std::optional<Step> read_step(std::string_view text) {
  const bool is_factor = text.starts_with('*');
  const auto number = count_in(text.substr(is_factor ? 1 : 0));
  if (!number) return std::nullopt;
  return Step{*number, is_factor};
}

/// Adds a value, or all values of a range: "1000:2000:100" is 1000 to 2000, both included; "1K:64K:*2"
/// doubles each time; the default step is 1.
void add_values(const std::string& sweep, const std::string& text, std::vector<std::string>& values) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return values.push_back(text);
  const std::size_t second = std::min(text.find(':', colon + 1), text.size());
  const auto from = count_in(text.substr(0, colon));
  const auto until = count_in(text.substr(colon + 1, second - colon - 1));
  const auto step = second == text.size() ? std::optional(Step{}) : read_step(text.substr(second + 1));
  if (!from || !until || !step || *until < *from || !step->makes_progress(*from)) {
    throw UsageError(
        fmt::format("--sweep {}: a range is FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR, whole numbers of which "
                    "the second is no less than the first, the step above 0 and the factor above 1; found {}",
                    sweep, text));
  }
  const std::size_t before = values.size();
  for (std::optional<std::uint64_t> value = from; value; value = step->after(*value, *until)) {
    if (values.size() - before == kMostPoints)
      throw UsageError(fmt::format("--sweep: {} makes more than {} points", text, kMostPoints));
    values.push_back(std::to_string(*value));
  }
}

Sweep read_sweep(const std::string& text) {
  const auto refuse = [&text] {
    throw UsageError(fmt::format(
        "--sweep {}: must be KEY=VALUE,VALUE,..., as scheduler=gto,lrr, or KEY=FROM:TO:STEP or FROM:TO:*FACTOR",
        text));
  };
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) refuse();
  Sweep sweep{text.substr(0, equals), {}};
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (begin == end) refuse();
    add_values(text, text.substr(begin, end - begin), sweep.values);
    begin = end + 1;
  }
  if (sweep.values.empty()) refuse();
  const GpuOption* const option = option_for(sweep.key);
  if (option != nullptr && option->flag.empty())
    throw UsageError(fmt::format("--sweep {}: must be --sweep {}=...", text, option->option));
  return sweep;
}

bool is_option(std::string_view key) {
  return std::find(kOptions.begin(), kOptions.end(), key) != kOptions.end();
}

std::vector<Sweep> read_sweeps(const std::vector<std::string>& texts) {
  std::vector<Sweep> sweeps;
  std::size_t points = 1;
  for (const std::string& text : texts) {
    Sweep sweep = read_sweep(text);
    const auto is_same = [&sweep](const Sweep& other) { return other.key == sweep.key; };
    if (std::any_of(sweeps.begin(), sweeps.end(), is_same))
      throw UsageError(fmt::format("--sweep {} is given twice", sweep.key));
    points *= sweep.values.size();
    if (points > kMostPoints)
      throw UsageError(fmt::format("--sweep: that makes more than {} points", kMostPoints));
    sweeps.push_back(std::move(sweep));
  }
  return sweeps;
}

/// The option that sets a single value: "--scheduler" with the value, "--set" with "l1.latency=" before the
/// value, or "--define" with "TILE=" of "define.TILE".
struct Place {
  std::string option;
  std::string prefix;
};

Place place_of(const std::string& key) {
  if (is_option(key)) return {key, ""};
  if (key.starts_with(kDefine)) return {"define", key.substr(kDefine.size()) + '='};
  return {key.find('.') == std::string::npos ? "param" : "set", key + '='};
}

SweepPoint with(SweepPoint point, const std::string& key, const std::string& value) {
  const auto [option, prefix] = place_of(key);
  point.values.emplace_back(key, value);
  point.arguments.insert(point.arguments.end(), {"--" + option, prefix + value});
  point.wordings.push_back(
      {fmt::format("--{} {}", option, prefix), fmt::format("--sweep {}={}", key, value)});
  return point;
}

bool is_given(const Place& place, const OptionValues& values) {
  if (values.count(place.option) == 0 || values[place.option].defaulted()) return false;
  if (place.prefix.empty()) return true;
  const std::vector<std::string> given = list_of(values, place.option);
  return std::any_of(given.begin(), given.end(),
                     [&place](const std::string& text) { return text.starts_with(place.prefix); });
}

}  // namespace

std::vector<SweepPoint> sweep_points(const std::vector<std::string>& sweeps) {
  std::vector<SweepPoint> points = {{}};
  for (const Sweep& sweep : read_sweeps(sweeps)) {
    std::vector<SweepPoint> more;
    for (const SweepPoint& point : points) {
      for (const std::string& value : sweep.values) more.push_back(with(point, sweep.key, value));
    }
    points = std::move(more);
  }
  return points;
}

std::string point_text(const SweptValues& values) {
  if (values.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [key, value] : values) texts.push_back(fmt::format("{}={}", key, value));
  return fmt::format(" (at {})", fmt::join(texts, ", "));
}

void require_free(const SweepPoint& point, const OptionValues& values) {
  for (const auto& [key, value] : point.values) {
    const Place place = place_of(key);
    if (is_given(place, values))
      throw UsageError(fmt::format("--{} and --sweep both say what {} is", place.option, key));
    const GpuOption* const option = option_for(key);
    if (option != nullptr && values.count(std::string(option->option)) != 0)
      throw UsageError(fmt::format("--{} and --sweep both say what {} is", option->option, key));
  }
}

}  // namespace heddle::command
