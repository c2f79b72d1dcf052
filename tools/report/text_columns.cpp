#include "tools/report/text_columns.h"

#include <algorithm>

namespace heddle::report {

namespace {

/// Length of the UTF-8 sequence that begins with this byte; 0 if there is none.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Whether the second byte shows that the sequence is overlong, a surrogate, or beyond Unicode.
bool is_outside(std::string_view sequence) {
  const auto second = static_cast<unsigned char>(sequence[1]);
  switch (static_cast<unsigned char>(sequence[0])) {
    case 0xe0:
      return second < 0xa0;
    case 0xed:
      return second >= 0xa0;
    case 0xf0:
      return second < 0x90;
    case 0xf4:
      return second >= 0x90;
    default:
      return false;
  }
}

/// Whether the sequence is complete and no C0 or C1 control character.
bool is_printable(std::string_view sequence, std::size_t length) {
  if (length == 0 || sequence.size() < length) return false;
  if (length == 1) return sequence[0] >= ' ' && sequence[0] != 0x7f;
  if (sequence[0] == '\xc2' && static_cast<unsigned char>(sequence[1]) < 0xa0) return false;
  if (is_outside(sequence)) return false;
  return std::all_of(sequence.begin() + 1, sequence.begin() + static_cast<std::ptrdiff_t>(length),
                     is_continuation);
}

/// Number of bytes in the first `columns` columns.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size() && (columns > 0 || is_continuation(text[bytes]))) {
    if (!is_continuation(text[bytes])) --columns;
    ++bytes;
  }
  return bytes;
}

/// A percent sign belongs to the number before it.
std::size_t end_of_word(std::string_view text) {
  std::size_t end = std::min(text.find(' '), text.size());
  if (text.substr(end).starts_with(" %")) end = std::min(text.find(' ', end + 1), text.size());
  return end;
}

/// Adds a word to the lines. What does not fit in a line continues on the next.
void add_word(std::vector<std::string>& lines, std::string_view word, std::size_t first, std::size_t rest) {
  const auto columns = [&] { return lines.size() == 1 ? first : rest; };
  if (!lines.back().empty() && text_width(lines.back()) + 1 + text_width(word) > columns())
    lines.emplace_back();
  if (!lines.back().empty()) lines.back() += ' ';
  while (text_width(word) > columns()) {
    // After a label, the first line may be too narrow for a word that fits on the next line.
    const bool next_takes_it = lines.size() == 1 && lines.back().empty() && text_width(word) <= rest;
    const std::size_t bytes = next_takes_it ? 0 : bytes_of(word, columns());
    lines.back() += word.substr(0, bytes);
    word.remove_prefix(bytes);
    lines.emplace_back();
  }
  lines.back() += word;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(static_cast<unsigned char>(text[0]));
    const bool good = is_printable(text, length);
    result += good ? text.substr(0, length) : std::string_view("?");
    text.remove_prefix(good ? length : 1);
  }
  return result;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string pad_right(const std::string& text, std::size_t columns) {
  const std::size_t used = text_width(text);
  return used < columns ? text + std::string(columns - used, ' ') : text;
}

std::string pad_left(const std::string& text, std::size_t columns) {
  const std::size_t used = text_width(text);
  return used < columns ? std::string(columns - used, ' ') + text : text;
}

void trim_end(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

std::vector<std::string> wrapped_lines(std::string_view text, std::size_t first, std::size_t rest) {
  std::vector<std::string> lines = {""};
  rest = std::max<std::size_t>(rest, 1);
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    add_word(lines, text.substr(0, end), first, rest);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string shortened(std::string_view text, std::size_t columns) {
  constexpr std::string_view kGap = "...";
  const std::size_t width = text_width(text);
  if (width <= columns) return std::string(text);
  if (columns <= kGap.size()) return std::string(text.substr(0, bytes_of(text, columns)));
  const std::size_t kept = columns - kGap.size();
  const std::size_t behind = kept / 2;
  std::string result(text.substr(0, bytes_of(text, kept - behind)));
  result += kGap;
  return result += text.substr(bytes_of(text, width - behind));
}

}  // namespace heddle::report
