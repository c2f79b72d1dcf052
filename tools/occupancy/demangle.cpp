#include "tools/occupancy/demangle.h"

#include <demangle.h>

#include <csetjmp>

namespace heddle::occupancy {

namespace {

/// Kernels of template libraries have names of a thousand characters, for text of ten thousand.
constexpr std::size_t kLongestText = 64 * 1024;
/// libiberty's stack grows with the name, by some 100 bytes a character.
constexpr std::size_t kLongestName = 16 * 1024;

struct BoundedText {
  std::string text;
  std::jmp_buf too_long;
};

/// The demangler asks for no permission to go on, so it is left by a jump: it holds nothing but its stack.
void append_or_leave(const char* part, std::size_t length, void* opaque) {
  auto& bounded = *static_cast<BoundedText*>(opaque);
  if (length > kLongestText - bounded.text.size()) std::longjmp(bounded.too_long, 1);
  bounded.text.append(part, length);
}

bool demangle_into(BoundedText& bounded, const char* name) {
  if (setjmp(bounded.too_long) != 0) return false;
  // Its own limit, a thousand characters, is below what template libraries need.
  constexpr int kOptions = DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;
  return cplus_demangle_v3_callback(name, kOptions, append_or_leave, &bounded) != 0;
}

}  // namespace

std::string demangled(const std::string& name) {
  // Anything that begins otherwise is a C name, though it may read as a mangled type ("f" is float).
  if (!name.starts_with("_Z") || name.size() > kLongestName) return name;
  BoundedText bounded;
  return demangle_into(bounded, name.c_str()) ? bounded.text : name;
}

}  // namespace heddle::occupancy
