#include "tools/heddle/run/gpu_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::command {

namespace {

/// Nothing if the option was not given.
std::optional<std::string> value_of(const GpuOption& known, const OptionValues& values) {
  const std::string option(known.option);
  if (known.flag.empty()) return text_of(values, option);
  if (values.count(option) == 0) return std::nullopt;
  return std::string(known.flag);
}

}  // namespace

const GpuOption* option_for(std::string_view key) {
  const auto found = std::find_if(kGpuOptions.begin(), kGpuOptions.end(),
                                  [&](const GpuOption& known) { return known.key == key; });
  return found == kGpuOptions.end() ? nullptr : &*found;
}

std::vector<std::string> gpu_settings(const OptionValues& values) {
  std::vector<std::string> settings = list_of(values, "set");
  const std::vector<std::string> set = settings;
  for (const GpuOption& known : kGpuOptions) {
    const auto value = value_of(known, values);
    if (!value) continue;
    const std::string assigned = fmt::format("{}=", known.key);
    const auto rival = std::find_if(set.begin(), set.end(),
                                    [&](const std::string& each) { return each.starts_with(assigned); });
    if (rival != set.end())
      throw UsageError(fmt::format("--{} and --set {} both give {}", known.option, *rival, known.key));
    settings.push_back(assigned + *value);
  }
  return settings;
}

Wordings gpu_wordings(const OptionValues& values) {
  Wordings wordings;
  for (const GpuOption& known : kGpuOptions) {
    const auto value = value_of(known, values);
    if (!value) continue;
    const std::string shown = known.flag.empty() ? fmt::format(" {}", *value) : "";
    wordings.push_back({fmt::format("--set {}=", known.key), fmt::format("--{}{}", known.option, shown)});
  }
  return wordings;
}

}  // namespace heddle::command
