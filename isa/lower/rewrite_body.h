// Inserts instructions into a PTX function's body.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Collects insertions and makes them all at once; branches, tables and calls follow. Every index is that of
/// the body as it was before. Several insertions at one place stand in the order in which they are made.
class BodyRewrite {
 public:
  explicit BodyRewrite(ptx::Function& function) : function_(function) {}

  /// A branch to `at` executes the instruction, too.
  void before(std::uint32_t at, ptx::Instruction instruction) {
    insertions_[at].before.push_back(std::move(instruction));
  }
  /// A branch to `at + 1` does not execute it.
  void behind(std::uint32_t at, ptx::Instruction instruction) {
    insertions_[at].behind.push_back(std::move(instruction));
  }
  void apply();

 private:
  struct Insertion {
    std::vector<ptx::Instruction> before;
    std::vector<ptx::Instruction> behind;
  };

  ptx::Function& function_;
  std::map<std::uint32_t, Insertion> insertions_;
};

}  // namespace heddle::lower
