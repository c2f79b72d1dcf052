#include "isa/text/kernel_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "isa/base/quoted.h"
#include "isa/ir/entry.h"

namespace heddle::text {

namespace {

/// "2 of 7 kernels cannot be run: 'saxpy', 'sum'": those with mistakes. Empty if all have them, or none has.
std::string refused(const ModuleText& read) {
  constexpr std::size_t kMostListed = 20;
  const std::vector<ir::Kernel>& kernels = read.module.functions;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (!read.mistakes[i].empty()) names.push_back(quoted(ir::entry_name(read.module, kernels[i])));
  }
  if (names.empty() || names.size() == kernels.size()) return {};
  const std::size_t shown = std::min(names.size(), kMostListed);
  std::string text = fmt::format("{} of {} kernels cannot be run: {}", names.size(), kernels.size(),
                                 fmt::join(std::span(names).first(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace

ir::Module all_kernels(ModuleText read, std::string_view option) {
  const std::string which = refused(read);
  if (which.empty()) return without_mistakes(std::move(read));
  const std::string file = read.module.file;
  Diagnostics mistakes;
  try {
    without_mistakes(std::move(read));
  } catch (const InputError& error) {
    mistakes.add(error);
  }
  mistakes.add({file}, fmt::format("{}; {} NAME lists another one", which, option));
  throw InputError(mistakes.list());
}

std::size_t chosen_entry(const ir::Module& module, const std::optional<std::string>& wanted, std::string_view option) {
  const auto found = ir::find_entry(module, wanted);
  if (found) return *found;
  const std::string what = wanted ? fmt::format("there is no kernel {}, or several are meant", quoted(*wanted))
                                  : fmt::format("{} must name one kernel", option);
  throw InputError({module.file}, fmt::format("{}; {}", what, ir::choices(module)));
}

ir::Kernel choose_kernel(ModuleText read, const std::optional<std::string>& wanted, std::string_view option) {
  const std::size_t found = chosen_entry(read.module, wanted, option);
  if (!read.mistakes[found].empty()) throw InputError(std::move(read.mistakes[found]));
  return std::move(read.module.functions[found]);
}

}  // namespace heddle::text
