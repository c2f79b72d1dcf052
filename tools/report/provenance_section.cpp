#include "tools/report/provenance_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "tools/report/render_text.h"
#include "tools/report/text_columns.h"

namespace heddle::report {

namespace {

/// With more files, or with parameters of more launches, the page would be full; JSON has all.
constexpr std::size_t kMostShown = 6;
/// This many digits of a hash are enough to distinguish files.
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

/// "n=65536, block=256"; empty if there are none.
std::string parameters_of(const Provenance& provenance) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : provenance.parameters) texts.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// With the launch's name before them if there are several launches.
std::string parameters_text(std::span<const Summary> runs) {
  if (runs.size() == 1) return parameters_of(runs[0].info.provenance);
  std::vector<std::string> texts;
  for (const Summary& run : runs) {
    const std::string parameters = parameters_of(run.info.provenance);
    if (!parameters.empty()) add_once(texts, fmt::format("{} {}", run.info.short_name, parameters));
  }
  return first_of(std::move(texts), "; ");
}

std::string files_text(const std::vector<HashedFile>& files) {
  std::vector<std::string> texts;
  for (const HashedFile& file : files) {
    const std::string hash = file.sha256.empty() ? "(a pipe)" : file.sha256.substr(0, kShownDigits);
    add_once(texts, fmt::format("{} {}", printable(file.path), hash));
  }
  return first_of(std::move(texts), ", ");
}

std::string label_of(const Provenance& provenance) {
  return fmt::format("Made by heddle {}:", provenance.version);
}

void add(Document& document, std::string label, std::string text) {
  if (!text.empty()) document.items.emplace_back(Statement{std::move(label), std::move(text), Tone::Plain});
}

constexpr const char* kParameters = "Parameters:";
constexpr const char* kFiles = "Files (SHA-256):";

}  // namespace

std::string changed_gpu_text(std::string_view gpu, const Provenance& provenance) {
  const std::string changes = provenance.changes_text();
  return changes.empty() ? std::string(gpu) : fmt::format("{}, changed: {}", gpu, changes);
}

std::string gpu_text(const Summary& summary) {
  return changed_gpu_text(summary.gpu, summary.info.provenance);
}

void add_short_provenance(Document& document, const Provenance& provenance, std::size_t columns) {
  std::string label = label_of(provenance);
  // Space that line breaks at blanks can leave at the end of the first line.
  constexpr std::size_t kLeftFree = 24;
  const std::size_t used = std::min(label.size() + kLeftFree, columns);
  document.items.emplace_back(
      Statement{std::move(label), shortened(printable(provenance.command_text()), 2 * columns - used)});
}

void add_provenance(Document& document, std::span<const Summary> runs) {
  std::vector<HashedFile> files;
  for (const Summary& run : runs) {
    const std::vector<HashedFile>& own = run.info.provenance.files;
    files.insert(files.end(), own.begin(), own.end());
  }
  const Provenance& first = runs[0].info.provenance;
  add(document, label_of(first), first.command_text());
  add(document, kParameters, parameters_text(runs));
  add(document, kFiles, files_text(files));
}

void add_provenance(Document& document, const Provenance& provenance, std::string_view gpu,
                    std::size_t columns) {
  add_short_provenance(document, provenance, columns);
  if (!provenance.gpu_changes.empty()) add(document, "GPU:", changed_gpu_text(gpu, provenance));
  add(document, kParameters, parameters_of(provenance));
  add(document, kFiles, files_text(provenance.files));
}

std::string provenance_comment(const Provenance& provenance, std::string_view gpu, std::string_view mark) {
  TextStyle style;
  style.columns -= mark.size();
  Document document;
  add_provenance(document, provenance, gpu, style.columns);
  const std::string lines = render_text(document, style);
  std::string text;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    text += fmt::format("{}{}", mark, lines.substr(begin, end - begin));
    begin = end;
  }
  return text;
}

}  // namespace heddle::report
