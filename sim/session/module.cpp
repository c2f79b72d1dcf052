#include "sim/session/module.h"

#include "isa/load/kernel_file.h"

namespace heddle::session {

struct Module::Contents {
  load::KernelFile read;
};

Module Module::from_file(const std::string& path) {
  return Module(std::make_shared<Contents>(Contents{load::KernelFile::from_file(path)}));
}

Module Module::from_text(std::string_view text, const std::string& name) {
  return Module(std::make_shared<Contents>(Contents{load::KernelFile::from_text(std::string(text), name)}));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const ir::Kernel& each : contents_->read.names().functions) {
    if (each.is_entry) names.push_back(each.name);
  }
  return names;
}

const std::vector<std::string>& Module::source_files() const { return contents_->read.names().files; }

const std::vector<ir::Variable>& Module::variables() const { return contents_->read.variables(); }

ir::Kernel Module::kernel(const std::optional<std::string>& name, unsigned compute_capability) const {
  return contents_->read.choose(name, "the name of the kernel", {compute_capability});
}

}  // namespace heddle::session
