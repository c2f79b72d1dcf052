// The three graphs of NVIDIA's occupancy spreadsheet: occupancy over block size, over registers, and over
// shared memory.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/occupancy/what_if.h"
#include "tools/occupancy/question.h"

namespace heddle::occupancy {

/// One graph.
struct Curve {
  std::string key;    ///< "block_size", "registers", "shared"
  std::string title;  ///< "threads a block"
  std::vector<sim::CurvePoint> points;
  std::uint64_t here = 0;  ///< The kernel's own amount.
};

std::vector<Curve> curves_of(const Question& question);

/// Warps per SM over the amount. The kernel's own amount is marked below the axis:
///
///   warps                            occupancy over registers a thread
///      64 ██████████████
///      48 ████████████████████
///         1              ^40
std::string plot(const Curve& curve, std::uint32_t max_warps, bool ascii);

nlohmann::ordered_json to_object(const std::vector<Curve>& curves);
/// Columns: curve, amount, blocks_per_sm, warps_per_sm, occupancy, limiters, and the provenance.
std::string to_csv(const std::vector<Curve>& curves, const report::Provenance& provenance);

}  // namespace heddle::occupancy
