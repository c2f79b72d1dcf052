// Text to tree: the limits, the checks that need the text itself, and yaml-cpp's events turned into nodes.
#include "sim/config/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>
// yaml-cpp's umbrella header leaves out the interface its parser reports to.
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "isa/base/read_file.h"
#include "sim/config/yaml_tree.h"

namespace heddle::sim {

namespace {

constexpr std::size_t kMostBytes = 16u << 20;
constexpr std::size_t kMostNodes = 1'000'000;
constexpr std::size_t kMostLevels = 64;

Diagnostic at(const YamlTree& tree, YamlMark mark, std::string message) {
  if (tree.is_argument) return {{tree.name, 0, 0}, std::move(message), {}};
  return {{tree.name, mark.line, mark.column}, std::move(message), std::string(tree.line(mark.line))};
}

[[noreturn]] void refuse(const YamlTree& tree, YamlMark mark, std::string message) {
  throw InputError(std::vector<Diagnostic>{at(tree, mark, std::move(message))});
}

YamlMark mark_of(const YAML::Mark& mark) {
  return {static_cast<std::uint32_t>(std::max(mark.line, 0)) + 1,
          static_cast<std::uint32_t>(std::max(mark.column, 0)) + 1};
}

/// Appends a node for each event. What is refused is refused at its event, before yaml-cpp goes deeper into
/// it.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(YamlTree& tree) : tree_(tree) {}

  [[nodiscard]] const Diagnostics& problems() const { return problems_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!tree_.nodes.empty()) refuse(tree_, mark_of(mark), "a second document begins; a file holds one");
  }
  void OnDocumentEnd() override {}

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(tree_, mark_of(mark), "aliases (*name) are not taken: write the value out");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse(tree_, mark_of(mark), fmt::format("anchors (&{}) are not taken: write each value out", name));
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) refuse(tree_, mark_of(mark), "a key must be text; found nothing");
    add(YamlKind::Null, mark_of(mark), {});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    check_tag(mark, tag);
    if (tag == "!") check_closed(mark_of(mark));
    if (expects_key()) {
      take_key(mark_of(mark), value);
    } else {
      add(tag == "!" ? YamlKind::Quoted : YamlKind::Plain, mark_of(mark), value);
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(YamlKind::List, mark, tag);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(YamlKind::Map, mark, tag);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  /// A list or map whose end has not come, and in a map the key that waits for its value.
  struct Open {
    std::uint32_t node = 0;
    bool has_key = false;
    YamlMark key_mark;
    std::string key;
    std::set<std::string> keys;
  };

  [[nodiscard]] bool expects_key() const {
    return !open_.empty() && tree_.nodes[open_.back().node].kind == YamlKind::Map && !open_.back().has_key;
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(tree_, mark_of(mark), fmt::format("tags (!{}) are not taken", tag));
    }
  }

  /// yaml-cpp lets a quote that is never closed run to the end of the file.
  void check_closed(YamlMark mark) const {
    if (mark.line > tree_.lines.size()) return;
    const std::size_t begin = tree_.lines[mark.line - 1] + mark.column - 1;
    const char quote = begin < tree_.text.size() ? tree_.text[begin] : '\0';
    if (quote != '"' && quote != '\'') return;
    const std::string_view text = tree_.text;
    for (std::size_t i = begin + 1; i < text.size(); ++i) {
      const bool is_escape = quote == '"' ? text[i] == '\\' : text.substr(i, 2) == "''";
      if (is_escape) {
        ++i;
      } else if (text[i] == quote) {
        return;
      }
    }
    refuse(tree_, mark, "not valid YAML: this quote is never closed");
  }

  void take_key(YamlMark mark, const std::string& key) {
    Open& map = open_.back();
    if (!map.keys.insert(key).second && problems_.list().size() < kMostProblems) {
      problems_.add(at(tree_, mark, fmt::format("key '{}' is given twice", key)));
    }
    map.has_key = true;
    map.key = key;
    map.key_mark = mark;
  }

  void open(YamlKind kind, const YAML::Mark& mark, const std::string& tag) {
    check_tag(mark, tag);
    if (expects_key())
      refuse(tree_, mark_of(mark), "a key must be text; found a list or a map, or one that is never closed");
    if (open_.size() >= kMostLevels) {
      refuse(tree_, mark_of(mark), fmt::format("nested deeper than {} levels", kMostLevels));
    }
    open_.push_back({add(kind, mark_of(mark), {}), false, {}, {}, {}});
  }

  std::uint32_t add(YamlKind kind, YamlMark mark, const std::string& text) {
    if (tree_.nodes.size() >= kMostNodes) {
      refuse(tree_, mark, fmt::format("more than {} values", kMostNodes));
    }
    const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    YamlNode& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.mark = node.key_mark = mark;
    node.text = text;
    if (!open_.empty()) attach(node, index);
    return index;
  }

  void attach(YamlNode& node, std::uint32_t index) {
    Open& parent = open_.back();
    node.parent = parent.node;
    if (parent.has_key) {
      node.key = std::move(parent.key);
      node.key_mark = parent.key_mark;
      parent.has_key = false;
      // yaml-cpp gives a value that is not there the position of whatever follows it.
      if (node.kind == YamlKind::Null) node.mark = node.key_mark;
    }
    tree_.nodes[parent.node].children.push_back(index);
  }

  YamlTree& tree_;
  Diagnostics problems_;
  std::vector<Open> open_;
};

