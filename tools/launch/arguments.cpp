#include "tools/launch/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::launch {

namespace {

constexpr std::string_view kWhere = "--args";

[[noreturn]] void refuse(const std::string& message) {
  throw InputError({std::string(kWhere), 0, 0}, message);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// At commas that are in no brackets.
std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> items;
  if (trimmed(text).empty()) return items;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    if (depth < 0) refuse(fmt::format("'{}' closes no bracket", c));
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    items.emplace_back(trimmed(text.substr(begin, i - begin)));
    if (items.back().empty()) refuse("there is nothing between two commas");
    begin = i + 1;
  }
  if (depth > 0) refuse("a bracket is not closed");
  return items;
}

/// A scalar of YAML that cannot be taken for anything else.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ') refuse("there is a control character in it");
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::ranges::all_of(text, is_name_character);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("+-0123456789.eExXabcdefABCDEF") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

/// Words that YAML reads as they are; braces only where launch files have maps.
std::string plain(const std::string& text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '#' || c == '\'' || c == '"')
      refuse(fmt::format("'{}' cannot be in '{}'", c, text));
  return text;
}

std::string fill_text(const std::string& fill) {
  if (fill.ends_with(".npy")) return fmt::format("{{npy: {}}}", quoted(fill));
  if (is_number(fill)) return fmt::format("{{value: {}}}", fill);
  return plain(fill);
}

struct Argument {
  std::string buffer;  ///< A line of the buffers, or empty.
  std::string param;   ///< A line of the parameters.
};

Argument argument_of(const std::string& item, std::size_t position) {
  const std::size_t equals = item.find('=');
  const bool is_named =
      equals != std::string::npos && is_name(trimmed(std::string_view(item).substr(0, equals)));
  const std::string name = is_named ? std::string(trimmed(std::string_view(item).substr(0, equals)))
                                    : fmt::format("arg{}", position);
  const std::string rest(
      trimmed(is_named ? std::string_view(item).substr(equals + 1) : std::string_view(item)));
  const std::size_t open = rest.find('[');
  const std::size_t close = rest.find(']');
  const bool is_buffer =
      open != std::string::npos && open > 0 && close != std::string::npos && is_name(rest.substr(0, open));
  if (!is_buffer) {
    if (is_named) refuse(fmt::format("'{}': a buffer is NAME=TYPE[COUNT] or NAME=TYPE[COUNT]:FILL", item));
    return {{}, fmt::format("  - {}\n", plain(rest))};
  }
  const std::string_view behind = trimmed(std::string_view(rest).substr(close + 1));
  if (!behind.empty() && behind[0] != ':')
    refuse(fmt::format("'{}': after the count there is ':' and a fill, or nothing", item));
  std::string line = fmt::format("  {}: {{type: {}, count: {}", name, rest.substr(0, open),
                                 quoted(rest.substr(open + 1, close - open - 1)));
  if (!behind.empty()) line += ", fill: " + fill_text(std::string(trimmed(behind.substr(1))));
  return {line + "}\n", fmt::format("  - {}\n", name)};
}

/// "[4, 2]" of "4x2", and an expression otherwise.
std::string extents_text(const std::string& text) {
  if (text.empty()) return "1";
  if (text.find_first_not_of("0123456789x") != std::string::npos) return quoted(text);
  std::string list = text;
  std::ranges::replace(list, 'x', ',');
  return '[' + list + ']';
}

}  // namespace

std::string launch_text_of_arguments(const std::string& kernel, const std::string& arguments,
                                     const std::string& grid, const std::string& block) {
  std::string buffers, params;
  const std::vector<std::string> items = items_of(arguments);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Argument argument = argument_of(items[i], i);
    buffers += argument.buffer;
    params += argument.param;
  }
  std::string text = fmt::format("kernel: {}\ngrid: {}\nblock: {}\n", quoted(kernel), extents_text(grid),
                                 extents_text(block));
  if (!params.empty()) text += "params:\n" + params;
  if (!buffers.empty()) text += "buffers:\n" + buffers;
  return text;
}

}  // namespace heddle::launch
