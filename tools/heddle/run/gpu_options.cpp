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

Overrides gpu_settings(const OptionValues& values) {
  Overrides settings = overrides_of(values, "set");
  const Overrides set = settings;
  for (const GpuOption& known : kGpuOptions) {
    const auto value = value_of(known, values);
    if (!value) continue;
    const auto rival =
        std::find_if(set.begin(), set.end(), [&](const Override& each) { return each.key == known.key; });
    if (rival != set.end())
      throw UsageError(fmt::format("--{} and {} both give {}", known.option, rival->source, known.key));
    const std::string shown = known.flag.empty() ? fmt::format(" {}", *value) : "";
    settings.emplace_back(std::string(known.key), *value, fmt::format("--{}{}", known.option, shown));
  }
  return settings;
}

}  // namespace heddle::command
