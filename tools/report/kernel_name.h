// Names of kernels as C++ writes them: "void ns::scale<float, 4>(const float *, int)".
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::report {

/// Where the list of parameters begins, which is where the name ends: at the first parenthesis that opens
/// outside of template arguments, and not for an anonymous namespace. The name's length if it has none.
std::size_t parameters_of(std::string_view kernel);

}  // namespace heddle::report
