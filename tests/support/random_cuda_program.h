// Random CUDA kernels, compiled for a GPU and for this machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/exec/divergence.h"
#include "isa/ir/kernel.h"
#include "tests/support/scratch_folder.h"

namespace heddle::test {

/// So many kernels of random_cuda.h, named k0, k1 ..., and what they give on this machine for random inputs.
class RandomCudaProgram {
 public:
  static constexpr int kThreads = 64;
  using Words = std::vector<unsigned long long>;

  /// Whether there is a clang from 16 on. Clang 14 miscompiles one or two of a hundred kernels: ptxas's code of its
  /// PTX is as wrong, and clang 19's PTX is right.
  static bool has_right_clang();
  /// Another seed each time, or HEDDLE_SEED. With an old clang always one whose kernels it compiles right.
  static std::uint32_t seed();
  /// Compiles them by the newest clang that there is. Nothing if there is none.
  static std::optional<RandomCudaProgram> make(std::uint32_t seed, unsigned count);
  RandomCudaProgram(RandomCudaProgram&& other) noexcept;
  ~RandomCudaProgram();

  [[nodiscard]] const std::string& ptx() const { return ptx_; }
  [[nodiscard]] const std::string& ptx_path() const { return ptx_path_; }
  /// What a kernel leaves here.
  [[nodiscard]] Words wanted(unsigned kernel) const;
  /// What it leaves on a GPU.
  [[nodiscard]] Words run(const ir::Kernel& kernel, exec::Divergence divergence) const;
  /// Whether the PTX of a kernel has a mistake of clang 14: a word with its sign, times 2^31, becomes a product
  /// with the word -2^31.
  [[nodiscard]] bool is_miscompiled(unsigned kernel) const;

 private:
  RandomCudaProgram() = default;

  std::unique_ptr<ScratchFolder> folder_;
  std::string ptx_path_;
  std::string ptx_;
  Words inputs_;
  void* library_ = nullptr;
};

/// Whether a command succeeds.
bool runs(const std::string& command);

}  // namespace heddle::test
