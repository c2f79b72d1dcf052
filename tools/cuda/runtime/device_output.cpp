#include "tools/cuda/runtime/device_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "isa/base/types.h"
#include "isa/ir/system_variables.h"

namespace heddle::cudart {

namespace {

template <typename Value>
Value value_at(std::span<const std::byte> bytes, std::size_t offset) {
  Value value{};
  if (offset <= bytes.size() && sizeof value <= bytes.size() - offset)
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

const char* text_at(std::span<const std::byte> bytes, std::size_t offset) {
  const auto address = value_at<std::uint64_t>(bytes, offset);
  return address == 0 ? "(null)" : reinterpret_cast<const char*>(address);
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

std::string converted(const Conversion& one, ArgumentReader& arguments) {
  if (std::string_view("aefgAEFG").find(one.letter) != std::string_view::npos)
    return formatted(one.text + one.letter, arguments.take<double>());
  if (one.letter == 's') {
    const auto address = arguments.take<std::uint64_t>();
    return formatted(one.text + 's', address == 0 ? "(null)" : reinterpret_cast<const char*>(address));
  }
  if (one.letter == 'p')
    return formatted(one.text + 'p', reinterpret_cast<void*>(arguments.take<std::uint64_t>()));
  if (one.letter == 'c') return formatted(one.text + 'c', arguments.take<std::int32_t>());
  if (std::string_view("dioxuX").find(one.letter) == std::string_view::npos) return one.text + one.letter;
  if (one.is_wide) return formatted(one.text + "ll" + one.letter, arguments.take<long long>());
  return formatted(one.text + one.letter, arguments.take<std::int32_t>());
}

/// In CUDA's words.
std::string assertion_text(std::span<const std::byte> arguments) {
  const auto word = [&](std::size_t offset) { return value_at<std::uint32_t>(arguments, offset); };
  return fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
                     text_at(arguments, 8), word(24), text_at(arguments, 16), word(28), word(32), word(36),
                     word(40), word(44), word(48), text_at(arguments, 0));
}

struct Texts {
  std::string output;
  std::string assertions;
  std::string notes;
};

/// Takes all records out that have been written. What is taken is zero again, for those who write next.
void take_records(std::span<std::byte> variable, Texts& texts) {
  const auto taken = value_at<std::uint64_t>(variable, 0);
  if (taken == 0) return;
  const std::span<std::byte> all = variable.subspan(ir::kOutputHeader);
  std::size_t at = 0;
  while (at + ir::kOutputRecordHeader <= std::min<std::uint64_t>(taken, all.size())) {
    const auto bytes = value_at<std::uint32_t>(all, at + 8);
    if (bytes < ir::kOutputRecordHeader || bytes > all.size() - at) break;
    const auto format = value_at<std::uint64_t>(all, at);
    const std::span<const std::byte> arguments =
        all.subspan(at + ir::kOutputRecordHeader, bytes - ir::kOutputRecordHeader);
    if (format == ir::kAssertionFormat) {
      texts.assertions += assertion_text(arguments);
    } else if (format > ir::kAssertionFormat) {
      texts.output += printed(reinterpret_cast<const char*>(format), arguments);
    }
    at += bytes;
  }
  if (const auto lost = value_at<std::uint32_t>(variable, 8); lost != 0)
    texts.notes += fmt::format(
        "heddle: {} calls of printf in kernels are lost: {} bytes of output are kept until the host waits\n",
        lost, ir::kOutputBytes);
  std::memset(variable.data(), 0, ir::kOutputHeader + std::min<std::uint64_t>(taken, all.size()));
}

}  // namespace

std::string printed(const char* format, std::span<const std::byte> bytes) {
  std::string text;
  ArgumentReader arguments(bytes);
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
    text += converted(conversion, arguments);
  }
  return text;
}

bool DeviceOutput::print() {
  Texts texts;
  for (const std::span<std::byte> variable : variables_) take_records(variable, texts);
  if (!texts.output.empty()) {
    std::fputs(texts.output.c_str(), stdout);
    std::fflush(stdout);
  }
  std::fputs((texts.assertions + texts.notes).c_str(), stderr);
  return !texts.assertions.empty();
}

}  // namespace heddle::cudart
