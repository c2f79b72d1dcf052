#include "tools/conditions/baseline_file.h"

#include <fmt/format.h>

#include "isa/base/read_file.h"
#include "tools/conditions/known_figures.h"
#include "tools/json/json_reader.h"
#include "tools/report/json.h"

namespace heddle::conditions {

namespace {

/// The run itself, or that of all kernels.
const Json& run_in(const Json& document, const std::string& path) {
  if (const Json* all = look_up(document, "all"); all != nullptr) return *all;
  if (!document.is_array()) return document;
  if (document.size() == 1) return document[0];
  throw InputError({path, 0, 0}, fmt::format("this report has {} runs, and one is needed", document.size()));
}

void require_report(const Json& run, const std::string& path) {
  const Json* version = look_up(run, "schema_version");
  if (version == nullptr)
    throw InputError({path, 0, 0},
                     "no report: it has no schema_version; heddle run --format json --output FILE and "
                     "heddle exec --totals FILE write one");
  if (*version != report::kSchemaVersion)
    throw InputError({path, 0, 0}, fmt::format("its schema_version is not {}, which this heddle reads; make "
                                               "the report again with this heddle",
                                               report::kSchemaVersion));
}

}  // namespace

double figure_in_file(const std::string& path, const std::string& figure) {
  const Json document = parse_json(read_file(path), path);
  const Json& run = run_in(document, path);
  require_report(run, path);
  if (const auto value = number_of(run, figure)) return *value;
  throw InputError({path, 0, 0}, fmt::format("it has no number '{}'", figure));
}

}  // namespace heddle::conditions
