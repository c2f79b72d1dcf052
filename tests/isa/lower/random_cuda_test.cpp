// Random programs: compiled by clang for PTX and lowered, against the same compiled for this machine.
#include "tests/support/random_cuda.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "isa/exec/functional.h"
#include "isa/lower/lower.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seed.h"

namespace heddle::test {
namespace {

using U64 = unsigned long long;
using HostKernel = void (*)(const U64*, U64*, int);

constexpr int kThreads = 64;

bool runs(const std::string& command) { return std::system(command.c_str()) == 0; }

/// The newest that there is. Of a hundred of these kernels clang 14 miscompiles one or two: ptxas's code of its
/// PTX, too, gives something else than the same program on a CPU, and clang 19's PTX is right.
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

/// A shared library of this machine.
class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  [[nodiscard]] HostKernel kernel(const std::string& name) const {
    return reinterpret_cast<HostKernel>(dlsym(handle_, name.c_str()));
  }
  [[nodiscard]] bool is_open() const { return handle_ != nullptr; }

 private:
  void* handle_;
};

std::vector<U64> inputs_of(std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<U64> made;
  for (int i = 0; i < 3 * kThreads; ++i) made.push_back(random() >> (random() % 3 == 0 ? random() % 64 : 0));
  return made;
}

std::vector<U64> run_lowered(const ir::Kernel& kernel, const std::vector<U64>& inputs,
                             exec::Divergence divergence) {
  exec::GlobalMemory memory;
  const exec::Buffer& in = memory.allocate("in", 8 * inputs.size());
  std::memcpy(in.bytes().data(), inputs.data(), 8 * inputs.size());
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

/// Whether the text of the kernel has a mistake of clang 14: a word with its sign, times 2^31, becomes a
/// product with the word -2^31.
bool is_miscompiled(const std::string& ptx, const std::string& kernel) {
  const std::size_t begin = ptx.find(fmt::format(".entry {}(", kernel));
  const std::size_t end = ptx.find("\n}", begin);
  const std::string text = ptx.substr(begin, end - begin);
  for (std::size_t at = text.find("mul.wide.s32"); at != std::string::npos;
       at = text.find("mul.wide.s32", at + 1)) {
    if (text.substr(at, text.find(';', at) - at).find("-2147483648") != std::string::npos) return true;
  }
  return false;
}

/// Compiles so many random kernels, runs each in four ways, and compares. False if there is no clang.
bool check_random(std::uint32_t seed, unsigned count) {
  const std::string clang = find_clang();
  if (clang.empty()) return false;
  const ScratchFolder folder;
  const std::string base = folder.path() + "/program";
  std::ofstream(base + ".cu") << random_cuda(seed, count);
  REQUIRE(runs(fmt::format(
      "{0} -w -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_80 "
      "-Xclang -target-feature -Xclang +ptx75 -Xclang -target-sdk-version=11.5 -O{2} -S {1}.cu -o {1}.ptx",
      clang, base, 1 + seed % 2)));
  REQUIRE(runs(fmt::format("{0} -w -x c++ -O1 -shared -fPIC {1}.cu -o {1}.so", clang, base)));
  const Library library(base + ".so");
  REQUIRE(library.is_open());
  const std::string text = read_text(base + ".ptx");
  const ptx::Module module = ptx::read_module(text, "program.ptx");
  const std::vector<U64> inputs = inputs_of(seed);
  for (unsigned i = 0; i < count; ++i) {
    INFO("kernel " << i);
    if (is_miscompiled(text, fmt::format("k{}", i))) continue;
    std::vector<U64> wanted(kThreads);
    library.kernel(fmt::format("k{}_host", i))(inputs.data(), wanted.data(), kThreads);
    for (const unsigned most_registers : {255U, 24U}) {
      const ir::Kernel kernel = lower::lower_kernel(module, fmt::format("k{}", i), {80}, most_registers);
      for (const exec::Divergence divergence : {exec::Divergence::Stack, exec::Divergence::Barriers}) {
        CHECK(run_lowered(kernel, inputs, divergence) == wanted);
      }
    }
  }
  return true;
}

TEST_CASE("random programs from clang give what they give on this machine") {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  const bool is_run = check_random(seed, 40);
  if (!is_run) WARN("skipped: there is no clang++");
}

TEST_CASE("ten thousand random programs give what they give on this machine", "[heavy]") {
  const std::uint32_t seed = drawn_seed();
  for (std::uint32_t i = 0; i < 100; ++i) {
    INFO("HEDDLE_SEED=" << seed + i);
    if (check_random(seed + i, 100)) continue;
    WARN("skipped: there is no clang++");
    return;
  }
}

}  // namespace
}  // namespace heddle::test
