#include "isa/ir/entry.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/cpp_name.h"
#include "isa/base/quoted.h"

namespace heddle::ir {

namespace {

std::string machine_of(const Kernel& kernel) { return fmt::format("@sm_{}", kernel.compute_capability); }

bool is_called(const Kernel& kernel, std::string_view wanted) {
  const std::string signature = demangled(kernel.name);
  const std::string_view name = qualified_name(signature);
  return wanted == signature || wanted == name || wanted == name.substr(0, name.find('<'));
}

/// The only entry function of which that holds.
template <typename Predicate>
std::optional<std::size_t> only(const Module& module, Predicate holds) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    if (!module.functions[i].is_entry || !holds(module.functions[i])) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

std::optional<std::size_t> find_entry(const Module& module, const std::optional<std::string>& wanted) {
  if (!wanted) return only(module, [](const Kernel&) { return true; });
  if (const auto found = only(module, [&](const Kernel& each) { return each.name == *wanted; })) return found;
  const auto is_with_machine = [&](const Kernel& each) {
    const std::string machine = machine_of(each);
    if (each.compute_capability == 0 || !wanted->ends_with(machine)) return false;
    const std::string name = wanted->substr(0, wanted->size() - machine.size());
    return each.name == name || is_called(each, name);
  };
  if (const auto found = only(module, is_with_machine)) return found;
  return only(module, [&](const Kernel& each) { return is_called(each, *wanted); });
}

std::string entry_name(const Module& module, const Kernel& function) {
  const auto is_twin = [&](const Kernel& each) { return each.name == function.name; };
  const bool has_twin = std::count_if(module.functions.begin(), module.functions.end(), is_twin) > 1;
  return has_twin ? function.name + machine_of(function) : function.name;
}

std::string choices(const Module& module) {
  constexpr std::size_t kMostListed = 20;
  std::string list;
  std::size_t entries = 0;
  for (const Kernel& function : module.functions) {
    if (!function.is_entry || ++entries > kMostListed) continue;
    const std::string signature = demangled(function.name);
    list += fmt::format("{}{}", entries == 1 ? "" : ", ", quoted(entry_name(module, function)));
    if (signature != function.name) list += fmt::format(" ({})", signature);
  }
  if (entries > kMostListed) list += fmt::format(" and {} more", entries - kMostListed);
  return (entries == 1 ? "there is " : "there are ") + list;
}

}  // namespace heddle::ir
