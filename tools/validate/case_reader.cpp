#include "tools/validate/case_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "tools/validate/case_draft.h"
#include "tools/validate/run_reader.h"

namespace heddle::validate {

namespace {

constexpr double kLeastTolerance = 1e-6;
constexpr double kMostTolerance = 10;

const std::optional<sim::YamlValue>& either(const std::optional<sim::YamlValue>& own,
                                            const std::optional<sim::YamlValue>& otherwise) {
  return own ? own : otherwise;
}

}  // namespace

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
    CaseDraft draft(figure, size_, problems_);
    draft.texts = row.cells;
    for (Row& next : rows_of(*figures_, draft.filled_in(figure, problems_), row))
      result.push_back(std::move(next));
  }
  return result;
}

void CaseReader::read_figure_row(const sim::YamlValue& item, const sim::YamlValue& name, const Row& row,
                                 std::vector<Case>& cases) {
  Diagnostics problems;
  CaseReader reader(suite_, folder_, figures_, size_, problems);
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
  size_.add_case(row.where);
  const std::size_t known = problems_.list().size();
  CaseDraft draft(item, size_, problems_);
  Case& result = draft.result;
  if (!row.where.file.empty()) result.files.push_back(row.where.file);
  read_values(draft, row);
  result.name = row.name ? *row.name : draft.filled_in(name, problems_);
  if (const auto gpu = require(either(own_.gpu, suite_.gpu), "gpu", item))
    result.gpu = draft.filled_in(*gpu, problems_);
  if (const auto unit = either(own_.unit, suite_.unit)) result.unit = draft.filled_in(*unit, problems_);
  read_measured(draft, row);
  const auto& given = either(own_.tolerance, suite_.tolerance);
  if (const auto tolerance = row.name ? given : require(given, "tolerance", item)) {
    result.tolerance = tolerance->as_double(problems_, kLeastTolerance, kMostTolerance).value_or(1);
  }
  if (const auto runs = require(either(own_.runs, suite_.runs), "runs", item))
    RunReader(folder_, {suite_.set, own_.set}, problems_).read(draft, *runs);
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

/// Columns first, then the suite's values. A value of the case or row with the same name replaces each.
void CaseReader::read_values(CaseDraft& draft, const Row& row) {
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

void CaseReader::read_value(CaseDraft& draft, const sim::YamlValue& value) {
  if (!launch::is_usable_name(value.key())) {
    return value.error_at_key(problems_, fmt::format("'{}' cannot be a name here", value.key()));
  }
  // After a mistake another number is used, so that its uses are still checked.
  const Number number = draft.evaluator.number(value).value_or(std::int64_t{1});
  draft.bind(value.key(), number);
  draft.texts.emplace_back(value.key(), launch::to_text(number));
}

void CaseReader::read_measured(CaseDraft& draft, const Row& row) {
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

void CaseReader::read_deviation(CaseDraft& draft, const Row& row) {
  const std::string* column = find_cell(row.cells, "deviates");
  if (column != nullptr && !column->empty()) draft.result.deviates = *column;
  const auto& given = either(own_.deviates, suite_.deviates);
  if (!given) return;
  if (given->is_list()) return read_reasons(draft, *given);
  if (!draft.result.deviates) draft.result.deviates = given->as_string(problems_);
}

/// The first reason for these values counts.
void CaseReader::read_reasons(CaseDraft& draft, const sim::YamlValue& list) {
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

/// Reasons without a case are allowed in suites of the measuring kit, because its figures depend on what was
/// measured.
void CaseReader::check_reasons(const std::optional<sim::YamlValue>& list) {
  if (!list || !list->is_list() || figures_ != nullptr || !problems_.list().empty()) return;
  for (const sim::YamlValue& item : list->items()) {
    if (known_reasons_.count({item.where().line, item.where().column}) == 0)
      item.error(problems_, "no case has these values");
  }
}

}  // namespace heddle::validate
