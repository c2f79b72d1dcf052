#include "tools/cuda/kernel_file.h"

namespace heddle::cuda {

bool is_cuda_source(const std::string& path) { return path.ends_with(".cu"); }

load::KernelFile open_kernel_file(const std::string& path, const CompileOptions& options) {
  if (!is_cuda_source(path)) return load::KernelFile::from_file(path);
  // Mistakes of the PTX are called after it: its lines are not those of the source.
  return load::KernelFile::from_text(compile_cuda(path, options).text, path + ".ptx");
}

}  // namespace heddle::cuda
