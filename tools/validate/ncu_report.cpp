#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "isa/base/diagnostic.h"
#include "sim/config/suggest.h"
#include "tools/validate/measured_kernel.h"
#include "tools/validate/ncu_tables.h"
#include "tools/validate/profiler_number.h"

namespace heddle::validate {

namespace {

constexpr std::size_t kMostProblems = 20;

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

/// Some metrics are in several sections of the details page. There they are rounded to two decimals, and the
/// unit can differ.
bool is_same(const Metric& metric, double a, double b, const std::string& unit) {
  constexpr double kRounding = 0.01;
  return std::abs(a - b) <= std::max(kRounding * std::max(a, b), in_own_unit(metric, kRounding, unit));
}

/// "n/a", or a ratio to zero, with or without a mark in front.
bool is_unmeasured(std::string_view text) {
  return text == "n/a" || text == "N/A" || text.ends_with("nan") || text == "no data";
}

/// One table of a file.
class NcuTable {
 public:
  /// All arguments must outlive this.
  NcuTable(const CsvTable& table, MeasuredKernels& result, Diagnostics& problems)
      : table_(table), result_(result), problems_(problems) {}

  void read() {
    id_ = require("ID");
    kernel_ = require("Kernel Name");
    if (find("Metric Name")) {
      read_details();
    } else {
      read_raw();
    }
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
    if (kernel.name.empty()) refuse(row, "Kernel Name", "", "the name of a kernel");
    read_compute_capability(row);
    return kernel;
  }

  void read_compute_capability(const CsvRow& row) {
    const std::string found = cell(row, "CC");
    std::string& known = result_.device.compute_capability;
    if (known.empty()) known = found;
    if (!found.empty() && found != known)
      refuse(row, "CC", found, fmt::format("{}, as of the launches before: a report is of one GPU", known));
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

  /// A count; nothing if the text is no count.
  [[nodiscard]] std::optional<std::uint32_t> count_of(const std::string& text) const {
    const auto value = profiler_number(text, points_, true);
    if (!value || *value < 0 || *value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  }

  void look_at_number(const std::string& name, const std::string& unit, const std::string& text) {
    const Metric* metric = find_ncu_metric(name);
    points_.look_at(text, metric != nullptr && is_whole(*metric, unit));
  }

  /// Adds the value of one cell of `row`. Metrics that are unknown or were not measured are skipped.
  void add(MeasuredKernel& kernel, const CsvRow& row, const std::string& name, const std::string& text,
           const std::string& unit) {
    if (text.empty() || is_unmeasured(text)) return;
    if (name == "launch__registers_per_thread" || name == "Registers Per Thread") {
      kernel.registers = count_of(text);
      if (!kernel.registers) refuse(row, name, text, "a number of registers");
    }
    const Metric* metric = find_ncu_metric(name);
    if (metric == nullptr) return;
    if (!is_unit_of(*metric, unit)) return refuse(row, name, unit, "a unit for it");
    const bool must_be_whole = is_whole(*metric, unit);
    const auto value = profiler_number(text, points_, must_be_whole);
    if (!value || *value < 0) return refuse(row, name, text, must_be_whole ? kWholeNumber : kAnyNumber);
    const double own = in_own_unit(*metric, *value, unit);
    if (own > most_of(*metric))
      return refuse(row, name, unit.empty() ? text : fmt::format("{} {}", text, unit),
                    fmt::format("at most {:g} %", 100 * most_of(*metric)));
    const auto known = std::find_if(kernel.metrics.begin(), kernel.metrics.end(),
                                    [&](const auto& one) { return one.first == metric; });
    if (known == kernel.metrics.end()) {
      kernel.metrics.emplace_back(metric, own);
    } else if (!is_same(*metric, known->second, own, unit)) {
      refuse(row, name, text, "what the report says of it before");
    }
  }

  /// A row for each metric of each launch. Rows for rules have no metric.
  void read_details() {
    const std::size_t name = require("Metric Name");
    const std::size_t unit = require("Metric Unit");
    const std::size_t value = require("Metric Value");
    for (const CsvRow& row : table_.rows) look_at_number(row.cells[name], row.cells[unit], row.cells[value]);
    const MeasuredKernel* last = nullptr;
    for (const CsvRow& row : table_.rows) {
      if (last == nullptr || row.cells[id_] != last->id) {
        result_.kernels.push_back(start(row));
        last = &result_.kernels.back();
      }
      if (!row.cells[name].empty() && row.given <= value)
        refuse(row, row.cells[name], "", "a value: the row ends before it");
      add(result_.kernels.back(), row, row.cells[name], row.cells[value], row.cells[unit]);
    }
  }

  /// A row for each launch and a column for each metric. The first row has the units.
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
      for (std::size_t i = 0; i < row.cells.size(); ++i)
        look_at_number(table_.columns[i], units->cells[i], row.cells[i]);
    }
    for (const CsvRow& row : table_.rows) {
      if (!row.cells[id_].empty()) read_launch(row, *units);
    }
  }

  void read_launch(const CsvRow& row, const CsvRow& units) {
    MeasuredKernel kernel = start(row);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      add(kernel, row, table_.columns[i], row.cells[i], units.cells[i]);
    result_.kernels.push_back(std::move(kernel));
    if (const std::string name = cell(row, "device__attribute_display_name"); !name.empty())
      result_.device.name = name;
    if (const auto sms = count_of(cell(row, "device__attribute_multiprocessor_count")))
      result_.device.sms = sms;
  }

  static constexpr std::string_view kAnyNumber =
      "a number, with a point before its fraction; ncu prints such with LC_ALL=C";
  static constexpr std::string_view kWholeNumber =
      "a number, and a whole one, as it must be in this unit; ncu prints such with LC_ALL=C and --print-units base";

  const CsvTable& table_;
  MeasuredKernels& result_;
  Diagnostics& problems_;
  PointUse points_;
  std::size_t id_ = 0;
  std::size_t kernel_ = 0;
};

}  // namespace

MeasuredKernels load_ncu_report(const std::string& path) {
  MeasuredKernels result;
  result.file = path;
  Diagnostics problems;
  for (const CsvTable& table : load_ncu_tables(path)) NcuTable(table, result, problems).read();
  problems.throw_if_any();
  if (result.kernels.empty()) throw InputError({path, 0, 0}, "there is no kernel in this report");
  return result;
}

}  // namespace heddle::validate
