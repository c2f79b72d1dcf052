#include "isa/base/cpp_name.h"

#include <demangle.h>

#include <csetjmp>

namespace heddle {

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

/// Where the number of a file begins; the length if there is none.
std::size_t file_position(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end != 0 && end + 1 < name.size() && name[end] == '$' ? end : name.size();
}

}  // namespace

std::string demangled(const std::string& name) {
  if (const std::size_t end = file_position(name); end < name.size()) return demangled(name.substr(0, end));
  // Other names are C names, even if they could be read as mangled types ("f" is float).
  if (!name.starts_with("_Z") || name.size() > kLongestName) return name;
  BoundedText bounded;
  return demangle_into(bounded, name.c_str()) ? bounded.text : name;
}

std::size_t parameters_position(std::string_view signature) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (signature[i] == '<') ++depth;
    if (signature[i] == '>' && depth > 0) --depth;
    if (signature[i] == '(' && depth == 0 && !signature.substr(i).starts_with("(anonymous")) return i;
  }
  return signature.size();
}

std::string_view qualified_name(std::string_view signature) {
  std::string_view name = signature.substr(0, parameters_position(signature));
  std::size_t depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if ((name[i] == '<' || name[i] == '(') && depth > 0) --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

std::string unqualified_name(std::string_view signature) {
  std::string name;
  int depth = 0;
  for (const char c : qualified_name(signature)) {
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (c == '>') --depth;
  }
  const std::size_t begin = name.find_last_of(" :*&");
  return begin == std::string::npos ? name : name.substr(begin + 1);
}

}  // namespace heddle
