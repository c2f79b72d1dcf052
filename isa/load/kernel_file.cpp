#include "isa/load/kernel_file.h"

#include <algorithm>
#include <utility>

#include "isa/base/file_kind.h"
#include "isa/base/read_file.h"
#include "isa/cubin/link.h"
#include "isa/cubin/listing.h"
#include "isa/cubin/variables.h"
#include "isa/load/system_code.h"
#include "isa/lower/lower.h"
#include "isa/lower/module_variables.h"
#include "isa/lower/system_functions.h"
#include "isa/text/kernel_choice.h"

namespace heddle::load {

namespace {

ir::Module names_of(const ptx::Module& module) {
  ir::Module names;
  names.file = module.file;
  for (const ptx::SourceFile& file : module.files) names.files.push_back(file.path);
  names.variables = lower::module_variables(module);
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry || !function.has_body) continue;
    ir::Kernel kernel;
    kernel.name = function.name;
    kernel.file = module.file;
    names.functions.push_back(std::move(kernel));
  }
  if (names.functions.empty())
    throw InputError({module.file}, "there is no kernel in it: no .entry with a body");
  return names;
}

/// Members of arrays and of vectors are given one by one.
Parameter::Kind kind_of(const ptx::Variable& parameter) {
  if (parameter.is_array || parameter.vector_width > 1) return Parameter::Kind::Bytes;
  switch (parameter.type) {
    case ptx::Modifier::F16:
    case ptx::Modifier::F32:
    case ptx::Modifier::F64:
      return Parameter::Kind::Float;
    case ptx::Modifier::U8:
    case ptx::Modifier::S8:
    case ptx::Modifier::U16:
    case ptx::Modifier::S16:
    case ptx::Modifier::U32:
    case ptx::Modifier::S32:
    case ptx::Modifier::U64:
    case ptx::Modifier::S64:
      return Parameter::Kind::Integer;
    default:
      return Parameter::Kind::Bytes;
  }
}

/// What kernels call of CUDA's own stands behind the module's text.
ptx::Module ptx_module(const std::string& text, const std::string& name) {
  ptx::Module module = ptx::read_module(text, name);
  const std::string called = lower::system_functions(module);
  if (called.empty()) return module;
  module = ptx::read_module(text + called, name);
  lower::connect_system_variables(module);
  return module;
}

/// Machine code as what a disassembler would print of it. What it does not know is a mistake of the function.
text::ModuleText machine_code(const std::string& bytes, const std::string& name) {
  cubin::Image image = cubin::read_image(bytes, name);
  cubin::move_addresses(image);
  cubin::add_grid_workspace(image);
  cubin::move_code_addresses(image);
  add_system_functions(image);
  cubin::link_functions(image);
  const cubin::Listing listing = cubin::list_image(image, name);
  // Instruction::line counts in the listing, which heddle asm prints.
  text::ModuleText read = text::read_module(listing.text, name + ".sass");
  read.module.files = image.files;
  read.module.variables = image.all_variables;
  for (std::size_t i = 0; i < image.functions.size(); ++i) {
    for (std::size_t k = 0; k < read.module.functions.size(); ++k) {
      ir::Kernel& kernel = read.module.functions[k];
      if (kernel.name != image.functions[i].name) continue;
      kernel.is_entry = image.functions[i].is_entry;
      kernel.variables = image.variables;
      kernel.local_bytes += local_bytes_of_system_functions(image, image.functions[i]);
      kernel.sources = image.functions[i].places;
      kernel.sources.resize(kernel.instructions.size());
      read.mistakes[k].insert(read.mistakes[k].begin(), listing.mistakes[i].begin(),
                              listing.mistakes[i].end());
      // What the reader says of such a call says less.
      if (!listing.refusals[i].empty()) read.mistakes[k] = listing.refusals[i];
    }
  }
  return read;
}

ir::Module names_of(const text::ModuleText& text) {
  ir::Module names;
  names.file = text.module.file;
  names.files = text.module.files;
  names.variables = text.module.variables;
  for (const ir::Kernel& kernel : text.module.functions) {
    ir::Kernel named;
    named.name = kernel.name;
    named.file = kernel.file;
    named.is_entry = kernel.is_entry;
    named.compute_capability = kernel.compute_capability;
    names.functions.push_back(std::move(named));
  }
  return names;
}

}  // namespace

KernelFile KernelFile::from_file(const std::string& path) {
  return from_text(read_file(path, Pipes::Read), path);
}

KernelFile KernelFile::from_text(const std::string& text, const std::string& name) {
  KernelFile file;
  if (is_ptx(name, text)) {
    file.ptx_ = std::make_shared<const ptx::Module>(ptx_module(text, name));
    file.ptx_text_ = text;
    file.names_ = names_of(*file.ptx_);
  } else {
    file.is_machine_code_ = cubin::is_cubin(text);
    file.text_ = file.is_machine_code_ ? machine_code(text, name) : text::read_module(text, name);
    file.names_ = names_of(*file.text_);
  }
  return file;
}

std::vector<Parameter> KernelFile::parameters(std::size_t index) const {
  std::vector<Parameter> parameters;
  if (!ptx_) return parameters;
  const std::string& name = names_.functions[index].name;
  const auto found = std::ranges::find_if(ptx_->functions, [&](const ptx::Function& one) {
    return one.is_entry && one.has_body && one.name == name;
  });
  for (const ptx::Variable& one : found->parameters) parameters.push_back({kind_of(one), one.place.line});
  return parameters;
}

ir::Kernel KernelFile::kernel(std::size_t index, const Lowering& lowering) const {
  if (ptx_)
    return lower::lower_kernel(*ptx_, names_.functions[index].name, {lowering.compute_capability},
                               lowering.most_registers);
  if (!text_->mistakes[index].empty()) throw InputError(text_->mistakes[index]);
  return text_->module.functions[index];
}

ir::Kernel KernelFile::choose(const std::optional<std::string>& wanted, std::string_view option,
                              const Lowering& lowering) const {
  return kernel(text::chosen_entry(names_, wanted, option), lowering);
}

std::vector<ir::Kernel> KernelFile::all(std::string_view option, const Lowering& lowering) const {
  if (text_) return text::all_kernels(*text_, option).functions;
  text::ModuleText lowered;
  lowered.module = names_;
  for (std::size_t i = 0; i < names_.functions.size(); ++i) {
    lowered.mistakes.emplace_back();
    try {
      lowered.module.functions[i] = kernel(i, lowering);
    } catch (const InputError& error) {
      lowered.mistakes.back() = error.list();
    }
  }
  return text::all_kernels(std::move(lowered), option).functions;
}

}  // namespace heddle::load
