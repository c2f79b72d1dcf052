#include "tools/cuda/kernel_file.h"

#include <fstream>

#include "isa/base/file_kind.h"
#include "tools/cuda/scratch_folder.h"

namespace heddle::cuda {

namespace {

/// Mistakes of what the compiler made are called after it: its lines are not those of the source.
std::string ending_of(const CompileOptions& options) { return options.is_machine_code ? ".cubin" : ".ptx"; }

}  // namespace

bool is_cuda_source(const std::string& path) { return path.ends_with(".cu"); }

load::KernelFile open_kernel_file(const std::string& path, const CompileOptions& options) {
  if (!is_cuda_source(path)) return load::KernelFile::from_file(path);
  return load::KernelFile::from_text(compile_cuda(path, options).text, path + ending_of(options));
}

load::KernelFile kernel_file_of_text(const std::string& text, const CompileOptions& options) {
  constexpr const char* kName = "<stdin>";
  if (!is_cuda(kName, text)) return load::KernelFile::from_text(text, kName);
  const ScratchFolder scratch;
  const std::string path = scratch.file("stdin.cu");
  std::ofstream(path) << "#line 1 \"" << kName << "\"\n" << text;
  CompileOptions here = options;
  here.include_directories.emplace_back(".");
  return load::KernelFile::from_text(compile_cuda(path, here).text, kName + ending_of(options));
}

}  // namespace heddle::cuda
