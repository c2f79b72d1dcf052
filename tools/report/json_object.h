// The figures of a run as a tree with names. JSON prints the tree, CSV prints its leaves.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// A document as reports print it.
std::string json_text(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_object(const Summary& summary);
nlohmann::ordered_json to_object(const Failure& failure);
nlohmann::ordered_json to_object(const Provenance& provenance);
/// Without version and command line, for a part of a report whose head has them.
nlohmann::ordered_json part_object(const Provenance& provenance);

/// Calls `take` for each leaf of the value with its name. Names in inner objects follow a point.
template <typename Take>
void visit_leaves(const std::string& name, const nlohmann::ordered_json& value, const Take& take) {
  if (!value.is_object()) return take(name, value);
  for (const auto& [key, inner] : value.items()) {
    visit_leaves(name.empty() ? key : fmt::format("{}.{}", name, key), inner, take);
  }
}

/// A header and a row for each object; cells of columns that an object lacks are empty. Empty if there are no
/// objects. See to_csv() in json.h.
std::string to_csv(std::span<const nlohmann::ordered_json> objects);

/// Provenance cells that are appended to other rows, in the form of to_csv(), without a leading comma.
struct ProvenanceCells {
  std::string columns;
  std::string row;
};
ProvenanceCells provenance_cells(const Provenance& provenance);

}  // namespace heddle::report
