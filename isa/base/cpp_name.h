// Names of functions in C++: mangled, as a signature, and short.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

/// "void ns::scale<4>(float const*, float*)" for "_ZN2ns5scaleILi4EEEvPKfPf". A name that is not mangled is
/// returned unchanged. So is a name of more than 16 KiB, or one that would become longer than 64 KiB (each
/// substitution can double it); no compiler makes such names. A number behind a `$`, by which linked files tell their own
/// names apart (image::link_ptx), is left out.
std::string demangled(const std::string& name);

/// The position at which the parameter list of a signature begins and the name ends. That is the first
/// opening parenthesis outside of template arguments that is not part of an anonymous namespace. The length
/// of the signature if there is none.
std::size_t parameters_position(std::string_view signature);

/// "ns::scale<4>": a signature without its parameters and the type of its result.
std::string_view qualified_name(std::string_view signature);

/// "scale": a signature's name without namespaces and template arguments, too.
std::string unqualified_name(std::string_view signature);

}  // namespace heddle
