// The figures of a run as a tree with names: JSON is this tree, CSV its leaves.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

nlohmann::ordered_json to_object(const Summary& summary);
nlohmann::ordered_json to_object(const Failure& failure);
nlohmann::ordered_json to_object(const Provenance& provenance);
/// Without version and command line, for a part of a report that has these above.
nlohmann::ordered_json part_object(const Provenance& provenance);

/// Calls `take` for each leaf below the value, with its name: those of inner objects behind a point.
template <typename Take>
void visit_leaves(const std::string& name, const nlohmann::ordered_json& value, const Take& take) {
  if (!value.is_object()) return take(name, value);
  for (const auto& [key, inner] : value.items()) {
    visit_leaves(name.empty() ? key : fmt::format("{}.{}", name, key), inner, take);
  }
}

/// A header and a row for each object, empty in the columns of what others alone have; nothing for no
/// objects. See to_csv() in json.h.
std::string to_csv(std::span<const nlohmann::ordered_json> objects);

/// Cells for the ends of other rows, as to_csv() has them, without the comma before them.
struct ProvenanceCells {
  std::string columns;
  std::string row;
};
ProvenanceCells provenance_cells(const Provenance& provenance);

}  // namespace heddle::report
