#include "isa/text/kernel_choice.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>

#include "isa/text/lexer.h"

namespace heddle::text {

namespace {

std::string machine_of(const ir::Kernel& kernel) { return fmt::format("@sm_{}", kernel.compute_capability); }

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

bool is_called(const ir::Kernel& kernel, std::string_view wanted) {
  const std::string signature = demangled(kernel.name);
  if (signature.empty()) return false;
  const std::string_view name = without_parameters(signature);
  return wanted == signature || wanted == name || wanted == name.substr(0, name.find('<'));
}

/// The only one of which that holds; null otherwise.
template <typename Predicate>
KernelText* only(std::vector<KernelText>& kernels, Predicate holds) {
  const auto fits = [&](const KernelText& each) { return holds(each.kernel); };
  const auto found = std::find_if(kernels.begin(), kernels.end(), fits);
  if (found == kernels.end() || std::any_of(std::next(found), kernels.end(), fits)) return nullptr;
  return &*found;
}

bool has_twin(const std::vector<KernelText>& kernels, const ir::Kernel& kernel) {
  return std::count_if(kernels.begin(), kernels.end(),
                       [&](const KernelText& each) { return each.kernel.name == kernel.name; }) > 1;
}

constexpr std::size_t kMostListed = 20;

}  // namespace

std::string demangled(const std::string& name) {
  constexpr std::size_t kLongest = 1024;  // of what a compiler made; more would only cost time and stack
  if (!name.starts_with("_Z") || name.size() > kLongest) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : std::string();
}

KernelText* find_kernel(std::vector<KernelText>& kernels, const std::optional<std::string>& wanted) {
  if (!wanted) return kernels.size() == 1 ? &kernels.front() : nullptr;
  if (KernelText* found = only(kernels, [&](const ir::Kernel& each) { return each.name == *wanted; }))
    return found;
  const auto is_with_machine = [&](const ir::Kernel& each) {
    const std::string machine = machine_of(each);
    if (each.compute_capability == 0 || !wanted->ends_with(machine)) return false;
    const std::string name = wanted->substr(0, wanted->size() - machine.size());
    return each.name == name || is_called(each, name);
  };
  if (KernelText* found = only(kernels, is_with_machine)) return found;
  return only(kernels, [&](const ir::Kernel& each) { return is_called(each, *wanted); });
}

std::string choices(const std::vector<KernelText>& kernels) {
  std::string text = kernels.size() == 1 ? "there is " : "there are ";
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostListed); ++i) {
    const ir::Kernel& kernel = kernels[i].kernel;
    const std::string signature = demangled(kernel.name);
    const std::string machine = has_twin(kernels, kernel) ? machine_of(kernel) : "";
    text += fmt::format("{}{}", i == 0 ? "" : ", ", quoted(kernel.name + machine));
    if (!signature.empty()) text += fmt::format(" ({})", signature);
  }
  if (kernels.size() > kMostListed) text += fmt::format(" and {} more", kernels.size() - kMostListed);
  return text;
}

namespace {

/// "2 of 7 kernels cannot be run: 'saxpy', 'sum'": those with mistakes. Empty if all have them, or none has.
std::string refused(const std::vector<KernelText>& kernels) {
  std::vector<std::string> names;
  for (const KernelText& each : kernels) {
    const std::string machine = has_twin(kernels, each.kernel) ? machine_of(each.kernel) : "";
    if (!each.mistakes.empty()) names.push_back(quoted(each.kernel.name + machine));
  }
  if (names.empty() || names.size() == kernels.size()) return {};
  const std::size_t shown = std::min(names.size(), kMostListed);
  std::string text = fmt::format("{} of {} kernels cannot be run: {}", names.size(), kernels.size(),
                                 fmt::join(std::span(names).first(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

}  // namespace

std::vector<ir::Kernel> all_kernels(std::vector<KernelText> kernels, std::string_view option) {
  const std::string which = refused(kernels);
  if (which.empty()) return without_mistakes(std::move(kernels));
  const std::string file = kernels.front().kernel.file;
  Diagnostics mistakes;
  try {
    without_mistakes(std::move(kernels));
  } catch (const InputError& error) {
    mistakes.add(error);
  }
  mistakes.add({file}, fmt::format("{}; {} NAME lists another one", which, option));
  throw InputError(mistakes.list());
}

ir::Kernel choose_kernel(std::vector<KernelText> kernels, const std::optional<std::string>& wanted,
                         std::string_view option) {
  KernelText* found = find_kernel(kernels, wanted);
  const std::string& file = kernels.front().kernel.file;
  if (found == nullptr) {
    const std::string what = wanted
                                 ? fmt::format("there is no kernel {}, or several are meant", quoted(*wanted))
                                 : fmt::format("{} must name one kernel", option);
    throw InputError({file}, fmt::format("{}; {}", what, choices(kernels)));
  }
  if (!found->mistakes.empty()) throw InputError(std::move(found->mistakes));
  return std::move(found->kernel);
}

}  // namespace heddle::text
