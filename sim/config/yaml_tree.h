// What a parsed YAML document is made of: nodes in one array, in the order of the file. For sim/config only;
// others use YamlValue.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sim {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

/// A document with more mistakes than this is another kind of file.
inline constexpr std::size_t kMostProblems = 100;

enum class YamlKind : std::uint8_t { Null, Plain, Quoted, List, Map };

/// Line and column count from 1.
struct YamlMark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct YamlNode {
  YamlKind kind = YamlKind::Null;
  YamlMark mark;
  YamlMark key_mark;  ///< Of the key before it; its own where there is none.
  std::uint32_t parent = kNoNode;
  std::string key;
  std::string text;
  std::vector<std::uint32_t> children;
};

struct YamlTree {
  std::string name;          ///< The file, or what stands for it in messages.
  bool is_argument = false;  ///< From the command line: positions say nothing.
  std::string root_path;     ///< What messages call the root, before the keys below it.
  std::string text;
  std::vector<std::size_t> lines;  ///< Offset of each line's first byte.
  std::vector<YamlNode> nodes;     ///< The root is the first.

  /// Empty where there is no such line, or it is too long to be shown (or to be copied for each mistake in
  /// it).
  [[nodiscard]] std::string_view line(std::uint32_t number) const {
    constexpr std::size_t kLongest = 1000;
    if (number == 0 || number > lines.size()) return {};
    const std::size_t begin = lines[number - 1];
    const std::size_t end = number < lines.size() ? lines[number] : text.size();
    std::string_view content = std::string_view(text).substr(begin, end - begin);
    while (content.ends_with('\n') || content.ends_with('\r')) content.remove_suffix(1);
    return content.size() <= kLongest ? content : std::string_view{};
  }
};

}  // namespace heddle::sim
