#include "tools/report/run_document.h"

#include <algorithm>

#include "tools/report/provenance_section.h"
#include "tools/report/run_sections.h"
#include "tools/report/verdict.h"

namespace heddle::report {

void add_verdict(Document& document, const Summary& summary, const std::string& line) {
  const Verdict verdict = judge(summary);
  const std::string beside = verdict.beside.empty() ? "" : " Beside that: " + verdict.beside + ".";
  const std::string of_line = line.empty() ? "" : ' ' + line;
  document.items.emplace_back(Statement{"What holds it back:", verdict.text + of_line + beside, Tone::Plain});
}

void add_figures(Document& document, const Summary& summary, const std::string& line) {
  add_headlines(document, summary, Detail::Full);
  document.items.emplace_back(Gap{});
  add_ledgers(document, summary);
  add_stalls(document, summary);
  document.items.emplace_back(Gap{});
  add_memory(document, summary);
  document.items.emplace_back(Gap{});
  add_checks(document, summary, Detail::Full);
  add_verdict(document, summary, line);
}

Document run_document(const Summary& summary, const std::string& line) {
  Document document;
  add_head(document, summary);
  document.items.emplace_back(Gap{});
  add_figures(document, summary, line);
  document.items.emplace_back(Gap{});
  add_provenance(document, {&summary, 1});
  return document;
}

}  // namespace heddle::report
