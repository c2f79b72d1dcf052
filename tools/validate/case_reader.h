// Reads the cases of a suite. Only load_suite uses it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/validate/rows.h"
#include "tools/validate/suite.h"
#include "tools/validate/suite_size.h"

namespace heddle::validate {

struct CaseDraft;

/// The keys of a case, or of a suite as defaults for all its cases.
struct CaseKeys {
  std::optional<sim::YamlValue> gpu;
  std::optional<sim::YamlValue> set;
  std::optional<sim::YamlValue> values;
  std::optional<sim::YamlValue> runs;
  std::optional<sim::YamlValue> simulated;
  std::optional<sim::YamlValue> measured;
  std::optional<sim::YamlValue> unit;
  std::optional<sim::YamlValue> tolerance;
  std::optional<sim::YamlValue> deviates;
};

CaseKeys read_case_keys(sim::YamlMap& map);

/// Reads cases with the defaults of their suite.
class CaseReader {
 public:
  /// `figures` can be null; then no case may use the key `figure`.
  CaseReader(CaseKeys suite, std::string folder, const MeasuredFigures* figures, SuiteSize& size,
             Diagnostics& problems)
      : suite_(std::move(suite)),
        folder_(std::move(folder)),
        figures_(figures),
        size_(size),
        problems_(problems) {}

  /// Appends the case, or one case for each row of its table. Mistakes are recorded.
  void read(const sim::YamlValue& item, std::vector<Case>& cases);

  /// Call this after the last case. Records reasons for deviations of the suite that belong to no case.
  void finish() { check_reasons(suite_.deviates); }

  /// See Group.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& left_out() const { return left_out_; }

 private:
  /// One row for each figure of the measuring kit that these rows name.
  std::vector<Row> read_figures(const sim::YamlValue& figure, const std::vector<Row>& rows);
  /// Like read_row, for one of these rows. If the case has a mistake at this point, only this case is left
  /// out.
  void read_figure_row(const sim::YamlValue& item, const sim::YamlValue& name, const Row& row,
                       std::vector<Case>& cases);
  void read_row(const sim::YamlValue& item, const sim::YamlValue& name, const Row& row,
                std::vector<Case>& cases);
  void read_values(CaseDraft& draft, const Row& row);
  void read_value(CaseDraft& draft, const sim::YamlValue& value);
  void read_measured(CaseDraft& draft, const Row& row);
  void read_deviation(CaseDraft& draft, const Row& row);
  void read_reasons(CaseDraft& draft, const sim::YamlValue& list);
  void check_reasons(const std::optional<sim::YamlValue>& list);
  /// The value. If neither the case nor its suite has the key, a problem is recorded at the case.
  std::optional<sim::YamlValue> require(const std::optional<sim::YamlValue>& value, const char* key,
                                        const sim::YamlValue& item);

  CaseKeys suite_;
  CaseKeys own_;
  std::string folder_;
  const MeasuredFigures* figures_;
  SuiteSize& size_;
  std::vector<std::pair<std::string, std::string>> left_out_;
  // positions of the reasons for deviations that belong to a case
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_reasons_;
  Diagnostics& problems_;
};

}  // namespace heddle::validate
