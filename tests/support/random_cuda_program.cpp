#include "tests/support/random_cuda_program.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "isa/exec/functional.h"
#include "tests/support/random_cuda.h"
#include "tests/support/seed.h"

namespace heddle::test {

namespace {

using U64 = unsigned long long;
using HostKernel = void (*)(const U64*, U64*, int);

/// The newest that there is.
std::string find_clang() {
  for (const char* name : {"clang++-19", "clang++-16", "clang++", "clang++-14"}) {
    if (runs(fmt::format("{} --version > /dev/null 2>&1", name))) return name;
  }
  return "";
}

std::string read_text(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<U64> inputs_of(std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<U64> made;
  for (int i = 0; i < 3 * RandomCudaProgram::kThreads; ++i)
    made.push_back(random() >> (random() % 3 == 0 ? random() % 64 : 0));
  return made;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace

bool RandomCudaProgram::has_right_clang() {
  return runs(fmt::format("test \"$({} -dumpversion | cut -d. -f1)\" -ge 16 2> /dev/null", find_clang()));
}

std::uint32_t RandomCudaProgram::seed() {
  constexpr std::uint32_t kCompiledRightByClang14 = 7001;
  const bool is_given = std::getenv("HEDDLE_SEED") != nullptr;
  return !is_given && !has_right_clang() ? kCompiledRightByClang14 : drawn_seed();
}

bool runs(const std::string& command) { return std::system(command.c_str()) == 0; }

std::optional<RandomCudaProgram> RandomCudaProgram::make(std::uint32_t seed, unsigned count) {
  const std::string clang = find_clang();
  if (clang.empty()) return std::nullopt;
  RandomCudaProgram made;
  made.folder_ = std::make_unique<ScratchFolder>();
  const std::string base = made.folder_->path() + "/program";
  std::ofstream(base + ".cu") << random_cuda(seed, count);
  made.ptx_path_ = base + ".ptx";
  require(runs(fmt::format("{0} -w -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib "
                           "--cuda-gpu-arch=sm_80 -Xclang -target-feature -Xclang +ptx75 "
                           "-Xclang -target-sdk-version=11.5 -O{2} -S {1}.cu -o {1}.ptx",
                           clang, base, 1 + seed % 2)),
          "clang compiles random kernels for a GPU");
  require(runs(fmt::format("{0} -w -x c++ -O1 -shared -fPIC {1}.cu -o {1}.so", clang, base)),
          "and for this machine");
  made.library_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  require(made.library_ != nullptr, "the library is opened");
  made.ptx_ = read_text(made.ptx_path_);
  made.inputs_ = inputs_of(seed);
  return made;
}

RandomCudaProgram::RandomCudaProgram(RandomCudaProgram&& other) noexcept
    : folder_(std::move(other.folder_)),
      ptx_path_(std::move(other.ptx_path_)),
      ptx_(std::move(other.ptx_)),
      inputs_(std::move(other.inputs_)),
      library_(std::exchange(other.library_, nullptr)) {}

RandomCudaProgram::~RandomCudaProgram() {
  if (library_ != nullptr) dlclose(library_);
}

RandomCudaProgram::Words RandomCudaProgram::wanted(unsigned kernel) const {
  const std::string name = fmt::format("k{}_host", kernel);
  const auto on_host = reinterpret_cast<HostKernel>(dlsym(library_, name.c_str()));
  require(on_host != nullptr, "the library has the kernel");
  Words wanted(kThreads);
  on_host(inputs_.data(), wanted.data(), kThreads);
  return wanted;
}

RandomCudaProgram::Words RandomCudaProgram::run(const ir::Kernel& kernel, exec::Divergence divergence) const {
  exec::GlobalMemory memory;
  const exec::Buffer& in = memory.allocate("in", 8 * inputs_.size());
  std::memcpy(in.bytes().data(), inputs_.data(), 8 * inputs_.size());
  const exec::Buffer& out = memory.allocate("out", 8 * kThreads);
  exec::Launch launch;
  launch.kernel = kernel;
  launch.grid = {1, 1, 1};
  launch.block = {kThreads, 1, 1};
  launch.params.resize(20);
  const U64 addresses[] = {in.address(), out.address()};
  const int count = kThreads;
  std::memcpy(launch.params.data(), addresses, 16);
  std::memcpy(launch.params.data() + 16, &count, 4);
  exec::LiveKernel live(std::move(launch), memory, 32, divergence);
  exec::run_functionally(live);
  const auto words = out.as<U64>();
  return {words.begin(), words.end()};
}

bool RandomCudaProgram::is_miscompiled(unsigned kernel) const {
  const std::size_t begin = ptx_.find(fmt::format(".entry k{}(", kernel));
  const std::size_t end = ptx_.find("\n}", begin);
  const std::string text = ptx_.substr(begin, end - begin);
  for (std::size_t at = text.find("mul.wide.s32"); at != std::string::npos;
       at = text.find("mul.wide.s32", at + 1)) {
    if (text.substr(at, text.find(';', at) - at).find("-2147483648") != std::string::npos) return true;
  }
  return false;
}

}  // namespace heddle::test
