#include "sim/session/module.h"

#include "isa/text/assemble.h"
#include "isa/text/kernel_choice.h"

namespace heddle::session {

struct Module::Contents {
  text::ModuleText read;
};

Module Module::from_file(const std::string& path) {
  return Module(std::make_shared<Contents>(Contents{text::read_module_file(path)}));
}

Module Module::from_text(std::string_view text, const std::string& name) {
  return Module(std::make_shared<Contents>(Contents{text::read_module(text, name)}));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const ir::Kernel& each : contents_->read.module.functions) {
    if (each.is_entry) names.push_back(each.name);
  }
  return names;
}

ir::Kernel Module::kernel(const std::optional<std::string>& name) const {
  return text::choose_kernel(contents_->read, name, "the name of the kernel");
}

}  // namespace heddle::session
