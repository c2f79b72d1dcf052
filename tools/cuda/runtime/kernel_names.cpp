#include "tools/cuda/runtime/kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "tools/report/kernel_name.h"

namespace heddle::cudart {

std::string name_without_parameters(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> whole(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || whole == nullptr) return mangled;
  std::string name = whole.get();
  name.resize(report::parameters_of(name));
  // Of a template the compiler keeps the type of the result, too.
  if (name.starts_with("void ")) name.erase(0, 5);
  return name;
}

}  // namespace heddle::cudart
