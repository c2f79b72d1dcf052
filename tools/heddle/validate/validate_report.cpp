#include "tools/heddle/validate/validate_report.h"

#include "tools/heddle/base/text_style.h"
#include "tools/report/provenance_section.h"
#include "tools/report/render_text.h"
#include "tools/validate/reports.h"

namespace heddle::command {

std::string report_text(const ValidateRequest& request, const validate::Results& results) {
  if (request.format == "json") return validate::to_json(results);
  if (request.format == "markdown") return validate::to_markdown(results);
  if (request.format == "csv") return validate::to_csv(results);
  const report::TextStyle style = text_style(request.output);
  report::Document document = validate::document(results);
  document.items.emplace_back(report::Gap{});
  report::add_provenance(document, results.provenance, request.gpu.value_or("each case's GPU"), style.columns);
  return report::render_text(document, style);
}

}  // namespace heddle::command
