#include "isa/ir/entry.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "isa/base/quoted.h"

namespace heddle::ir {

namespace {

std::string machine_of(const Kernel& kernel) { return fmt::format("@sm_{}", kernel.compute_capability); }

/// "reduce<256>(int*)" and "void reduce<256>(int*)": reduce<256>.
std::string_view without_parameters(std::string_view signature) {
  int depth = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (signature[i] == '<') ++depth;
    if (signature[i] == '>') --depth;
    if (signature[i] == '(' && depth == 0) signature = signature.substr(0, i);
  }
  depth = 0;
  for (std::size_t i = signature.size(); i-- > 0;) {
    if (signature[i] == '>') ++depth;
    if (signature[i] == '<') --depth;
    if (signature[i] == ' ' && depth == 0) return signature.substr(i + 1);
  }
  return signature;
}

bool is_called(const Kernel& kernel, std::string_view wanted) {
  const std::string signature = demangled(kernel.name);
  if (signature.empty()) return false;
  const std::string_view name = without_parameters(signature);
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

std::string demangled(const std::string& name) {
  constexpr std::size_t kLongest = 1024;  // compilers' names are shorter; more would only cost time and stack
  if (!name.starts_with("_Z") || name.size() > kLongest) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : std::string();
}

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
    if (!signature.empty()) list += fmt::format(" ({})", signature);
  }
  if (entries > kMostListed) list += fmt::format(" and {} more", entries - kMostListed);
  return (entries == 1 ? "there is " : "there are ") + list;
}

}  // namespace heddle::ir
