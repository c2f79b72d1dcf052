#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "sim/config/suggest.h"
#include "tools/report/kernel_name.h"
#include "tools/validate/csv_table.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::validate {

namespace {

constexpr std::string_view kHeader = "\"ID\",";
constexpr std::size_t kMostProblems = 20;

/// A number, perhaps with commas between thousands; nothing for other texts.
std::optional<double> number_of(std::string text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    if (comma == 0 || comma >= point || (point - comma) % 4 != 0) return std::nullopt;
  }
  std::erase(text, ',');
  const auto value = number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// A count; nothing for what is none.
std::optional<std::uint32_t> count_of(const std::string& text) {
  const auto value = number_of(text);
  if (!value || *value < 0 || *value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

/// "(256, 1, 1)"
std::optional<Dim3> extents_of(const std::string& text) {
  std::uint32_t extents[3] = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::uint32_t& extent : extents) {
    while (at != end && (*at == '(' || *at == ',' || *at == ' ')) ++at;
    const auto read = std::from_chars(at, end, extent);
    if (read.ec != std::errc()) return std::nullopt;
    at = read.ptr;
  }
  return Dim3{extents[0], extents[1], extents[2]};
}

/// Some metrics are on several sections of the details page, rounded there to two places of the unit, perhaps
/// in units of their own.
bool is_same(double a, double b, const std::string& unit) {
  constexpr double kRounding = 0.01;
  return std::abs(a - b) <= std::max(kRounding * std::max(a, b), in_own_unit(kRounding, unit));
}

class NcuReport {
 public:
  NcuReport(const std::string& path, CsvTable table) : table_(std::move(table)) { result_.file = path; }

  MeasuredKernels read() {
    id_ = require("ID");
    kernel_ = require("Kernel Name");
    if (find("Metric Name")) {
      read_details();
    } else {
      read_raw();
    }
    problems_.throw_if_any();
    if (result_.kernels.empty()) throw InputError({result_.file, 0, 0}, "there is no kernel in this report");
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find(const std::string& column) const {
    const auto found = std::find(table_.columns.begin(), table_.columns.end(), column);
    if (found == table_.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - table_.columns.begin());
  }

  [[nodiscard]] std::size_t require(const std::string& column) const {
    if (const auto found = find(column)) return *found;
    throw InputError({result_.file, 0, 0},
                     fmt::format("there is no column '{}': no report of ncu --csv --page raw or details; {}",
                                 column, sim::suggestion(column, table_.columns)));
  }

  [[nodiscard]] std::string cell(const CsvRow& row, const std::string& column) const {
    const auto found = find(column);
    return found ? row.cells[*found] : "";
  }

  MeasuredKernel start(const CsvRow& row) {
    MeasuredKernel kernel;
    kernel.name = row.cells[kernel_];
    kernel.id = row.cells[id_];
    kernel.grid = read_extents(row, "Grid Size");
    kernel.block = read_extents(row, "Block Size");
    if (result_.device.compute_capability.empty()) result_.device.compute_capability = cell(row, "CC");
    return kernel;
  }

  std::optional<Dim3> read_extents(const CsvRow& row, const std::string& column) {
    const std::string text = cell(row, column);
    const std::optional<Dim3> extents = extents_of(text);
    if (!extents && !text.empty()) refuse(row, column, text, "three numbers, as (256, 1, 1)");
    return extents;
  }

  void refuse(const CsvRow& row, const std::string& column, const std::string& found,
              std::string_view allowed) {
    if (problems_.list().size() >= kMostProblems) return;
    problems_.add({result_.file, row.line, 0},
                  fmt::format("'{}': found '{}', which is not {}", column, found, allowed));
  }

  /// "n/a", or a ratio to nothing, perhaps with a mark in front.
  static bool is_unmeasured(std::string_view text) {
    return text == "n/a" || text.ends_with("nan") || text == "no data";
  }

  /// What one cell of `row` says. Of metrics that are not known, or were not measured, nothing.
  void add(MeasuredKernel& kernel, const CsvRow& row, const std::string& name, const std::string& text,
           const std::string& unit) {
    if (text.empty() || is_unmeasured(text)) return;
    if (name == "launch__registers_per_thread" || name == "Registers Per Thread") {
      kernel.registers = count_of(text);
      if (!kernel.registers) refuse(row, name, text, "a number of registers");
    }
    const Metric* metric = find_ncu_metric(name);
    if (metric == nullptr) return;
    const auto value = number_of(text);
    if (!value || *value < 0) return refuse(row, name, text, "a number, with a point before its fraction");
    if (!is_unit_of(*metric, unit)) return refuse(row, name, unit, "a unit for it");
    const double own = in_own_unit(*value, unit);
    if (own > most_of(*metric))
      return refuse(row, name, unit.empty() ? text : fmt::format("{} {}", text, unit),
                    fmt::format("at most {:g} %", 100 * most_of(*metric)));
    const auto known = std::find_if(kernel.metrics.begin(), kernel.metrics.end(),
                                    [&](const auto& one) { return one.first == metric; });
    if (known == kernel.metrics.end()) {
      kernel.metrics.emplace_back(metric, own);
    } else if (!is_same(known->second, own, unit)) {
      refuse(row, name, text, "what the report says of it before");
    }
  }

  /// A row for each metric of each launch.
  void read_details() {
    const std::size_t name = require("Metric Name");
    const std::size_t unit = require("Metric Unit");
    const std::size_t value = require("Metric Value");
    std::string last;
    for (const CsvRow& row : table_.rows) {
      if (result_.kernels.empty() || row.cells[id_] != last) result_.kernels.push_back(start(row));
      last = row.cells[id_];
      add(result_.kernels.back(), row, row.cells[name], row.cells[value], row.cells[unit]);
    }
  }

  /// A row for each launch, a column for each metric; the first row has the units.
  void read_raw() {
    const CsvRow* units = nullptr;
    for (const CsvRow& row : table_.rows) {
      if (row.cells[id_].empty()) {
        units = &row;
        continue;
      }
      if (units == nullptr) {
        problems_.add({result_.file, row.line, 0},
                      "the row of units is missing between the names of the columns and this one");
        return;
      }
      MeasuredKernel kernel = start(row);
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        add(kernel, row, table_.columns[i], row.cells[i], units->cells[i]);
      }
      result_.kernels.push_back(std::move(kernel));
      read_device(row);
    }
  }

  void read_device(const CsvRow& row) {
    result_.device.name = cell(row, "device__attribute_display_name");
    result_.device.sms = count_of(cell(row, "device__attribute_multiprocessor_count"));
  }

  CsvTable table_;
  MeasuredKernels result_;
  Diagnostics problems_;
  std::size_t id_ = 0;
  std::size_t kernel_ = 0;
};

}  // namespace

MeasuredKernels load_ncu_report(const std::string& path) {
  return NcuReport(path, load_csv(path, kHeader)).read();
}

std::string bare_kernel_name(std::string_view name) {
  std::string bare;
  int depth = 0;
  for (const char c : name.substr(0, report::parameters_of(name))) {
    if (c == '<') ++depth;
    if (depth == 0) bare += c;
    if (c == '>') --depth;
  }
  const std::size_t begin = bare.find_last_of(" :*&");
  return begin == std::string::npos ? bare : bare.substr(begin + 1);
}

}  // namespace heddle::validate
