#include "tools/heddle/journal/counts_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/ledger/visit_counters.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(const sim::SmCounters& counters) {
  std::vector<std::string> names;
  std::size_t pipes = 0;
  sim::visit_counters(counters, [&](std::string_view group, std::string_view key, std::uint64_t) {
    names.push_back(key.empty() ? fmt::format("{}.{}", group, pipes++) : fmt::format("{}.{}", group, key));
  });
  return names;
}

Json column(const std::vector<std::uint64_t>& values) {
  const bool is_same =
      std::all_of(values.begin(), values.end(), [&](std::uint64_t value) { return value == values[0]; });
  return is_same ? Json(values[0]) : Json(values);
}

}  // namespace

Json counts_to_json(std::span<const sim::SmCounters> sms) {
  const std::vector<std::string> names = names_of(sms[0]);
  std::vector<std::vector<std::uint64_t>> values(names.size());
  for (const sim::SmCounters& sm : sms) {
    std::size_t place = 0;
    sim::visit_counters(sm, [&](std::string_view, std::string_view, std::uint64_t value) {
      values[place++].push_back(value);
    });
  }
  Json object = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Json numbers = column(values[i]);
    if (numbers != 0) object[names[i]] = std::move(numbers);
  }
  return object;
}

std::vector<sim::SmCounters> counts_from_json(const Json& object, std::size_t sms, std::size_t pipes) {
  sim::SmCounters none;
  none.pipe_busy.resize(pipes);
  std::vector<Json> columns;
  for (const std::string& name : names_of(none)) {
    columns.push_back(object.value(name, Json(0)));
    if (columns.back().is_array() && columns.back().size() != sms)
      throw std::runtime_error(name + ": counted on another number of SMs");
  }
  std::vector<sim::SmCounters> counters(sms, none);
  for (std::size_t i = 0; i < sms; ++i) {
    auto column = columns.begin();
    sim::visit_counters(counters[i], [&](std::string_view, std::string_view, std::uint64_t& value) {
      value = (column->is_array() ? column->at(i) : *column).get<std::uint64_t>();
      ++column;
    });
  }
  return counters;
}

}  // namespace heddle::command
