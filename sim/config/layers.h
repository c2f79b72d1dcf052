// Layers of values: a GPU file overrides the file that it extends, and --set overrides both. Below all of
// them lies base.yaml, which has values for what files need not say.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/override.h"
#include "sim/config/gpu_spec.h"
#include "sim/config/yaml_document.h"

namespace heddle::sim {

/// Collects the values of several layers. A later layer overrides the earlier ones.
class Layers {
 public:
  explicit Layers(Diagnostics& problems);

  /// What holds where no file says otherwise, nor a base that is added later. A group of which bases have a
  /// part only must be in a file all the same. Bases come first, if at all.
  void add_base(const YamlValue& root);
  /// Adds a file as the next layer. Unknown keys are recorded as problems. The key `extends` is allowed at
  /// the root.
  void add(const YamlValue& root);
  /// Adds an override such as "l1.latency=40" as the next layer. If a smaller warp size leaves an SM with
  /// fewer threads than the largest block has, the largest block shrinks with it, unless an override sets its
  /// size.
  void add_override(const Override& override);

  /// The spec that results from all layers. Records missing keys and values that are not allowed as problems;
  /// if there are none, records values that do not fit together.
  [[nodiscard]] GpuSpec read() const;

 private:
  void add_entry(const std::string& path, const YamlValue& value);
  void forget_below(const std::string& path);
  void add_map(const std::string& path, const YamlValue& map);
  [[nodiscard]] bool is_whole_in_base(const std::string& group) const;
  void refuse_key(const Override& override) const;
  [[nodiscard]] std::string key_that_ends_in(const std::string& name) const;
  [[nodiscard]] bool is_overridden(const std::string& path) const;
  void fit_largest_block(OccupancySpec& spec) const;
  [[nodiscard]] std::size_t layer_of(const std::string& path) const;
  void check_compute_capability(const GpuSpec& spec) const;

  Diagnostics& problems_;
  std::map<std::string, std::vector<std::string>> groups_;  ///< Known keys of each group, by its path.
  std::set<std::string> classes_;                           ///< The groups that may be `none`.
  std::set<std::string> overrides_;                         ///< As messages name them.
  std::vector<std::string> files_;                          ///< In the order of the layers.
  /// By path. For a group: the last map that was given.
  std::map<std::string, YamlValue> values_;
  std::map<std::string, YamlValue> base_;  ///< The same; of groups, those that are whole.
};

}  // namespace heddle::sim
