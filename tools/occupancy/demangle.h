// Demangles C++ names.
#pragma once

#include <string>

namespace heddle::occupancy {

/// "ns::tile(float const*, float*)" for "_ZN2ns4tileEPKfPf". A name that is not mangled is returned
/// unchanged. So is a name of more than 16 KiB, or one that would become longer than 64 KiB (each
/// substitution can double it); no compiler makes such names.
std::string demangled(const std::string& name);

}  // namespace heddle::occupancy
