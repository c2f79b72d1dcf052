#include "tools/report/run_page.h"

#include <algorithm>

#include "tools/report/overview_document.h"
#include "tools/report/provenance_section.h"
#include "tools/report/run_sections.h"

namespace heddle::report {

namespace {

/// Numbers of losses shown: with more, the page becomes a table; with fewer, a kind of slots has none.
constexpr std::size_t kMostLosses = 9;
constexpr std::size_t kLeastLosses = 3;

/// Everything after the head.
void add_page(Document& document, const Summary& summary, std::size_t losses, std::size_t columns,
              const std::string& line = {}) {
  document.bar_column = kPageBars;
  const bool is_wrong = !summary.all_checks_hold();
  if (is_wrong) add_checks(document, summary, Detail::Page);
  document.items.emplace_back(Gap{});
  add_headlines(document, summary, Detail::Page);
  document.items.emplace_back(Gap{});
  add_greatest_losses(document, summary, losses);
  add_verdict(document, summary, line);
  if (!is_wrong) add_checks(document, summary, Detail::Page);
  add_short_provenance(document, summary.info.provenance, columns);
  document.items.emplace_back(
      Line{{"More: --full (every part, memory, pipes)", "heddle explain WORD (any word above)"}});
}

}  // namespace

std::string run_page(const Summary& summary, const TextStyle& style, const std::string& line) {
  std::string text;
  for (std::size_t losses = kMostLosses; losses >= kLeastLosses; --losses) {
    Document document;
    add_short_head(document, summary, style.columns);
    add_page(document, summary, losses, style.columns, line);
    text = render_text(document, style);
    if (std::count(text.begin(), text.end(), '\n') <= static_cast<std::ptrdiff_t>(kPageLines)) break;
  }
  return text;
}

std::string list_page(std::span<const Summary> kernels, const Summary& all, const TextStyle& style) {
  Document document = list_overview(kernels, all);
  add_page(document, all, kMostLosses, style.columns);
  return render_text(document, style);
}

}  // namespace heddle::report
