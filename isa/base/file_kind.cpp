#include "isa/base/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "isa/base/diagnostic.h"

namespace heddle {

namespace {

constexpr std::size_t kBeginning = 8192;

/// Whether a line begins with these words; blanks may precede them if `is_indented`.
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

bool is_gpu(std::string_view text) {
  return has_line(text, "compute_capability:", false) || has_line(text, "occupancy:", false) ||
         has_line(text, "extends:", false);
}

bool is_suite(std::string_view text) {
  return has_line(text, "group:", false) && has_line(text, "cases:", false);
}

bool is_trace(std::string_view text) { return text.starts_with("-kernel name = "); }

bool is_binary_code(std::string_view path, std::string_view text) {
  constexpr std::string_view kElf =
      "\x7f"
      "ELF";
  constexpr std::string_view kFatBinary("\x50\xed\x55\xba", 4);
  return text.starts_with(kElf) || text.starts_with(kFatBinary) || ends_in_any(path, {".cubin", ".fatbin"});
}

/// Words that compilers and profilers print.
bool is_printed(std::string_view text) {
  const auto has = [text](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("ptxas") || has("==PROF==") || has("\"ID\"") || has("REG:");
}

/// Advice for a kernel that is CUDA source or compiled code.
std::string_view way_of_code(FileRole role) {
  switch (role) {
    case FileRole::Report:
      return "nvcc -Xptxas -v and cuobjdump -res-usage print what heddle occupancy --ptxas reads, ncu --csv "
             "what heddle validate --ncu reads";
    case FileRole::Trace:
      return "a trace is recorded while a program runs, by Accel-Sim's tracer, or by heddle run --record DIR";
    default:
      return "Heddle runs kernels as PTX, which nvcc -ptx and clang make of it, or as SASS text, which cuobjdump "
             "-sass prints of what nvcc has compiled (heddle help asm)";
  }
}

/// Recognizes code and profilers' reports.
std::string foreign(FileRole role, std::string_view path, std::string_view text) {
  if (is_binary_code(path, text))
    return fmt::format("is a binary (a program, an object or a cubin): {}", way_of_code(role));
  if (ends_in_any(path, {".ncu-rep", ".nsight-cuprof-report"}) || text.starts_with("NVR"))
    return "is a binary report of Nsight Compute: ncu --import FILE --csv --page raw prints the table for heddle "
           "validate --ncu";
  if (ends_in_any(path, {".nsys-rep", ".qdrep", ".sqlite"}))
    return "is a report of Nsight Systems, which has no figures of kernels: ncu --csv --page raw measures them";
  const bool is_named_source = ends_in_any(path, {".cu", ".cuh", ".ptx"});
  if (role == FileRole::Report && !is_named_source && is_printed(text)) return {};
  const bool is_kernel_elsewhere = role != FileRole::Report && role != FileRole::Trace;
  if (is_ptx(path, text) && is_kernel_elsewhere)
    return "is PTX: a launch file names it as its kernel, with a grid, buffers and parameters (docs/writing.md)";
  if (is_ptx(path, text)) return fmt::format("is PTX: {}", way_of_code(role));
  if (is_cuda(path, text)) return fmt::format("is CUDA C++: {}", way_of_code(role));
  return {};
}

/// Recognizes Heddle's own files of another role.
std::string misplaced(FileRole role, std::string_view text) {
  const bool is_kernel = has_line(text, ".kernel ", false);
  const bool is_launch = has_line(text, "kernel:", false) && !is_kernel;
  if (role != FileRole::Launch && role != FileRole::Trace && is_trace(text))
    return "is a kernel trace: heddle run and heddle trace take it";
  // Other text, such as labels of a kernel or lines that a program printed, does not matter.
  if (role == FileRole::Report || (role == FileRole::Kernel && is_kernel)) return {};
  if (is_kernel && role == FileRole::Launch)
    return "is a kernel; a launch file names it, with a grid, buffers and parameters (docs/writing.md)";
  if (is_kernel) return "is a kernel: heddle asm takes it, and heddle run the launch file that names it";
  if (is_launch && role == FileRole::Kernel) return "is a launch file, no kernel: heddle run takes it";
  if (is_launch && role == FileRole::Gpu) return "is a launch file, no GPU file";
  if (is_launch && role == FileRole::Trace)
    return "is a launch file, no trace: heddle run takes it, and with --record DIR makes a trace";
  if (is_launch && role != FileRole::Launch) return "is a launch file: heddle run takes it";
  if (role != FileRole::Suite && is_suite(text)) return "is a suite: heddle validate takes it";
  if (role != FileRole::Gpu && !is_launch && is_gpu(text)) return "is a GPU file: --gpu takes it";
  return {};
}

}  // namespace

bool is_ptx(std::string_view path, std::string_view text) {
  if (is_binary(text)) return false;
  return path.ends_with(".ptx") || (has_line(text, ".version ") && has_line(text, ".target "));
}

bool is_cuda(std::string_view path, std::string_view text) {
  if (is_binary(text)) return false;
  return ends_in_any(path, {".cu", ".cuh"}) || has_line(text, "__global__") || has_line(text, "#include") ||
         has_line(text, "extern \"C\" __global__");
}

void require_role(FileRole role, const std::string& path, std::string_view beginning) {
  const std::string_view text = beginning.substr(0, kBeginning);
  for (const std::string& told : {foreign(role, path, text), misplaced(role, text)}) {
    if (!told.empty()) throw InputError({path, 0, 0}, told);
  }
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
