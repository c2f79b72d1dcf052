#include "isa/base/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "isa/base/diagnostic.h"

namespace heddle {

namespace {

constexpr std::size_t kBeginning = 8192;

/// Whether a line begins with these words, perhaps behind blanks.
bool has_line(std::string_view text, std::string_view words, bool is_indented = true) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    begin += line.size() + 1;
    if (is_indented) line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with(words)) return true;
  }
  return false;
}

bool ends_in_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_binary(std::string_view text) { return text.find('\0') != std::string_view::npos; }

bool is_cuda(std::string_view path, std::string_view text) {
  if (is_binary(text)) return false;
  return ends_in_any(path, {".cu", ".cuh"}) || has_line(text, "__global__") || has_line(text, "#include") ||
         has_line(text, "extern \"C\" __global__");
}

bool is_ptx(std::string_view path, std::string_view text) {
  if (is_binary(text)) return false;
  return path.ends_with(".ptx") || (has_line(text, ".version ") && has_line(text, ".target "));
}

bool is_gpu(std::string_view text) {
  return has_line(text, "compute_capability:", false) || has_line(text, "occupancy:", false) ||
         has_line(text, "extends:", false);
}

constexpr std::string_view kRunsText =
    "Heddle runs kernels as SASS text, which cuobjdump -sass prints of what nvcc has compiled (heddle help asm)";

/// What it is, and what to do with it; empty where it may be what is wanted.
std::string foreign(FileRole role, std::string_view path, std::string_view text) {
  if (text.starts_with("\x7f"
                       "ELF") ||
      text.starts_with(std::string_view("\x50\xed\x55\xba", 4)) || ends_in_any(path, {".cubin", ".fatbin"})) {
    return fmt::format("is a binary (a program, an object or a cubin): {}", kRunsText);
  }
  if (ends_in_any(path, {".ncu-rep", ".nsight-cuprof-report"}) || text.starts_with("NVR"))
    return "is a binary report of Nsight Compute: ncu --import FILE --csv --page raw prints the table for heddle "
           "validate --ncu";
  if (ends_in_any(path, {".nsys-rep", ".qdrep", ".sqlite"}))
    return "is a report of Nsight Systems, which has no figures of kernels: ncu --csv --page raw measures them";
  if (role != FileRole::Report && is_ptx(path, text)) return fmt::format("is PTX: {}", kRunsText);
  if (role != FileRole::Report && is_cuda(path, text)) return fmt::format("is CUDA C++: {}", kRunsText);
  const bool is_kernel = has_line(text, ".kernel ", false);
  const bool is_launch = has_line(text, "kernel:", false) && !is_kernel;
  if (role == FileRole::Launch && is_kernel)
    return "is a kernel; a launch file names it, with a grid, buffers and parameters (docs/writing.md)";
  if (role == FileRole::Launch && !is_launch && is_gpu(text)) return "is a GPU file: --gpu takes it";
  if (role == FileRole::Kernel && is_launch) return "is a launch file, no kernel: heddle run takes it";
  if (role == FileRole::Gpu && is_launch) return "is a launch file, no GPU file";
  return {};
}

}  // namespace

void require_role(FileRole role, const std::string& path, std::string_view beginning) {
  const std::string told = foreign(role, path, beginning.substr(0, kBeginning));
  if (!told.empty()) throw InputError({path, 0, 0}, told);
}

void require_role_of_file(FileRole role, const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  std::ifstream file(path, std::ios::binary);
  std::string text(kBeginning, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  require_role(role, path, text);
}

}  // namespace heddle
