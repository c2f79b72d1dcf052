#include "isa/ir/printed_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "isa/base/types.h"
#include "isa/ir/system_variables.h"

namespace heddle::ir {

namespace {

template <typename Value>
Value value_at(std::span<const std::byte> bytes, std::size_t offset) {
  Value value{};
  if (offset <= bytes.size() && sizeof value <= bytes.size() - offset)
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string text_or_null(std::uint64_t address, const TextAt& text_at) {
  return address == 0 ? "(null)" : text_at(address);
}

/// Takes arguments one after the other, each at a multiple of its size.
class ArgumentReader {
 public:
  explicit ArgumentReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename Value>
  Value take() {
    const std::size_t at = round_up(at_, sizeof(Value));
    at_ = at + sizeof(Value);
    return value_at<Value>(bytes_, at);
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// One conversion, from its % to its letter; stars have become numbers.
struct Conversion {
  std::string text = "%";
  bool is_wide = false;
  char letter = 0;
};

template <typename Value>
std::string formatted(const std::string& conversion, Value value) {
  std::array<char, 256> near{};
  const int length = std::snprintf(near.data(), near.size(), conversion.c_str(), value);
  if (length < 0) return "";
  if (static_cast<std::size_t>(length) < near.size()) return {near.data(), static_cast<std::size_t>(length)};
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), conversion.c_str(), value);
  text.pop_back();
  return text;
}

/// Reads from behind the %; leaves `format` behind the letter. The letter is 0 if there is none.
Conversion conversion_of(const char*& format, ArgumentReader& arguments) {
  Conversion made;
  for (; *format != '\0'; ++format) {
    const char c = *format;
    if (c == '*') {
      made.text += std::to_string(arguments.take<std::int32_t>());
    } else if (std::string_view("jlLtz").find(c) != std::string_view::npos) {
      made.is_wide = true;
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 && c != 'h') {
      made.letter = c;
      ++format;
      break;
    } else {
      made.text += c;
    }
  }
  return made;
}

std::string converted(const Conversion& one, ArgumentReader& arguments, const TextAt& text_at) {
  if (std::string_view("aefgAEFG").find(one.letter) != std::string_view::npos)
    return formatted(one.text + one.letter, arguments.take<double>());
  if (one.letter == 's')
    return formatted(one.text + 's', text_or_null(arguments.take<std::uint64_t>(), text_at).c_str());
  if (one.letter == 'p')
    return formatted(one.text + 'p', reinterpret_cast<void*>(arguments.take<std::uint64_t>()));
  if (one.letter == 'c') return formatted(one.text + 'c', arguments.take<std::int32_t>());
  if (std::string_view("dioxuX").find(one.letter) == std::string_view::npos) return one.text + one.letter;
  if (one.is_wide) return formatted(one.text + "ll" + one.letter, arguments.take<long long>());
  return formatted(one.text + one.letter, arguments.take<std::int32_t>());
}

/// In CUDA's words.
std::string assertion_text(std::span<const std::byte> arguments, const TextAt& text_at) {
  const auto word = [&](std::size_t offset) { return value_at<std::uint32_t>(arguments, offset); };
  const auto text = [&](std::size_t offset) {
    return text_or_null(value_at<std::uint64_t>(arguments, offset), text_at);
  };
  return fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", text(8),
                     word(24), text(16), word(28), word(32), word(36), word(40), word(44), word(48), text(0));
}

}  // namespace

std::string printed(const std::string& text_of_format, std::span<const std::byte> bytes,
                    const TextAt& text_at) {
  std::string text;
  ArgumentReader arguments(bytes);
  const char* format = text_of_format.c_str();
  while (*format != '\0') {
    if (*format != '%') {
      text += *format++;
      continue;
    }
    ++format;
    if (*format == '%') {
      text += *format++;
      continue;
    }
    const Conversion conversion = conversion_of(format, arguments);
    if (conversion.letter == 0) break;
    text += converted(conversion, arguments, text_at);
  }
  return text;
}

PrintedOutput& PrintedOutput::operator+=(const PrintedOutput& other) {
  text += other.text;
  assertions += other.assertions;
  lost += other.lost;
  return *this;
}

PrintedOutput take_printed(std::span<std::byte> variable, const TextAt& text_at) {
  const auto taken = value_at<std::uint64_t>(variable, 0);
  if (taken == 0) return {};
  PrintedOutput made;
  const std::span<std::byte> all = variable.subspan(kOutputHeader);
  std::size_t at = 0;
  while (at + kOutputRecordHeader <= std::min<std::uint64_t>(taken, all.size())) {
    const auto bytes = value_at<std::uint32_t>(all, at + 8);
    if (bytes < kOutputRecordHeader || bytes > all.size() - at) break;
    const auto format = value_at<std::uint64_t>(all, at);
    const std::span<const std::byte> arguments =
        all.subspan(at + kOutputRecordHeader, bytes - kOutputRecordHeader);
    if (format == kAssertionFormat) {
      made.assertions += assertion_text(arguments, text_at);
    } else if (format > kAssertionFormat) {
      made.text += printed(text_at(format), arguments, text_at);
    }
    at += bytes;
  }
  made.lost = value_at<std::uint32_t>(variable, 8);
  std::memset(variable.data(), 0, kOutputHeader + std::min<std::uint64_t>(taken, all.size()));
  return made;
}

}  // namespace heddle::ir
