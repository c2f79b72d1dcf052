#include "tools/heddle/trace/trace_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "sim/trace/format/trace_name.h"
#include "sim/trace/read/kernels_list.h"
#include "sim/trace/read/trace_reader.h"
#include "tools/heddle/base/command.h"
#include "tools/heddle/trace/trace_files.h"

namespace heddle::command {

namespace {

/// 7 for "kernel-7-ctx_0x55.traceg.xz".
std::optional<std::uint64_t> kernel_number_in(std::string_view name) {
  constexpr std::string_view kPrefix = "kernel-";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  return number_in<std::uint64_t>(name.substr(0, name.find_first_not_of("0123456789")));
}

bool is_regular(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// A missing file is reported by the code that opens it.
void require_regular(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || is_regular(path)) return;
  throw InputError({path, 0, 0}, "not a regular file: traces are read several times");
}

std::vector<TracedKernel> read_list(const std::string& path) {
  std::vector<TracedKernel> kernels;
  TracedKernel next;
  const trace::KernelsList list = trace::read_kernels_list(path);
  note_passed_over(path, list);
  for (const trace::ListEntry& entry : list.entries) {
    switch (entry.kind) {
      case trace::ListEntry::Kind::Copy:
        next.copies.push_back({entry.address, entry.bytes});
        break;
      case trace::ListEntry::Kind::FlushCaches:
        next.finds_empty_l2 = true;
        next.copies.clear();
        break;
      case trace::ListEntry::Kind::Kernel:
        require_regular(entry.path);
        next.path = entry.path;
        next.number = kernel_number_in(std::filesystem::path(entry.name).filename().string())
                          .value_or(kernels.size() + 1);
        kernels.push_back(std::exchange(next, {}));
        break;
    }
  }
  return kernels;
}

}  // namespace

bool is_trace(const std::string& path) {
  return trace::is_kernels_list(path) || !trace::trace_ending(path).empty();
}

void refuse_unnamed_trace(const std::string& path) {
  if (is_trace(path) || !is_regular(path) || !trace::begins_as_trace(path)) return;
  throw InputError({path, 0, 0}, fmt::format("begins as a kernel trace does, but its name ends in none of {}",
                                             fmt::join(trace::kTraceEndings, ", ")));
}

std::vector<TracedKernel> traced_kernels(const std::string& path) {
  if (trace::is_kernels_list(path)) return read_list(path);
  require_regular(path);
  return {{path, kernel_number_in(std::filesystem::path(path).filename().string()).value_or(1), false, {}}};
}

KernelChoice::KernelChoice(std::string_view option, const std::string& text)
    : option_(fmt::format("--{} {}", option, text)) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = number_in<std::uint64_t>(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : number_in<std::uint64_t>(part.substr(dash + 1));
    if (!first || !last || *last < *first || comma + 1 == rest.size()) {
      throw UsageError(fmt::format("--{} {}: must be numbers of kernels, as 3-7,12", option, text));
    }
    ranges_.push_back({*first, *last});
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
}

void KernelChoice::require_kernels(const std::vector<std::uint64_t>& numbers) const {
  for (const Range& range : ranges_) {
    const bool has_one = std::any_of(numbers.begin(), numbers.end(), [&](std::uint64_t number) {
      return range.first <= number && number <= range.last;
    });
    if (has_one) continue;
    const std::string which = range.first == range.last
                                  ? fmt::format("kernel {}", range.first)
                                  : fmt::format("kernel from {} to {}", range.first, range.last);
    throw UsageError(fmt::format("{}: there is no {}", option_, which));
  }
}

bool KernelChoice::has(std::uint64_t number) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), [number](const Range& range) {
           return range.first <= number && number <= range.last;
         });
}

}  // namespace heddle::command
