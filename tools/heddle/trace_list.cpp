#include "tools/heddle/trace_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include "isa/base/diagnostic.h"
#include "tools/heddle/command.h"

namespace heddle::command {

namespace {

std::optional<std::uint64_t> read_number(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// 7 of "kernel-7-ctx_0x55.traceg.xz".
std::optional<std::uint64_t> number_in(std::string_view name) {
  constexpr std::string_view kPrefix = "kernel-";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  return read_number(name.substr(0, name.find_first_not_of("0123456789")));
}

/// MemcpyHtoD,0x00007fc841500000,32768
std::optional<sim::L2Contents::Copy> read_copy(std::string_view line) {
  const std::size_t first = line.find(',');
  const std::size_t second = line.find(',', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  std::string_view address = line.substr(first + 1, second - first - 1);
  if (address.starts_with("0x")) address.remove_prefix(2);
  const auto begin = read_number(address, 16);
  const auto bytes = read_number(line.substr(second + 1));
  if (!begin || !bytes) return std::nullopt;
  return sim::L2Contents::Copy{*begin, *bytes};
}

bool is_list(std::string_view path) { return path.ends_with(".g"); }

std::vector<TracedKernel> read_list(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError({path, 0, 0}, "cannot be read");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<TracedKernel> kernels;
  std::vector<sim::L2Contents::Copy> copies;
  Diagnostics problems;
  std::uint32_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("MemcpyHtoD")) {
      const auto copy = read_copy(line);
      if (copy) copies.push_back(*copy);
      if (!copy) problems.add({path, number, 0}, "must be MemcpyHtoD,0xADDRESS,BYTES", line);
    } else if (line.starts_with("kernel")) {
      const std::string trace = (folder / line).string();
      kernels.push_back({trace, number_in(line).value_or(kernels.size() + 1), std::move(copies)});
      copies.clear();
    }
  }
  if (kernels.empty()) problems.add({path, 0, 0}, "names no kernel: a line for one begins with 'kernel'");
  problems.throw_if_any();
  return kernels;
}

}  // namespace

bool is_trace(std::string_view path) {
  return is_list(path) || path.find(".trace", path.find_last_of('/') + 1) != std::string_view::npos;
}

std::vector<TracedKernel> traced_kernels(const std::string& path) {
  if (is_list(path)) return read_list(path);
  return {{path, number_in(std::filesystem::path(path).filename().string()).value_or(1), {}}};
}

KernelChoice::KernelChoice(std::string_view option, const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = read_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : read_number(part.substr(dash + 1));
    if (!first || !last || *last < *first || comma + 1 == rest.size()) {
      throw UsageError(fmt::format("--{} {}: must be numbers of kernels, as 3-7,12", option, text));
    }
    ranges_.push_back({*first, *last});
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
}

bool KernelChoice::has(std::uint64_t number) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), [number](const Range& range) {
           return range.first <= number && number <= range.last;
         });
}

}  // namespace heddle::command
