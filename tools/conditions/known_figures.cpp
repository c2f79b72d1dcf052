#include "tools/conditions/known_figures.h"

#include "sim/figures/run_figures.h"
#include "tools/report/json_object.h"

namespace heddle::conditions {

std::vector<std::string> known_figures() {
  report::Summary none{sim::figures_of_all({}, {}, sim::GpuSpec()), {}};
  none.launch = sim::LaunchFigures();
  std::vector<std::string> names;
  report::visit_leaves("", report::to_object(none),
                       [&](const std::string& name, const nlohmann::ordered_json& value) {
                         // A rate without requests is null.
                         const bool is_figure = value.is_number() || value.is_null();
                         if (is_figure && name != "schema_version") names.push_back(name);
                       });
  return names;
}

}  // namespace heddle::conditions
