// Counters in a journal: each by its name, for all SMs together, without those that are 0 everywhere.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "sim/ledger/sm_counters.h"

namespace heddle::command {

/// An object with a list for each counter, SM by SM, or one number where it is the same on all SMs.
nlohmann::ordered_json counts_to_json(std::span<const sim::SmCounters> sms);

/// The counters of so many SMs with so many pipes, as counts_to_json() took them. Throws
/// nlohmann::json::exception, and std::runtime_error, where they are of another GPU.
std::vector<sim::SmCounters> counts_from_json(const nlohmann::ordered_json& object, std::size_t sms,
                                              std::size_t pipes);

}  // namespace heddle::command
