#include "tools/heddle/base/gpu_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/config/suggest.h"
#include "sim/sm/warp_scheduler.h"
#include "tools/heddle/base/text_style.h"
#include "tools/report/text_columns.h"

namespace heddle::command {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether the letters of `name` are those of consecutive whole words of `device`: "h100-pcie" and "h100"
/// occur in "NVIDIA H100 PCIe", "a40" does not occur in "RTX A4000".
bool names(std::string_view device, std::string_view name) {
  const std::string wanted = sim::letters_of(name);
  for (std::size_t begin = 0; begin < device.size(); ++begin) {
    if (!is_letter(device[begin]) || (begin > 0 && is_letter(device[begin - 1]))) continue;
    for (std::size_t end = begin + 1; end <= device.size(); ++end) {
      const bool is_word_end = end == device.size() || !is_letter(device[end]);
      if (is_word_end && sim::letters_of(device.substr(begin, end - begin)) == wanted) return true;
    }
  }
  return false;
}

}  // namespace

std::string matching_gpu(const std::string& file, const std::string& device,
                         const std::string& compute_capability, std::optional<std::uint32_t> sms) {
  std::vector<std::string> matches;
  std::vector<std::string> named;
  for (const std::string& name : sim::available_gpus()) {
    const sim::GpuSpec spec = sim::load_gpu(name);
    if (spec.compute_capability != compute_capability || sms.value_or(spec.sms) != spec.sms) continue;
    matches.push_back(name);
    if (names(device, name)) named.push_back(name);
  }
  if (matches.size() == 1) return matches.front();
  // If both "h100" and "h100-pcie" match, the more specific name is chosen.
  const auto by_length = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  if (!named.empty()) return *std::max_element(named.begin(), named.end(), by_length);
  const std::string what =
      fmt::format("{}compute capability {}{}", device.empty() ? "a GPU of " : fmt::format("'{}', ", device),
                  compute_capability, sms ? fmt::format(", {} SMs", *sms) : "");
  const std::string found = matches.empty()
                                ? "no GPU file is of such a GPU"
                                : fmt::format("several GPU files may be: {}", fmt::join(matches, ", "));
  throw InputError({file, 0, 0}, fmt::format("measured on {}: {}; --gpu names one", what, found));
}

std::string policies_text() {
  std::size_t width = 0;
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies())
    width = std::max(width, policy.name.size());
  std::string text;
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    const auto lines =
        report::wrapped_lines(policy.summary, output_columns() - width - 1, output_columns() - width - 1);
    text +=
        fmt::format("{:<{}} {}\n", policy.name, width, fmt::join(lines, "\n" + std::string(width + 1, ' ')));
  }
  return text;
}

}  // namespace heddle::command
