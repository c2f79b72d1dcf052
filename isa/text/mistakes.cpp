#include "isa/text/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace heddle::text {

namespace {

bool stands_before(const Diagnostic& one, const Diagnostic& other) {
  return std::tie(one.where.line, one.where.column) < std::tie(other.where.line, other.where.column);
}

}  // namespace

void fail(const Token& at, std::string message) { throw Mistake{at, std::move(message)}; }

void Mistakes::add(const Mistake& mistake) {
  if (full_) return;
  list_.push_back({{file_, mistake.at.line, mistake.at.column}, mistake.message, source_line(mistake.at)});
  full_ = mistake.is_last || list_.size() == kMost;
}

std::vector<Diagnostic> Mistakes::take() {
  std::stable_sort(list_.begin(), list_.end(), stands_before);
  full_ = false;
  return std::exchange(list_, {});
}

Diagnostic Mistakes::stopped(const std::string& file) {
  Diagnostic last;
  last.where.file = file;
  last.message = fmt::format("stopped after {} mistakes; there may be more", kMost);
  return last;
}

/// Empty for a line that is too long to be read by a person anyway.
std::string Mistakes::source_line(const Token& at) const {
  constexpr std::size_t kLongest = 4096;
  const auto offset = static_cast<std::size_t>(at.text.data() - text_.data());
  const std::size_t begin = offset - (at.column - 1);
  const std::size_t end = std::min(text_.find('\n', offset), text_.size());
  return end - begin <= kLongest ? std::string(text_.substr(begin, end - begin)) : std::string();
}

}  // namespace heddle::text
