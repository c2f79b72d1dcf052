#include "isa/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "isa/ir/verify.h"
#include "isa/lower/allocate.h"
#include "isa/lower/clean.h"
#include "isa/lower/converge.h"
#include "isa/lower/gathers.h"
#include "isa/lower/predicate_branches.h"
#include "isa/lower/prepare_function.h"
#include "isa/lower/schedule.h"
#include "isa/lower/select_function.h"
#include "isa/lower/zeros.h"

namespace heddle::lower {

namespace {

const ptx::Function& find_entry(const ptx::Module& module, const std::string& name) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [&](const ptx::Function& one) { return one.name == name && one.has_body; });
  if (found == module.functions.end() || !found->is_entry)
    throw InputError({module.file}, fmt::format("there is no kernel '{}'", name));
  return *found;
}

std::uint32_t number_limit(const ptx::Function& function, const std::string& directive,
                           std::uint32_t otherwise) {
  for (const ptx::Directive& one : function.directives) {
    if (one.name == directive && !one.numbers.empty()) return static_cast<std::uint32_t>(one.numbers.front());
  }
  return otherwise;
}

/// As many as the caller and .maxnreg allow.
AllocationLimits limits_of(const ptx::Function& function, unsigned most_registers) {
  AllocationLimits limits;
  limits.policy = RegisterPolicy::AsPtxas;
  constexpr std::uint32_t kLeast = 16;
  const unsigned most = std::min(number_limit(function, "maxnreg", most_registers), most_registers);
  limits.registers = std::clamp(most, kLeast, limits.registers);
  return limits;
}

/// A kernel that must be launched in clusters of several blocks cannot run: each block is one by itself.
void refuse_clusters(const ptx::Function& function, Refusals& refusals) {
  for (const ptx::Directive& one : function.directives) {
    if (one.name != "reqnctapercluster") continue;
    for (const std::uint64_t blocks : one.numbers) {
      if (blocks > 1) return refusals.add(one.place, "clusters of several blocks are not supported");
    }
  }
}

/// What selection makes is right by construction; if it is not, better no kernel than a wrong one.
void require_valid(const ir::Kernel& kernel) {
  const std::vector<ir::Problem> problems = ir::problems_of(kernel);
  if (problems.empty()) return;
  Diagnostics list;
  for (const ir::Problem& problem : problems) {
    list.add({kernel.file, kernel.instructions[problem.pc].line},
             fmt::format("cannot be lowered: {}", problem.text()));
  }
  list.throw_each_once();
}

}  // namespace

std::vector<std::string> source_files(const ptx::Module& module) {
  std::vector<std::string> paths;
  for (const ptx::SourceFile& file : module.files) paths.push_back(file.path);
  return paths;
}

ir::Kernel lower_kernel(const ptx::Module& module, const std::string& entry, const Target& target,
                        unsigned most_registers) {
  const ptx::Function& function = find_entry(module, entry);
  Refusals refusals(module);
  refuse_clusters(function, refusals);
  const PreparedFunction prepared = prepare_function(module, function, target, refusals);
  ir::Kernel kernel;
  kernel.name = entry;
  kernel.file = module.file;
  kernel.compute_capability = target.compute_capability;
  kernel.is_lowered = true;
  kernel.is_estimated = true;
  const std::vector<ir::RegisterIndex> places =
      select_function(module, prepared.function, target, kernel, refusals,
                      prepared.stack ? std::vector{*prepared.stack} : std::vector<std::uint32_t>());
  refusals.throw_if_any();
  forward_zeros(kernel);
  remove_unused(kernel);
  shorten_exits(kernel);
  remove_empty_jumps(kernel);
  remove_gathers(kernel);
  predicate_short_branches(kernel);
  order_for_latency(kernel);
  arm_barriers(kernel, places.empty() ? std::nullopt : std::optional(places[0]));
  kernel.registers = allocate_registers(kernel, limits_of(function, most_registers)).registers;
  kernel.barriers = count_barriers(kernel);
  require_valid(kernel);
  return kernel;
}

}  // namespace heddle::lower
