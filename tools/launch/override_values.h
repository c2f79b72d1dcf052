// Values from the command line that replace those of a launch file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/launch_file.h"

namespace heddle::launch {

/// The values of --param NAME=VALUE, --grid, --block, --registers and --shared. Mistakes are recorded in
/// `problems`.
class OverrideValues {
 public:
  OverrideValues(const LaunchOverrides& options, Diagnostics& problems);

  /// The value of --param NAME, which then counts as used; null if there is none. If it was given several
  /// times, the last value.
  const sim::YamlValue* find_param(std::string_view name);
  /// The value of --grid ("grid") and so on; null if the option is not given.
  [[nodiscard]] const sim::YamlValue* find_size(std::string_view name) const;
  /// Records a problem for each --param that was not used. `names` are the names that could be used.
  void refuse_unused(const std::string& file, const std::vector<std::string>& names);

 private:
  /// One such value.
  struct Given {
    std::string name;
    sim::YamlValue value;
    bool used = false;
  };

  void add_param(const Override& param);
  void add_size(const std::string& name, const std::string& text);

  Diagnostics& problems_;
  std::vector<Given> params_;
  std::vector<Given> sizes_;
};

}  // namespace heddle::launch
