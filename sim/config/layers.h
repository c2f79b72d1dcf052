// The values of a GPU file laid over those of the file that it extends, and overrides over both.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/gpu_spec.h"
#include "sim/config/yaml_document.h"

namespace heddle::sim {

class Layers {
 public:
  explicit Layers(Diagnostics& problems);

  /// Lays a file's values over those before. Unknown keys are recorded as problems; `extends` is known at the
  /// root.
  void add(const YamlValue& root);
  /// The same for "l1.latency=40". A warp size that makes the warps of an SM fewer threads than its largest
  /// block has makes this as small, unless an override says how large it is.
  void add_override(const std::string& override);

  /// The spec that the layers make. Records missing keys and values that cannot be taken as problems; where
  /// there is none, records what does not fit together.
  [[nodiscard]] GpuSpec read() const;

 private:
  void add_entry(const std::string& path, const YamlValue& value);
  void forget_below(const std::string& path);
  void add_map(const std::string& path, const YamlValue& map);
  void refuse_key(const std::string& argument, const std::string& key) const;
  [[nodiscard]] std::string key_that_ends_in(const std::string& name) const;
  [[nodiscard]] bool is_overridden(const std::string& path) const;
  void fit_largest_block(OccupancySpec& spec) const;
  [[nodiscard]] std::size_t layer_of(const std::string& path) const;
  void check_compute_capability(const GpuSpec& spec) const;

  Diagnostics& problems_;
  std::map<std::string, std::vector<std::string>> groups_;  ///< Known keys of each group, by its path.
  std::set<std::string> classes_;                           ///< Those of the groups that may be `none`.
  std::set<std::string> arguments_;                         ///< As messages name the overrides.
  std::vector<std::string> files_;                          ///< In the order of their layers.
  std::map<std::string, YamlValue> values_;                 ///< By path; of groups, the last map given.
};

}  // namespace heddle::sim
