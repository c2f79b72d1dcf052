#include "isa/ptx/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace heddle::ptx {

void fail(const Token& at, std::string message) { throw Mistake{at, std::move(message)}; }

void fail_expected(std::string_view what, const Token& found) {
  fail(found, fmt::format("expected {}, found {}", what, describe(found)));
}

std::string line_around(std::string_view text, std::size_t offset) {
  constexpr std::size_t kLongest = 4096;
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  return end - begin <= kLongest ? std::string(text.substr(begin, end - begin)) : std::string();
}

void Mistakes::add(const Mistake& mistake) {
  if (is_full()) return;
  const auto offset = static_cast<std::size_t>(mistake.at.text.data() - text_.data());
  list_.add({file_, mistake.at.place.line, mistake.at.place.column}, mistake.message,
            line_around(text_, offset));
}

void Mistakes::throw_if_any() const {
  if (list_.empty()) return;
  std::vector<Diagnostic> sorted = list_.list();
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& one, const Diagnostic& other) {
    return std::tie(one.where.line, one.where.column) < std::tie(other.where.line, other.where.column);
  });
  if (is_full()) {
    Diagnostic last;
    last.where.file = file_;
    last.message = fmt::format("stopped after {} mistakes; there may be more", kMost);
    sorted.push_back(std::move(last));
  }
  throw InputError(std::move(sorted));
}

}  // namespace heddle::ptx
