#include "tools/validate/case_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/config/suggest.h"
#include "tools/launch/launch_file.h"

namespace heddle::validate {

namespace {

constexpr double kLeastTolerance = 1e-6;
constexpr double kMostTolerance = 10;
constexpr std::uint32_t kMostRounds = 1'000'000;
constexpr std::uint32_t kMostWarps = 32;

const std::optional<sim::YamlValue>& either(const std::optional<sim::YamlValue>& own,
                                            const std::optional<sim::YamlValue>& otherwise) {
  return own ? own : otherwise;
}

}  // namespace

/// What expressions and texts of a case can name, beside what has been read of it.
struct CaseReader::Draft {
  Draft(const sim::YamlValue& at, Diagnostics& problems)
      : item(at), evaluator(interpreter, problems), result{{}, {}, {}, 0, {}, {}, {}, {}, at} {}

  void bind(const std::string& name, Number value) {
    interpreter.set_number(name, value);
    result.values.emplace_back(name, value);
  }

  sim::YamlValue item;
  Cells texts;  ///< What {name} stands for.
  launch::Interpreter interpreter;
  launch::Evaluator evaluator;
  Case result;
};

CaseKeys read_case_keys(sim::YamlMap& map) {
  CaseKeys keys;
  keys.gpu = map.find("gpu");
  keys.set = map.find("set");
  keys.values = map.find("values");
  keys.runs = map.find("runs");
  keys.simulated = map.find("simulated");
  keys.measured = map.find("measured");
  keys.unit = map.find("unit");
  keys.tolerance = map.find("tolerance");
  keys.deviates = map.find("deviates");
  return keys;
}

void CaseReader::read(const sim::YamlValue& item, std::vector<Case>& cases) {
  sim::YamlMap map(item, problems_);
  if (!item.is_map()) return;
  const auto figure = map.find("figure");
  const auto name = figure ? figure : map.require("name");
  own_ = read_case_keys(map);
  std::vector<Row> rows = read_rows(map, folder_, problems_);
  map.finish();
  if (!name) return;
  if (figure) rows = read_figures(*figure, rows);
  for (const Row& row : rows) {
    if (figure) {
      read_figure_row(item, *name, row, cases);
    } else {
      read_row(item, *name, row, cases);
    }
  }
  check_reasons(own_.deviates);
}

std::vector<Row> CaseReader::read_figures(const sim::YamlValue& figure, const std::vector<Row>& rows) {
  std::vector<Row> result;
  if (figures_ == nullptr) {
    figure.error_at_key(problems_,
                        "'figure' is for suites of the measuring kit; heddle validate --measured runs them");
    return result;
  }
  for (const Row& row : rows) {
    Draft draft(figure, problems_);
    draft.texts = row.cells;
    for (Row& next : rows_of(*figures_, filled_in(draft, figure), row)) result.push_back(std::move(next));
  }
  return result;
}

void CaseReader::read_figure_row(const sim::YamlValue& item, const sim::YamlValue& name, const Row& row,
                                 std::vector<Case>& cases) {
  Diagnostics problems;
  CaseReader reader(suite_, folder_, figures_, problems);
  reader.own_ = own_;
  std::vector<Case> read;
  reader.read_row(item, name, row, read);
  const std::string* const unit = find_cell(row.cells, "unit");
  std::string why;
  if (!problems.empty()) {
    why = fmt::format("there is no such case: {}", problems.list().front().message);
  } else if (unit != nullptr && *unit != read.front().unit) {
    why = fmt::format("it was measured in '{}', and is simulated in '{}'", *unit, read.front().unit);
  }
  if (!why.empty()) return static_cast<void>(left_out_.emplace_back(row.name.value_or(""), why));
  cases.push_back(std::move(read.front()));
}

void CaseReader::read_row(const sim::YamlValue& item, const sim::YamlValue& name, const Row& row,
                          std::vector<Case>& cases) {
  const std::size_t known = problems_.list().size();
  Draft draft(item, problems_);
  Case& result = draft.result;
  read_values(draft, row);
  result.name = row.name ? *row.name : filled_in(draft, name);
  if (const auto gpu = require(either(own_.gpu, suite_.gpu), "gpu", item))
    result.gpu = filled_in(draft, *gpu);
  if (const auto unit = either(own_.unit, suite_.unit)) result.unit = filled_in(draft, *unit);
  read_measured(draft, row);
  const auto& given = either(own_.tolerance, suite_.tolerance);
  if (const auto tolerance = row.name ? given : require(given, "tolerance", item)) {
    result.tolerance = tolerance->as_double(problems_, kLeastTolerance, kMostTolerance).value_or(1);
  }
  read_runs(draft);
  if (const auto simulated = require(either(own_.simulated, suite_.simulated), "simulated", item)) {
    result.simulated = *simulated;
    try {
      if (const auto text = simulated->as_string(problems_)) draft.interpreter.compile(*text);
    } catch (const launch::ExpressionError& error) {
      simulated->error(problems_, fmt::format("'simulated': {}", error.what()));
    }
  }
  read_deviation(draft, row);
  if (problems_.list().size() == known) cases.push_back(std::move(result));
}

std::optional<sim::YamlValue> CaseReader::require(const std::optional<sim::YamlValue>& value, const char* key,
                                                  const sim::YamlValue& item) {
  if (!value) item.error(problems_, fmt::format("neither this case nor its suite has '{}'", key));
  return value;
}

/// Columns first, then the suite's values, each replaced by the case's or the row's of that name.
void CaseReader::read_values(Draft& draft, const Row& row) {
  for (const auto& [column, text] : row.cells) {
    draft.texts.emplace_back(column, text);
    const auto number = cell_number(text);
    if (number && launch::is_usable_name(column)) draft.bind(column, *number);
  }
  for (const std::optional<sim::YamlValue>& values : {suite_.values, own_.values}) {
    if (!values) continue;
    if (!values->is_map()) values->must_be(problems_, "a map of names and numbers");
    for (const sim::YamlValue& value : values->items()) {
      const auto instead = own_.values ? own_.values->find(value.key()) : std::nullopt;
      if (find_cell(draft.texts, value.key()) == nullptr) read_value(draft, instead.value_or(value));
    }
  }
}

void CaseReader::read_value(Draft& draft, const sim::YamlValue& value) {
  if (!launch::is_usable_name(value.key())) {
    return value.error_at_key(problems_, fmt::format("'{}' cannot be a name here", value.key()));
  }
  // After a mistake some number stands in, so that what uses it is still looked at.
  const Number number = draft.evaluator.number(value).value_or(std::int64_t{1});
  draft.bind(value.key(), number);
  draft.texts.emplace_back(value.key(), launch::to_text(number));
}

void CaseReader::read_measured(Draft& draft, const Row& row) {
  const std::string* column = find_cell(row.cells, "measured");
  const auto& given = own_.measured || column != nullptr ? own_.measured : suite_.measured;
  std::optional<Number> number;
  if (given) {
    number = draft.evaluator.number(*given);
    if (!number) return;
  } else if (column != nullptr) {
    number = cell_number(*column);
  } else {
    return draft.item.error(problems_, "neither this case nor its suite has 'measured', nor is it a column");
  }
  draft.result.measured = number ? launch::to_double(*number) : 0;
  if (draft.result.measured > 0 && std::isfinite(draft.result.measured)) return;
  problems_.add(row.where, fmt::format("what was measured must be a number above 0; found '{}'",
                                       given ? launch::to_text(*number) : *column));
}

void CaseReader::read_deviation(Draft& draft, const Row& row) {
  const std::string* column = find_cell(row.cells, "deviates");
  if (column != nullptr && !column->empty()) draft.result.deviates = *column;
  const auto& given = either(own_.deviates, suite_.deviates);
  if (!given) return;
  if (given->is_list()) return read_reasons(draft, *given);
  if (!draft.result.deviates) draft.result.deviates = given->as_string(problems_);
}

/// The first reason that is for these values counts.
void CaseReader::read_reasons(Draft& draft, const sim::YamlValue& list) {
  for (const sim::YamlValue& item : list.items()) {
    sim::YamlMap map(item, problems_);
    const auto where = map.require("where");
    const auto why = map.require("why");
    map.finish();
    if (!where || !why || !matches(draft.texts, *where, problems_)) continue;
    known_reasons_.emplace(item.where().line, item.where().column);
    if (!draft.result.deviates) draft.result.deviates = why->as_string(problems_);
  }
}

/// Figures of the measuring kit come and go with what was measured: their suites may have reasons in store.
void CaseReader::check_reasons(const std::optional<sim::YamlValue>& list) {
  if (!list || !list->is_list() || figures_ != nullptr || !problems_.list().empty()) return;
  for (const sim::YamlValue& item : list->items()) {
    if (known_reasons_.count({item.where().line, item.where().column}) == 0)
      item.error(problems_, "no case has these values");
  }
}

void CaseReader::read_runs(Draft& draft) {
  const auto runs = require(either(own_.runs, suite_.runs), "runs", draft.item);
  if (!runs) return;
  if (!runs->is_map()) return runs->must_be(problems_, "a map of names and runs");
  for (const sim::YamlValue& run : runs->items()) read_run(draft, run);
}

void CaseReader::read_run(Draft& draft, const sim::YamlValue& value) {
  const auto is_value = [&](const auto& known) { return known.first == value.key(); };
  const auto& values = draft.result.values;
  if (!launch::is_usable_name(value.key()) || std::any_of(values.begin(), values.end(), is_value)) {
    value.error_at_key(problems_, fmt::format("'{}' cannot be the name of a run here", value.key()));
  }
  sim::YamlMap map(value, problems_);
  const RunSource source{map.find("params"), map.find("loop")};
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
    run.launch = (std::filesystem::path(folder_) / filled_in(draft, *launch)).lexically_normal().string();
  for (const auto& settings : {suite_.set, own_.set, set}) {
    if (settings) read_run_settings(draft, *settings, run);
  }
  if (each) return read_series(draft, run, *each, source);
  add_run(draft, std::move(run), source);
}

void CaseReader::read_run_settings(Draft& draft, const sim::YamlValue& list, Run& run) {
  if (!list.is_list()) return list.must_be(problems_, "a list of KEY=VALUE");
  for (const sim::YamlValue& setting : list.items()) run.settings.push_back(filled_in(draft, setting));
}

void CaseReader::add_run(Draft& draft, Run run, const RunSource& source) {
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

/// One run for each number that a name takes.
void CaseReader::read_series(Draft& draft, const Run& run, const sim::YamlValue& each,
                             const RunSource& source) {
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
    add_run(draft, std::move(one), source);
  }
}

MadeKernel CaseReader::read_loop(Draft& draft, const sim::YamlValue& value) {
  sim::YamlMap map(value, problems_);
  const auto text = [&](const std::optional<sim::YamlValue>& given) {
    return given ? filled_in(draft, *given) : std::string();
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
  check_loop(loop, value);
  return {loop_text(loop), 32 * warps};
}

/// The first mistake in a body of one step; a long one would repeat it.
void CaseReader::check_loop(Loop loop, const sim::YamlValue& value) {
  loop.steps = 1;
  try {
    launch::launch_of_text(loop_text(loop), "loop", Dim3{32, 1, 1});
  } catch (const InputError& error) {
    value.error(problems_, fmt::format("'{}': {}", loop.step, error.list().front().message));
  }
}

/// The text with what {name} stands for.
std::string CaseReader::filled_in(const Draft& draft, const sim::YamlValue& value) {
  const std::string text = value.as_string(problems_).value_or("");
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t open = std::min(text.find('{', begin), text.size());
    result += text.substr(begin, open - begin);
    if (open == text.size()) break;
    const std::size_t close = std::min(text.find('}', open), text.size());
    const std::string name = text.substr(open + 1, close - open - 1);
    begin = close + 1;
    if (const std::string* cell = find_cell(draft.texts, name)) {
      result += *cell;
      continue;
    }
    std::vector<std::string> names;
    for (const auto& known : draft.texts) names.push_back(known.first);
    value.error(problems_,
                fmt::format("there is no column or value '{}'; {}", name, sim::suggestion(name, names)));
  }
  return result;
}

}  // namespace heddle::validate
