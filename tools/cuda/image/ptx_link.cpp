#include "tools/cuda/image/ptx_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "isa/base/read_number.h"
#include "isa/ir/system_variables.h"

namespace heddle::image {

namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

/// A word, a string, a comment, blanks, or one other character.
std::string_view next_token(std::string_view text) {
  const auto until = [&](std::size_t end) { return text.substr(0, std::min(end, text.size())); };
  if (text.starts_with("//")) return until(text.find('\n'));
  if (text.starts_with('"')) return until(text.find('"', 1) + 1);
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  const auto run_of = [&](auto is_part) {
    return until(static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin()));
  };
  if (is_blank(text.front())) return run_of(is_blank);
  if (is_name_character(text.front())) return run_of(is_name_character);
  return until(1);
}

bool is_blank_or_comment(std::string_view token) {
  return token.starts_with("//") || std::isspace(static_cast<unsigned char>(token.front())) != 0;
}

/// What stands at the level of a file: a function, a variable, a line of .file, a section.
struct Item {
  std::string_view text;
  std::vector<std::string_view> words;  ///< Those before a body or a value, at the level of the file.
  bool has_body = false;

  [[nodiscard]] bool has(std::string_view word) const {
    return std::ranges::find(words, word) != words.end();
  }
  [[nodiscard]] bool is_function() const { return has(".func") || has(".entry"); }
  [[nodiscard]] bool is_variable() const { return has(".global") || has(".const") || has(".shared"); }
  [[nodiscard]] bool is_definition() const {
    return is_function() ? has_body : is_variable() && !has(".extern");
  }
  /// Other files cannot mean it.
  [[nodiscard]] bool is_internal() const {
    return !has(".visible") && !has(".weak") && !has(".extern") && !has(".common");
  }
  [[nodiscard]] std::string_view name() const {
    const auto found = std::ranges::find_if(words, [](std::string_view word) {
      return !word.starts_with('.') && std::isdigit(static_cast<unsigned char>(word.front())) == 0;
    });
    return found == words.end() ? std::string_view() : *found;
  }
};

/// Directives that end with their line.
bool ends_with_line(std::string_view word) {
  return word == ".version" || word == ".target" || word == ".address_size" || word == ".file";
}

Item take_item(std::string_view& rest) {
  Item item;
  const std::string_view begin = rest;
  int depth = 0;
  bool is_done = false;
  while (!is_done && !rest.empty()) {
    const std::string_view token = next_token(rest);
    rest.remove_prefix(token.size());
    if (is_blank_or_comment(token)) {
      is_done = !item.words.empty() && ends_with_line(item.words.front()) && token.find('\n') != token.npos;
      continue;
    }
    const char c = token.front();
    if (c == '{') item.has_body |= depth == 0;
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && is_name_character(c) && !item.has_body) item.words.push_back(token);
    // The values of a variable stand in braces, too.
    is_done = depth == 0 && (c == ';' || (c == '}' && !item.is_variable()));
  }
  item.text = begin.substr(0, begin.size() - rest.size());
  return item;
}

std::vector<Item> items_of(std::string_view ptx) {
  std::vector<Item> items;
  while (!ptx.empty()) items.push_back(take_item(ptx));
  return items;
}

/// Numbers of source files count on from those of the files before; names of strings for debuggers are each
/// file's own.
class Renumbering {
 public:
  /// Those of a file whose own numbers go to `most`.
  void count(unsigned number) { most_ = std::max(most_, number); }
  void next_file() {
    first_ += most_;
    most_ = 0;
    ++file_;
  }
  [[nodiscard]] unsigned source(unsigned number) const { return first_ + number; }
  [[nodiscard]] unsigned file() const { return file_; }

 private:
  unsigned first_ = 0;
  unsigned most_ = 0;
  unsigned file_ = 0;
};

std::string rewritten(std::string_view text, const std::map<std::string, std::string>& renamed,
                      Renumbering& numbers) {
  std::string result;
  bool names_source = false;  // The next number does.
  while (!text.empty()) {
    const std::string_view token = next_token(text);
    text.remove_prefix(token.size());
    const auto found = renamed.find(std::string(token));
    const auto number = names_source ? number_in<unsigned>(token) : std::nullopt;
    if (number) {
      numbers.count(*number);
      result += fmt::format("{}", numbers.source(*number));
    } else if (token.starts_with("$L__info_string")) {
      result += fmt::format("{}_{}", token, numbers.file());
    } else {
      result += found == renamed.end() ? token : std::string_view(found->second);
    }
    if (!is_blank_or_comment(token))
      names_source = token == ".file" || token == ".loc" || token == "inlined_at";
  }
  return result;
}

bool is_header(const Item& item) {
  return !item.words.empty() && ends_with_line(item.words.front()) && item.words.front() != ".file";
}

/// New names for what is a file's own, or a kernel that is static in its file, and has the name of something
/// in a file before.
std::map<std::string, std::string> new_names(const std::vector<Item>& items,
                                             const std::set<std::string, std::less<>>& taken,
                                             std::size_t file) {
  std::map<std::string, std::string> names;
  for (const Item& item : items) {
    const bool is_own = item.is_internal() || (item.has(".entry") && !item.has(".weak"));
    if (item.is_definition() && is_own && taken.contains(item.name()))
      names[std::string(item.name())] = fmt::format("{}${}", item.name(), file);
  }
  return names;
}

}  // namespace

LinkedPtx link_ptx(std::span<const std::string> files) {
  LinkedPtx linked;
  Renumbering numbers;
  std::set<std::string, std::less<>> taken;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const std::vector<Item> items = items_of(files[file]);
    linked.renamed.push_back(new_names(items, taken, file));
    for (const Item& item : items) {
      if (file != 0 && is_header(item)) continue;
      const bool stands_already = item.is_definition() && item.has(".weak") && taken.contains(item.name());
      if (stands_already) continue;
      linked.text += rewritten(item.text, linked.renamed.back(), numbers);
      if (item.is_definition()) taken.emplace(item.name());
    }
    linked.text += '\n';
    numbers.next_file();
  }
  return linked;
}

bool needs_other_files(std::string_view ptx) {
  if (ptx.find(".extern") == std::string_view::npos) return false;
  std::set<std::string_view> declared;
  std::set<std::string_view> defined;
  for (const Item& item : items_of(ptx)) {
    // What is extern and shared is the memory that a launch adds.
    if (item.has(".shared")) continue;
    if (item.is_definition()) defined.insert(item.name());
    if (item.has(".extern")) declared.insert(item.name());
  }
  return std::ranges::any_of(declared, [&](std::string_view name) {
    return !defined.contains(name) && !ir::is_system_function(name);
  });
}

}  // namespace heddle::image
