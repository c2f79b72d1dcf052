#include "tools/hardware/kit/profile.h"

#include <cstdlib>

namespace kit {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

/// Reads a number with or without commas between thousands, which some locales print. False if it is no
/// number.
bool read_number(std::string text, double& value) {
  std::string digits;
  for (const char c : text)
    if (c != ',') digits += c;
  char* end = nullptr;
  value = std::strtod(digits.c_str(), &end);
  return !digits.empty() && *end == '\0';
}

struct Column {
  std::size_t index;
  const Metric* metric;
};

}  // namespace

std::vector<ProfiledKernel> read_profile(std::istream& csv) {
  std::vector<ProfiledKernel> kernels;
  std::vector<Column> columns;
  std::size_t function = 0;
  for (std::string line; std::getline(csv, line);) {
    if (line.empty() || line[0] != '"') continue;  // a message of Nsight Compute
    const std::vector<std::string> cells = cells_of(line);
    if (cells[0] == "ID") {
      columns.clear();
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == "Kernel Name") function = i;
        for (const Metric& metric : metrics())
          if (cells[i] == metric.profiler_name) columns.push_back({i, &metric});
      }
    } else if (!columns.empty() && !cells[0].empty()) {  // the row of units has no ID
      ProfiledKernel kernel{function < cells.size() ? cells[function] : "", {}};
      for (const Column& column : columns) {
        double value = 0;
        if (column.index < cells.size() && read_number(cells[column.index], value))
          kernel.metrics.emplace_back(column.metric->name, value * column.metric->factor);
      }
      kernels.push_back(kernel);
    }
  }
  return kernels;
}

std::string profiler_metrics(int capability) {
  std::string names;
  for (const Metric& metric : metrics()) {
    if (std::string(metric.name) == "stall_gmma" && capability < 90) continue;
    names += (names.empty() ? "" : ",") + std::string(metric.profiler_name);
  }
  return names;
}

}  // namespace kit
