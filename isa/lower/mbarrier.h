// How an mbarrier changes, as a part of a function that stands for an instruction. expand_mbarrier.cpp says
// what its bits are.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/lower/expansion_writer.h"

namespace heddle::lower {

/// The registers that update_mbarrier() needs, %delta and %old among them.
void declare_mbarrier_update(ExpansionWriter& writer);

/// Adds %delta to the mbarrier that lies so many bytes behind %at, and begins its next phase if this one is
/// over. %old is what it was. `order` is what atom has: .release.cta.
void update_mbarrier(ExpansionWriter& writer, std::int64_t offset, std::string_view order);

}  // namespace heddle::lower
