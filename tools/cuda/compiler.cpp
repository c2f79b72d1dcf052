#include "tools/cuda/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "tools/cuda/process.h"

namespace heddle::cuda {

namespace {

/// What a version of clang and those after it can do.
struct ClangAbility {
  unsigned version;
  unsigned architecture;
  unsigned ptx;
};

constexpr std::array kClangAbilities = {ClangAbility{20, 100, 86}, ClangAbility{18, 90, 83},
                                        ClangAbility{16, 90, 78}, ClangAbility{kOldestClang, 86, 75}};

const ClangAbility& ability_of_clang(unsigned version) {
  const auto* found = std::ranges::find_if(
      kClangAbilities, [version](const ClangAbility& ability) { return version >= ability.version; });
  return found == kClangAbilities.end() ? kClangAbilities.back() : *found;
}

/// The number behind these words; 0 if there is none.
unsigned number_behind(std::string_view text, std::string_view words) {
  const std::size_t found = text.find(words);
  if (found == std::string_view::npos) return 0;
  text.remove_prefix(found + words.size());
  return number_in<unsigned>(text.substr(0, text.find_first_not_of("0123456789"))).value_or(0);
}

/// Asks a program what it is. Nothing if it is neither clang nor nvcc.
std::optional<Compiler> identify(const std::string& path) {
  const FinishedProgram said = run_program({path, "--version"});
  if (said.exit_code != 0) return std::nullopt;
  const unsigned clang = number_behind(said.output, "clang version ");
  if (clang != 0) return Compiler{path, Compiler::Kind::Clang, clang, said.output};
  const unsigned nvcc = number_behind(said.output, "release ");
  if (nvcc != 0 && said.output.find("NVIDIA") != std::string::npos)
    return Compiler{path, Compiler::Kind::Nvcc, nvcc, said.output};
  return std::nullopt;
}

std::optional<Compiler> usable(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::string path = find_program(name);
  if (path.empty()) return std::nullopt;
  auto found = identify(path);
  if (found && found->kind == Compiler::Kind::Clang && found->version < kOldestClang) return std::nullopt;
  return found;
}

Compiler named(const std::string& name, const std::string& origin) {
  const std::string path = find_program(name);
  if (path.empty()) throw InputError({origin, 0, 0}, fmt::format("there is no program '{}'", name));
  auto found = identify(path);
  if (!found)
    throw InputError({origin, 0, 0},
                     fmt::format("'{}' is neither clang nor nvcc, by what --version prints", name));
  if (found->kind == Compiler::Kind::Clang && found->version < kOldestClang)
    throw InputError({origin, 0, 0}, fmt::format("'{}' is clang {}; clang {} or newer is needed", name,
                                                 found->version, kOldestClang));
  return *found;
}

}  // namespace

Compiler find_compiler(const std::optional<std::string>& asked) {
  if (asked) return named(*asked, "--compiler");
  if (const char* chosen = std::getenv("HEDDLE_CUDA_COMPILER"); chosen != nullptr && *chosen != '\0')
    return named(chosen, "HEDDLE_CUDA_COMPILER");
  for (unsigned version = kNewestClang; version >= kOldestClang; --version)
    if (auto found = usable(fmt::format("clang++-{}", version))) return *found;
  for (const char* name : {"clang++", "nvcc"})
    if (auto found = usable(name)) return *found;
  throw InputError(
      {}, fmt::format("there is no compiler for CUDA C++; install clang {} or newer (Debian and Ubuntu: "
                      "apt install clang), or NVIDIA's nvcc, or name one by --compiler or "
                      "HEDDLE_CUDA_COMPILER",
                      kOldestClang));
}

Compiler find_nvcc(const std::optional<std::string>& asked) {
  if (asked) {
    Compiler found = named(*asked, "--compiler");
    if (found.kind == Compiler::Kind::Nvcc) return found;
    throw InputError({"--compiler", 0, 0},
                     fmt::format("'{}' is clang; machine code is made by NVIDIA's nvcc", *asked));
  }
  const char* chosen = std::getenv("HEDDLE_CUDA_COMPILER");
  for (const char* name : {chosen != nullptr ? chosen : "", "nvcc", "/usr/local/cuda/bin/nvcc"})
    if (auto found = usable(name); found && found->kind == Compiler::Kind::Nvcc) return *found;
  throw InputError(
      {},
      "machine code of CUDA C++ is made by NVIDIA's nvcc, which is neither in $PATH nor in "
      "/usr/local/cuda; name it by --compiler, or leave --code machine out: PTX is made by clang, too");
}

unsigned architecture_for(const Compiler& compiler, unsigned compute_capability) {
  if (compiler.kind == Compiler::Kind::Nvcc) return compute_capability;
  return std::min(compute_capability, ability_of_clang(compiler.version).architecture);
}

unsigned ptx_version_of_clang(unsigned version) { return ability_of_clang(version).ptx; }

}  // namespace heddle::cuda
