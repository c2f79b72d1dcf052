#include "isa/lower/lower_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "isa/base/types.h"
#include "isa/lower/allocate.h"
#include "isa/lower/calling_convention.h"
#include "isa/lower/clean.h"
#include "isa/lower/converge.h"
#include "isa/lower/link_calls.h"
#include "isa/lower/pass_arguments.h"
#include "isa/lower/promote_params.h"
#include "isa/lower/select_function.h"
#include "isa/lower/zeros.h"

namespace heddle::lower {

namespace {

const ptx::Function& find_function(const ptx::Module& module, const std::string& name) {
  const auto found = std::ranges::find_if(module.functions, [&](const ptx::Function& one) {
    return one.name == name && one.has_body && !one.is_entry;
  });
  if (found == module.functions.end())
    throw InputError({module.file}, fmt::format("there is no function '{}'", name));
  return *found;
}

/// Allocation numbers registers from 0 on; until it is done, what is passed begins there, too.
class Function {
 public:
  Function(const ptx::Module& module, const std::string& name, const Target& target)
      : module_(module), source_(find_function(module, name)), target_(target), refusals_(module) {
    kernel_.name = name;
    kernel_.file = module.file;
    kernel_.is_entry = false;
    kernel_.compute_capability = target.compute_capability;
    kernel_.is_lowered = kernel_.is_estimated = true;
  }

  ir::Kernel run() {
    body_ = link_function(module_, source_, target_, refusals_);
    refusals_.throw_if_any();  // calls that are refused lead nowhere
    promote_params(body_);
    const std::vector<PassedWord> arguments = passed(source_.parameters, argument_name);
    const std::vector<PassedWord> results = passed(source_.returns, result_name);
    refusals_.throw_if_any();
    std::vector<std::uint32_t> asked;
    for (const auto* list : {&arguments, &results})
      for (const PassedWord& each : *list) asked.push_back(each.in_ptx);
    const auto places = select_function(module_, body_, target_, kernel_, refusals_, asked);
    refusals_.throw_if_any();
    take_arguments(kernel_, arguments, places.data());
    give_results(kernel_, results, places.data() + arguments.size());
    forward_zeros(kernel_);
    remove_unused(kernel_);
    remove_empty_jumps(kernel_);
    arm_barriers(kernel_);
    AllocationLimits limits;
    limits.registers = kPassedRegisters;
    limits.uniforms = 0;
    allocate_registers(kernel_, limits);
    number_as_called(kernel_);
    return std::move(kernel_);
  }

 private:
  /// What lies in the registers of the function's frame (pass_arguments.h), word by word.
  template <typename NameOf>
  std::vector<PassedWord> passed(const std::vector<ptx::Variable>& formal, NameOf name_of) {
    std::vector<PassedWord> words;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < formal.size(); ++i) {
      const std::uint64_t bytes = formal[i].bytes();
      const auto reg = std::ranges::find(body_.registers, name_of(i, bytes), &ptx::Register::name);
      if (reg == body_.registers.end() || (bytes != 4 && bytes != 8)) {
        refusals_.add(source_.place, "what is passed must have 4 or 8 bytes");
        continue;
      }
      offset = round_up(offset, bytes);
      for (std::uint64_t at = 0; at < bytes; at += 4, offset += 4)
        words.push_back({static_cast<std::uint32_t>(reg - body_.registers.begin()),
                         static_cast<unsigned>(at / 4), static_cast<unsigned>(offset / 4)});
    }
    return words;
  }

  const ptx::Module& module_;
  const ptx::Function& source_;
  Target target_;
  Refusals refusals_;
  ptx::Function body_;
  ir::Kernel kernel_;
};

}  // namespace

ir::Kernel lower_function(const ptx::Module& module, const std::string& name, const Target& target) {
  return Function(module, name, target).run();
}

}  // namespace heddle::lower
