// Counters in a journal: by name, for all SMs together. Counters that are 0 everywhere are left out.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "sim/ledger/sm_counters.h"

namespace heddle::command {

/// An object with a list for each counter, one value per SM, or a single number if all SMs have the same
/// value.
nlohmann::ordered_json counts_to_json(std::span<const sim::SmCounters> sms);

/// Reads the counters of this many SMs and pipes from the result of counts_to_json(). Throws
/// nlohmann::json::exception, and std::runtime_error if they belong to another GPU.
std::vector<sim::SmCounters> counts_from_json(const nlohmann::ordered_json& object, std::size_t sms,
                                              std::size_t pipes);

}  // namespace heddle::command
