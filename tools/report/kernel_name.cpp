#include "tools/report/kernel_name.h"

namespace heddle::report {

std::size_t parameters_of(std::string_view kernel) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    if (kernel[i] == '<') ++depth;
    if (kernel[i] == '>' && depth > 0) --depth;
    if (kernel[i] == '(' && depth == 0 && !kernel.substr(i).starts_with("(anonymous")) return i;
  }
  return kernel.size();
}

}  // namespace heddle::report
