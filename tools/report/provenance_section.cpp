#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "tools/report/run_sections.h"
#include "tools/report/text_columns.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// More files, or parameters of more launches, fill the page; JSON has all.
constexpr std::size_t kMostShown = 6;
/// Digits of a hash that tell files apart.
constexpr std::size_t kShownDigits = 12;

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

std::string first_of(std::vector<std::string> texts, std::string_view separator) {
  if (texts.size() > kMostShown) {
    const std::size_t more = texts.size() - kMostShown;
    texts.resize(kMostShown);
    texts.push_back(fmt::format("and {} more, which --format json lists", more));
  }
  return fmt::format("{}", fmt::join(texts, separator));
}

/// "n=65536, block=256"; empty for none.
std::string parameters_of(const Summary& run) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : run.info.provenance.parameters)
    texts.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// With the launch's name before them where there are several.
std::string parameters_text(std::span<const Summary> runs) {
  if (runs.size() == 1) return parameters_of(runs[0]);
  std::vector<std::string> texts;
  for (const Summary& run : runs) {
    const std::string parameters = parameters_of(run);
    if (!parameters.empty()) add_once(texts, fmt::format("{} {}", run.info.short_name, parameters));
  }
  return first_of(std::move(texts), "; ");
}

std::string files_text(std::span<const Summary> runs) {
  std::vector<std::string> texts;
  for (const Summary& run : runs) {
    for (const HashedFile& file : run.info.provenance.files)
      add_once(texts, fmt::format("{} {}", file.path, file.sha256.substr(0, kShownDigits)));
  }
  return first_of(std::move(texts), ", ");
}

}  // namespace

std::string gpu_text(const Summary& summary) {
  const std::string changes = summary.info.provenance.changes_text();
  return changes.empty() ? summary.gpu : fmt::format("{}, changed: {}", summary.gpu, changes);
}

void add_short_provenance(Document& document, const Summary& run, std::size_t columns) {
  const Provenance& provenance = run.info.provenance;
  std::string label = fmt::format("Made by heddle {}:", provenance.version);
  // What breaking at blanks leaves free at the end of the first line.
  constexpr std::size_t kLeftFree = 24;
  const std::size_t used = std::min(label.size() + kLeftFree, columns);
  document.items.emplace_back(
      Statement{std::move(label), shortened(printable(provenance.command_text()), 2 * columns - used)});
}

void add_provenance(Document& document, std::span<const Summary> runs) {
  const auto add = [&document](std::string label, std::string text) {
    if (!text.empty()) document.items.emplace_back(Statement{std::move(label), std::move(text), Tone::Plain});
  };
  const Provenance& first = runs[0].info.provenance;
  add(fmt::format("Made by heddle {}:", first.version), first.command_text());
  add("Parameters:", parameters_text(runs));
  add("Files (SHA-256):", files_text(runs));
}

}  // namespace heddle::report
