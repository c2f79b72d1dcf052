#include "tools/occupancy/machine_code.h"

#include <fmt/format.h>

#include "isa/base/cpp_name.h"
#include "isa/base/file_kind.h"
#include "isa/cubin/image.h"

namespace heddle::occupancy {

namespace {

std::vector<CompiledKernel> kernels_of(const cubin::Image& image, const std::string& file) {
  std::vector<CompiledKernel> kernels;
  for (const cubin::Function& function : image.functions) {
    if (!function.is_entry) continue;
    CompiledKernel kernel;
    kernel.mangled = function.name;
    kernel.name = demangled(function.name);
    kernel.architecture = fmt::format("sm_{}", image.capability);
    kernel.registers = function.registers;
    kernel.static_shared = function.shared_bytes;
    kernel.barriers = function.barriers;
    kernel.stack_bytes = function.frame_bytes;
    kernel.where = {file, 0, 0};
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty()) throw InputError({file}, "there is no kernel in this machine code");
  return kernels;
}

}  // namespace

bool is_machine_code_path(std::string_view path) { return path.ends_with(".cubin"); }

std::vector<CompiledKernel> read_compiled(std::string_view bytes, const std::string& file) {
  if (cubin::is_cubin(bytes)) return kernels_of(cubin::read_image(bytes, file), file);
  require_role(FileRole::Report, file, bytes);
  return read_ptxas(bytes, file);
}

}  // namespace heddle::occupancy
