#include "isa/lower/allocate_accesses.h"

#include <algorithm>

namespace heddle::lower {

Accesses::Accesses(const ir::Kernel& kernel) {
  number_registers(kernel);
  first_.push_back(0);
  for (const ir::Instruction& instruction : kernel.instructions) {
    const ir::RegisterRuns runs = ir::registers_of(instruction);
    std::uint8_t number = 0;
    for (const ir::RegisterRun& run : runs) {
      const bool is_written = run.use == ir::RegisterRun::Use::Written;
      for (std::uint16_t i = 0; i < run.count; ++i)
        list_.push_back({number_of(run.file, run.first + i), run.file, is_written, false, number, i});
      ++number;
    }
    first_.push_back(static_cast<std::uint32_t>(list_.size()));
    Condition condition;
    condition.always = instruction.guard.always();
    condition.negated = instruction.guard.negated;
    const ir::RegisterIndex predicate = instruction.guard.predicate;
    if (!ir::is_true_predicate(predicate)) {
      condition.predicate = number_of(ir::is_uniform_predicate(predicate) ? ir::RegisterFile::UniformPredicate
                                                                          : ir::RegisterFile::Predicate,
                                      predicate);
    }
    conditions_.push_back(condition);
  }
}

void Accesses::number_registers(const ir::Kernel& kernel) {
  constexpr std::uint32_t kUnused = ~std::uint32_t{0};
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      std::vector<std::uint32_t>& numbers = numbers_[static_cast<std::size_t>(run.file)];
      const std::size_t first = dense_index(run.file, run.first);
      if (numbers.size() < first + run.count) numbers.resize(first + run.count, kUnused);
      std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), run.count, 0);
    }
  }
  for (std::size_t f = 0; f < kRegisterFiles; ++f) {
    const auto file = static_cast<ir::RegisterFile>(f);
    for (std::size_t dense = 0; dense < numbers_[f].size(); ++dense) {
      if (numbers_[f][dense] == kUnused) continue;
      numbers_[f][dense] = static_cast<std::uint32_t>(registers_.size());
      registers_.push_back({file, register_index(file, dense)});
    }
  }
}

std::uint32_t Accesses::number_of(ir::RegisterFile file, ir::RegisterIndex index) const {
  return numbers_[static_cast<std::size_t>(file)][dense_index(file, index)];
}

}  // namespace heddle::lower
