#include "tools/validate/run_reader.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/launch/launch_file.h"

namespace heddle::validate {

namespace {

constexpr std::uint32_t kMostRounds = 1'000'000;
constexpr std::uint32_t kMostWarps = 32;

}  // namespace

void RunReader::read(CaseDraft& draft, const sim::YamlValue& runs) {
  if (!runs.is_map()) return runs.must_be(problems_, "a map of names and runs");
  for (const sim::YamlValue& run : runs.items()) read_run(draft, run);
}

void RunReader::read_run(CaseDraft& draft, const sim::YamlValue& value) {
  if (!launch::is_usable_name(value.key()) || draft.has_value(value.key())) {
    value.error_at_key(problems_, fmt::format("'{}' cannot be the name of a run here", value.key()));
  }
  sim::YamlMap map(value, problems_);
  const Source source{map.find("params"), map.find("loop")};
  const auto launch = source.loop ? map.find("launch") : map.require("launch");
  const auto set = map.find("set");
  const auto each = map.find("each");
  map.finish();
  Run run;
  run.name = value.key();
  run.where = value.where();
  if (source.loop && (launch || source.params)) {
    source.loop->error_at_key(problems_, "a run with 'loop' has neither 'launch' nor 'params'");
  }
  if (launch)
    run.launch =
        (std::filesystem::path(folder_) / draft.filled_in(*launch, problems_)).lexically_normal().string();
  for (const auto& settings : settings_) {
    if (settings) read_settings(draft, *settings, run);
  }
  if (set) read_settings(draft, *set, run);
  if (each) return read_series(draft, run, *each, source);
  add(draft, std::move(run), source);
}

void RunReader::read_settings(const CaseDraft& draft, const sim::YamlValue& list, Run& run) {
  if (!list.is_list()) return list.must_be(problems_, "a list of KEY=VALUE");
  for (const sim::YamlValue& setting : list.items())
    run.settings.push_back(draft.filled_in(setting, problems_));
}

void RunReader::add(CaseDraft& draft, Run run, const Source& source) {
  draft.size.add_run(run.where);
  const auto& params = source.params;
  if (source.loop) {
    run.kernel = read_loop(draft, *source.loop);
    run.launch = "loop";
  }
  if (params && !params->is_map()) params->must_be(problems_, "a map of the launch's values and parameters");
  if (params) {
    for (const sim::YamlValue& param : params->items()) {
      const auto number = draft.evaluator.number(param);
      if (number) run.params.push_back(fmt::format("{}={}", param.key(), launch::to_text(*number)));
    }
  }
  draft.result.runs.push_back(std::move(run));
}

/// Makes one run for each value of a name.
void RunReader::read_series(CaseDraft& draft, const Run& run, const sim::YamlValue& each,
                            const Source& source) {
  const std::vector<sim::YamlValue> names = each.items();
  if (!each.is_map() || names.size() != 1 || !names[0].is_list() || !launch::is_usable_name(names[0].key())) {
    return each.must_be(problems_, "a name and a list of whole numbers");
  }
  for (const sim::YamlValue& item : names[0].items()) {
    const auto number = item.as_signed(problems_);
    if (!number) continue;
    draft.interpreter.set_number(names[0].key(), *number);
    Run one = run;
    one.name = fmt::format("{}.{}", run.name, *number);
    add(draft, std::move(one), source);
  }
}

MadeKernel RunReader::read_loop(CaseDraft& draft, const sim::YamlValue& value) {
  sim::YamlMap map(value, problems_);
  const auto text = [&](const std::optional<sim::YamlValue>& given) {
    return given ? draft.filled_in(*given, problems_) : std::string();
  };
  const auto count = [&](const char* key, std::uint32_t most) {
    const auto given = map.require(key);
    return given ? static_cast<std::uint32_t>(draft.evaluator.integer(*given, 1, most).value_or(1)) : 1;
  };
  Loop loop;
  loop.declare = text(map.find("declare"));
  loop.before = text(map.find("before"));
  loop.step = text(map.require("step"));
  loop.steps = count("steps", kMostSteps);
  loop.rounds = count("rounds", kMostRounds);
  loop.chains = count("chains", kMostChains);
  const std::uint32_t warps = count("warps", kMostWarps);
  map.finish();
  draft.size.add_text(std::uint64_t{loop.steps} * loop.step.size(), value.where());
  check_loop(loop, value);
  return {loop_text(loop), 32 * warps};
}

/// Reports the first mistake in a body of one step; a longer body would repeat it.
void RunReader::check_loop(Loop loop, const sim::YamlValue& value) {
  loop.steps = 1;
  try {
    launch::launch_of_text(loop_text(loop), "loop", Dim3{32, 1, 1});
  } catch (const InputError& error) {
    value.error(problems_, fmt::format("'{}': {}", loop.step, error.list().front().message));
  }
}

}  // namespace heddle::validate
