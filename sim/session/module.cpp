#include "sim/session/module.h"

#include "isa/text/assemble.h"
#include "isa/text/kernel_choice.h"

namespace heddle::session {

struct Module::Contents {
  std::vector<text::KernelText> kernels;
};

Module Module::from_file(const std::string& path) {
  return Module(std::make_shared<Contents>(Contents{text::read_kernel_file(path)}));
}

Module Module::from_text(std::string_view text, const std::string& name) {
  return Module(std::make_shared<Contents>(Contents{text::read_kernels(text, name)}));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const text::KernelText& each : contents_->kernels) names.push_back(each.kernel.name);
  return names;
}

ir::Kernel Module::kernel(const std::optional<std::string>& name) const {
  return text::choose_kernel(contents_->kernels, name, "the name of the kernel");
}

}  // namespace heddle::session
