#include "tools/report/figures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"

namespace heddle::report {

namespace {

using Json = nlohmann::json;

/// Names of the numbers of a JSON report, those of inner objects behind a point.
void collect(const std::string& name, const Json& value, std::vector<std::string>& names) {
  if (value.is_number()) names.push_back(name);
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) collect(name.empty() ? key : name + "." + key, inner, names);
}

TEST_CASE("The numbers of a run's JSON report are figures by the same names") {
  const std::vector<std::string> known = figure_names();
  std::vector<std::string> reported;
  collect({}, Json::parse(command::json_report({"traces/reduce_v1.yaml"})), reported);
  CHECK(reported.size() > 100);
  std::size_t pipes = 0;
  for (const std::string& name : reported) {
    INFO(name);
    const bool is_pipe = name.starts_with("pipes.");
    pipes += is_pipe ? 1 : 0;
    CHECK((is_pipe || std::find(known.begin(), known.end(), name) != known.end()));
  }
  CHECK(pipes > 0);
  for (const char* name : {"cycles", "time_us", "memory.l1_hit_rate", "stalls.barrier"}) {
    CHECK(std::find(known.begin(), known.end(), name) != known.end());
  }
}

}  // namespace

}  // namespace heddle::report
