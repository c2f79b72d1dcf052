// Names of kernels in C++ form: "void ns::scale<float, 4>(const float *, int)".
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::report {

/// The position at which the parameter list begins and the name ends. That is the first opening parenthesis
/// outside of template arguments that is not part of an anonymous namespace. The length of the name if there
/// is none.
std::size_t parameters_of(std::string_view kernel);

}  // namespace heddle::report
