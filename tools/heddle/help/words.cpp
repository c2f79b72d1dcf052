#include "tools/heddle/help/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "sim/config/load.h"
#include "sim/config/print.h"
#include "sim/config/suggest.h"
#include "sim/config/yaml_document.h"
#include "sim/sm/warp_scheduler.h"
#include "tools/heddle/base/command.h"
#include "tools/heddle/base/examples.h"

namespace heddle::command {

namespace {

std::vector<std::string> gpus() { return sim::available_gpus(); }

std::vector<std::string> policies() {
  std::vector<std::string> names;
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) names.emplace_back(policy.name);
  return names;
}

void add_keys(const sim::YamlValue& value, std::vector<std::string>& keys) {
  if (!value.is_map()) return keys.push_back(value.path());
  for (const sim::YamlValue& inner : value.items()) add_keys(inner, keys);
}

/// The keys of any GPU file, since all have the same.
std::vector<std::string> keys() {
  std::vector<std::string> keys;
  const std::vector<std::string> names = gpus();
  if (names.empty()) return keys;
  const std::string text = sim::to_yaml(sim::load_gpu(names.front()));
  add_keys(sim::YamlDocument::parse(text, names.front()).root(), keys);
  return keys;
}

struct Kind {
  std::string_view name;
  std::vector<std::string> (*words)();
};

constexpr std::array<Kind, 4> kKinds = {
    {{"gpus", gpus}, {"examples", example_names}, {"policies", policies}, {"keys", keys}}};

}  // namespace

std::string words_text(const std::string& kind) {
  std::vector<std::string> names;
  for (const Kind& known : kKinds) {
    if (known.name == kind) return fmt::format("{}\n", fmt::join(known.words(), "\n"));
    names.emplace_back(known.name);
  }
  throw UsageError(fmt::format("--words {}: {}", kind, sim::suggestion(kind, names)));
}

}  // namespace heddle::command
