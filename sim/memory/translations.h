// The TLB of an SM. In a cold launch the first load from each page misses it and waits for the translation,
// and loads that follow meanwhile wait with it. A store asks for the translation, too, but nobody waits for
// it.
//
// Only compulsory misses are modelled: the TLB holds all pages that the SM has accessed. The request goes to
// L2 without delay; the reply comes later by what is left of the translation.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// The pages that one SM has accessed, and from when on it knows each of them.
class Translations {
 public:
  explicit Translations(const ColdSpec& spec) : spec_(spec) {}

  /// By how many cycles the reply to an access at `now` comes later.
  std::uint16_t wait(Addr address, Cycle now) {
    if (!spec_.enabled) return 0;
    const Cycle known =
        known_from_.try_emplace(address / spec_.page_bytes, now + spec_.translation_latency).first->second;
    return static_cast<std::uint16_t>(known > now ? known - now : 0);
  }

 private:
  ColdSpec spec_;
  std::unordered_map<Addr, Cycle> known_from_;  // by page
};

}  // namespace heddle::sim
