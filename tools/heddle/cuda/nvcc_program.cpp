#include "tools/heddle/cuda/nvcc_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "isa/cubin/elf.h"
#include "tools/cuda/image/fat_binary.h"
#include "tools/cuda/image/host_program.h"
#include "tools/cuda/installed.h"

namespace heddle::command {

namespace {

using image::CodeKind;
using image::FatEntry;
using image::HostProgram;

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;
constexpr std::string_view kRuntime = "libcudart.so.";
constexpr std::array kVersions = {"libcudart.so.12", "libcudart.so.13"};
constexpr const char* kOtherWay = "or compile the program by heddle cuda";

constexpr std::string_view kDriver = "libcuda.so.1";

/// Libraries of machine code for GPUs, and what speaks to a driver.
constexpr std::array<std::string_view, 9> kForeignLibraries = {"libcublas", "libcudnn",    "libcufft",
                                                               "libcurand", "libcusparse", "libcusolver",
                                                               "libnccl",   "libnpp",      "libnvJitLink"};

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// An ELF file of machine code has functions; what nvcc leaves where nothing was to be linked has none.
bool has_functions(const FatEntry& entry, const std::string& name) {
  if (entry.kind != CodeKind::MachineCode) return false;
  const std::string code = image::code_of(entry);
  const cubin::Elf elf = cubin::read_elf(code, name);
  return std::ranges::any_of(elf.sections, [](const auto& each) { return each.name.starts_with(".text."); });
}

/// The capabilities of containers that have machine code alone.
std::vector<std::string> without_ptx(std::string_view section, const std::string& path) {
  std::vector<std::string> found;
  for (const std::vector<FatEntry>& container : image::fat_binaries(section, path)) {
    if (std::ranges::any_of(container, [](const auto& entry) { return entry.kind == CodeKind::Ptx; }))
      continue;
    for (const FatEntry& entry : container) {
      if (has_functions(entry, path)) found.push_back(fmt::format("sm_{}", entry.capability));
    }
  }
  return found;
}

void require_ptx(const HostProgram& program, const std::string& path) {
  const bool is_linked = !program.prelinked_code.empty();
  std::vector<std::string> found =
      without_ptx(is_linked ? program.prelinked_code : program.device_code, path);
  if (found.empty()) return;
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  throw InputError(
      {path}, fmt::format("has device code as machine code ({}) without PTX, which is simulated: "
                          "compile it by nvcc -cudart shared -gencode arch=compute_80,code=compute_80, {}",
                          joined(found), kOtherWay));
}

bool uses_driver(const HostProgram& program) {
  return std::ranges::find(program.libraries, kDriver) != program.libraries.end();
}

/// A function of the driver API, whose names have no version of a library: "cuInit".
bool is_of_driver(const image::WantedSymbol& wanted) {
  return wanted.library.empty() && wanted.name.size() > 2 && wanted.name.starts_with("cu") &&
         wanted.name[2] >= 'A' && wanted.name[2] <= 'Z';
}

/// `version`: the runtime that stands in the place of both libraries.
void require_functions(const HostProgram& program, const std::string& version, const std::string& path) {
  const std::string library = cuda::installed_file("heddle/" + version);
  const HostProgram runtime =
      image::read_host_program(read_file(library, Pipes::Refused, kMostBytes), library);
  std::vector<std::string> missing;
  for (const image::WantedSymbol& wanted : program.wanted) {
    const bool is_ours = wanted.library == version || (uses_driver(program) && is_of_driver(wanted));
    if (is_ours && std::ranges::find(runtime.offered, wanted.name) == runtime.offered.end())
      missing.push_back(wanted.name);
  }
  if (missing.empty()) return;
  throw InputError({path}, fmt::format("calls what Heddle's runtime does not have: {}", joined(missing)));
}

void require_no_foreign_library(const HostProgram& program, const std::string& path) {
  std::vector<std::string> found;
  for (const std::string& library : program.libraries) {
    if (std::ranges::any_of(kForeignLibraries, [&](auto name) { return library.starts_with(name); }))
      found.push_back(library);
  }
  if (!found.empty())
    throw InputError({path}, fmt::format("needs {}, which is made for a GPU with its driver", joined(found)));
}

/// What cannot be read may be a program all the same: the system knows when it starts it.
HostProgram program_of(const std::string& bytes, const std::string& path) {
  try {
    if (cubin::is_elf(bytes)) return image::read_host_program(bytes, path);
  } catch (const InputError&) {
  }
  return {};
}

/// The runtime that the program is linked with; empty if it is none.
std::string runtime_of(const HostProgram& program) {
  const auto found = std::ranges::find_if(program.libraries,
                                          [](const auto& library) { return library.starts_with(kRuntime); });
  return found != program.libraries.end() ? *found : "";
}

void require_known_runtime(const std::string& runtime, const std::string& path) {
  if (std::ranges::find(kVersions, runtime) != kVersions.end()) return;
  throw InputError({path},
                   fmt::format("was linked with {}; the runtime is there in the versions of CUDA 12 and 13: "
                               "compile it by their nvcc with -cudart shared, {}",
                               runtime, kOtherWay));
}

}  // namespace

ProgramNeeds needs_of_program(const std::string& path, bool needs_ptx) {
  const std::string folder =
      std::filesystem::path(cuda::installed_file("heddle/libcudart.so.13")).parent_path().string();
  const std::string bytes = read_file(path, Pipes::Refused, kMostBytes);
  const HostProgram program = program_of(bytes, path);
  const std::string runtime = runtime_of(program);
  if (runtime.empty()) {
    if (image::is_fat_binary(program.device_code))
      throw InputError(
          {path},
          fmt::format("has NVIDIA's runtime inside, which speaks to a driver: link it by nvcc -cudart "
                      "shared, {}",
                      kOtherWay));
    if (uses_driver(program)) {
      require_no_foreign_library(program, path);
      require_functions(program, kVersions.back(), path);
    }
    return {folder,
            program.has_own_path && uses_driver(program) ? fmt::format("{}/{}", folder, kDriver) : ""};
  }
  require_known_runtime(runtime, path);
  require_no_foreign_library(program, path);
  if (needs_ptx) require_ptx(program, path);
  require_functions(program, runtime, path);
  // libcuda.so.1 brings along the runtime that the program has.
  const std::string drivers = runtime == kVersions.front() ? folder + "/cuda12" : folder;
  std::string preloaded;
  if (program.has_own_path) preloaded = fmt::format("{}/{}:{}/{}", folder, runtime, drivers, kDriver);
  return {drivers == folder ? folder : fmt::format("{}:{}", drivers, folder), preloaded};
}

}  // namespace heddle::command
