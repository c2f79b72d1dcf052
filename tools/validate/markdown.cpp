#include <fmt/format.h>

#include "tools/validate/figure_text.h"
#include "tools/validate/reports.h"

namespace heddle::validate {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
  return result;
}

}  // namespace

std::string to_markdown(const Results& results) {
  std::string text =
      "| group | GPU | case | measured | simulated | error | why |\n|---|---|---|---|---|---|---|\n";
  for (const GroupResult& group : results.groups) {
    for (const Comparison& one : group.cases) {
      if (one.is_within()) continue;
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", escaped(group.name), escaped(one.gpu),
                          escaped(one.name), escaped(with_unit(one.measured, one.unit)),
                          figure_text(one.simulated), error_text(one.error()),
                          escaped(one.deviates.value_or("not known")));
    }
  }
  return text + fmt::format("\nMade by heddle {}: `{}`\n", results.provenance.version,
                            results.provenance.command_text());
}

}  // namespace heddle::validate
