// What a mangled name of the linker stands for in C++.
#pragma once

#include <string>

namespace heddle::occupancy {

/// "ns::tile(float const*, float*)" of "_ZN2ns4tileEPKfPf". What is no C++ name comes back as it is, and so
/// does one that stands for more than 64 KiB (each of its substitutions can double it) or has itself more
/// than 16: no compiler's do.
std::string demangled(const std::string& name);

}  // namespace heddle::occupancy