void find_lines(YamlTree& tree) {
  tree.lines.push_back(0);
  for (std::size_t i = 0; i < tree.text.size(); ++i) {
    if (tree.text[i] == '\n') tree.lines.push_back(i + 1);
  }
}

/// Control characters mean that this is no text file; yaml-cpp takes some of them for the end of the file.
void check_characters(const YamlTree& tree) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
  };
  const auto bad = std::find_if(tree.text.begin(), tree.text.end(), is_control);
  if (bad == tree.text.end()) return;
  const auto offset = static_cast<std::size_t>(bad - tree.text.begin());
  const auto line = std::upper_bound(tree.lines.begin(), tree.lines.end(), offset) - 1;
  throw InputError({tree.name, static_cast<std::uint32_t>(line - tree.lines.begin()) + 1,
                    static_cast<std::uint32_t>(offset - *line) + 1},
                   fmt::format("not a text file: byte 0x{:02x}", static_cast<unsigned char>(*bad)));
}

void build(YamlTree& tree) {
  std::istringstream stream(tree.text);
  TreeBuilder builder(tree);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& exception) {
    std::vector<Diagnostic> list = builder.problems().list();
    list.push_back(at(tree, mark_of(exception.mark), fmt::format("not valid YAML: {}", exception.msg)));
    throw InputError(std::move(list));
  }
  builder.problems().throw_if_any();
  if (tree.nodes.empty()) tree.nodes.push_back({YamlKind::Null, {1, 1}, {1, 1}, kNoNode, {}, {}, {}});
}

/// Fills a tree that has its name and its text.
std::shared_ptr<const YamlTree> parse_tree(YamlTree named) {
  auto tree = std::make_shared<YamlTree>(std::move(named));
  if (tree->text.size() > kMostBytes) {
    throw InputError({tree->name}, fmt::format("larger than the {} bytes that are taken", kMostBytes));
  }
  find_lines(*tree);
  check_characters(*tree);
  build(*tree);
  return tree;
}

}  // namespace

YamlDocument YamlDocument::load(const std::string& path) {
  return parse(read_file(path, Pipes::Refused, kMostBytes), path);
}

YamlDocument YamlDocument::parse(std::string text, const std::string& name) {
  YamlTree tree;
  tree.name = name;
  tree.text = std::move(text);
  return YamlDocument(parse_tree(std::move(tree)));
}

YamlDocument YamlDocument::parse_argument(std::string text, const std::string& argument,
                                          const std::string& path) {
  YamlTree tree;
  tree.name = argument;
  tree.text = std::move(text);
  tree.is_argument = true;
  tree.root_path = path;
  return YamlDocument(parse_tree(std::move(tree)));
}

YamlValue YamlDocument::root() const { return {tree_, 0}; }

}  // namespace heddle::sim
