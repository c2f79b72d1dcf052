#include "tools/heddle/explain/explain_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/report/word_document.h"

namespace heddle::command {

namespace {

/// Empty if the name is neither a word nor a group.
std::string text_of(const std::string& name) {
  std::string text;
  const auto add = [&text](const report::Document& document) {
    if (!text.empty()) text += '\n';
    text += report::render_text(document, text_style());
  };
  for (const report::FoundWord& found : report::find_words(name)) add(report::word_document(found));
  if (const report::WordGroup* group = report::find_group(name)) add(report::group_document(*group));
  return text;
}

[[noreturn]] void refuse(const std::string& name) {
  constexpr std::size_t kMostShown = 4;
  std::vector<std::string> like = report::words_like(name);
  if (like.size() > kMostShown) like.resize(kMostShown);
  throw UsageError(fmt::format("no report has the word '{}'; {}", name,
                               like.empty() ? "heddle explain lists all"
                                            : fmt::format("did you mean '{}'?", fmt::join(like, "', '"))));
}

/// The arguments are one name with blanks, or several names.
std::string text_of_all(const std::vector<std::string>& names) {
  std::string text = text_of(fmt::format("{}", fmt::join(names, " ")));
  if (!text.empty()) return text;
  for (const std::string& name : names) {
    const std::string more = text_of(name);
    if (more.empty()) refuse(names.size() > 1 ? fmt::format("{}", fmt::join(names, " ")) : name);
    text += fmt::format("{}{}", text.empty() ? "" : "\n", more);
  }
  return text;
}

}  // namespace

Syntax explain_syntax() {
  Syntax syntax = make_syntax(
      "heddle explain [WORD...]",
      "Says of a word of reports what it is, what makes it so, what helps, and what Nsight Compute calls it. "
      "Words are found by their keys in JSON, as texts have them, and by names of Nsight Compute and nvprof; "
      "of a group of words all are listed. Without one, lists all by groups.",
      "word",
      "  heddle explain long_scoreboard\n"
      "  heddle explain launch ramp\n"
      "  heddle explain sm__warps_active.avg.pct_of_peak_sustained_active\n"
      "  heddle explain stalls\n");
  for (const report::WordGroup& group : report::glossary()) {
    syntax.words.emplace_back(group.key);
    for (const report::Word& word : group.words) {
      if (word.key.find_first_of(" ,'") == std::string_view::npos) syntax.words.emplace_back(word.key);
    }
  }
  return syntax;
}

int explain_command(const Arguments& arguments) {
  const auto values = parse_or_help(explain_syntax(), arguments);
  if (!values) return kDone;
  const std::vector<std::string> names = list_of(*values, "word");
  write_output(names.empty() ? report::render_text(report::glossary_document(), text_style())
                             : text_of_all(names));
  return kDone;
}

}  // namespace heddle::command
