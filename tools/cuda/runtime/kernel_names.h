// What kernels are called for people.
#pragma once

#include <string>

namespace heddle::cudart {

/// "reduce<float>" of "_Z6reduceIfEvPT_", as it stands before its parameters; the name itself if C++ has no
/// such name.
std::string name_without_parameters(const std::string& mangled);

}  // namespace heddle::cudart
