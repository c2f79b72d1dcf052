// The parsed form of a YAML document: nodes in one array, in the order of the file. Only sim/config uses it;
// all other code uses YamlValue.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sim {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

/// If a document has more mistakes than this, it is probably another kind of file.
inline constexpr std::size_t kMostProblems = 100;

/// What a node is. Plain and Quoted are scalars.
enum class YamlKind : std::uint8_t { Null, Plain, Quoted, List, Map };

/// A position in the file. Line and column count from 1.
struct YamlMark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One value, its position, its key if it stands in a map, and its children.
struct YamlNode {
  YamlKind kind = YamlKind::Null;
  YamlMark mark;
  YamlMark key_mark;  ///< Position of the key; equal to `mark` if there is no key.
  std::uint32_t parent = kNoNode;
  std::string key;
  std::string text;
  std::vector<std::uint32_t> children;
};

/// A parsed document: its text and its nodes.
struct YamlTree {
  std::string name;          ///< The path of the file, or the name that messages use.
  bool is_argument = false;  ///< The text comes from the command line: positions are not shown.
  std::string root_path;     ///< What messages call the root; it comes before the keys below it.
  std::string text;
  std::vector<std::size_t> lines;  ///< Offset of each line's first byte.
  std::vector<YamlNode> nodes;     ///< The first node is the root.

  /// The text of a line. Empty if there is no such line, or if it is too long to be shown (or to be copied
  /// for each mistake in it).
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
