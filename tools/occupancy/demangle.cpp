#include "tools/occupancy/demangle.h"

#include <demangle.h>

#include <csetjmp>

namespace heddle::occupancy {

namespace {

/// Kernels of template libraries have names of a thousand characters, which become ten thousand.
constexpr std::size_t kLongestText = 64 * 1024;
/// The stack that libiberty needs grows with the name, by some 100 bytes per character.
constexpr std::size_t kLongestName = 16 * 1024;

struct BoundedText {
  std::string text;
  std::jmp_buf too_long;
};

/// The demangler cannot be stopped from its callback, so it is left by longjmp. That is safe because it holds
/// nothing but its stack.
void append_or_leave(const char* part, std::size_t length, void* opaque) {
  auto& bounded = *static_cast<BoundedText*>(opaque);
  if (length > kLongestText - bounded.text.size()) std::longjmp(bounded.too_long, 1);
  bounded.text.append(part, length);
}

bool demangle_into(BoundedText& bounded, const char* name) {
  if (setjmp(bounded.too_long) != 0) return false;
  // The library's own limit of a thousand characters is too low for template libraries.
  constexpr int kOptions = DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;
  return cplus_demangle_v3_callback(name, kOptions, append_or_leave, &bounded) != 0;
}

}  // namespace

std::string demangled(const std::string& name) {
  // Other names are C names, even if they could be read as mangled types ("f" is float).
  if (!name.starts_with("_Z") || name.size() > kLongestName) return name;
  BoundedText bounded;
  return demangle_into(bounded, name.c_str()) ? bounded.text : name;
}

}  // namespace heddle::occupancy
