#include "tools/heddle/run/run_report.h"

#include <fmt/format.h>

#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/report/json.h"
#include "tools/report/line_listing.h"
#include "tools/report/line_object.h"
#include "tools/report/overview_document.h"
#include "tools/report/run_document.h"
#include "tools/report/run_page.h"

namespace heddle::command {

report::TextStyle text_style(const RunRequest& request) { return text_style(request.output, request.ascii); }

std::string text_of_run(const RunRequest& request, const report::Summary& run, const std::string& line) {
  return request.full ? report::render_text(report::run_document(run, line), text_style(request))
                      : report::run_page(run, text_style(request), line);
}

std::string failures_text(std::span<const report::Failure> failures, const report::TextStyle& style) {
  if (failures.empty()) return {};
  return fmt::format("\n{}", report::render_text(report::failures_document(failures), style));
}

namespace {

/// The report of one run with its lines.
std::string report_with_lines(const RunRequest& request, const report::Summary& run,
                              const report::LineProfile& lines) {
  if (request.format == "json") return report::to_json(run, lines);
  if (request.format == "csv") return report::lines_csv(run, lines);
  return fmt::format("{}\n{}", text_of_run(request, run, report::worst_line_text(run, lines)),
                     report::line_listing(run, lines, text_style(request), request.full));
}

std::string text_of_runs(const RunRequest& request, const RunReport& report) {
  const std::vector<report::Summary>& runs = report.runs;
  return runs.size() == 1 && report.failures.empty()
             ? text_of_run(request, runs[0])
             : report::render_text(report::overview_document(runs), text_style(request));
}

}  // namespace

std::string report_of_runs(const RunRequest& request, const RunReport& report) {
  std::string text;
  if (report.lines) {
    text = report_with_lines(request, report.runs.at(0), *report.lines);
    if (request.format != "text") return text;
  } else {
    if (request.format == "json") return report::to_json(report.runs, report.failures);
    if (request.format == "csv") return report::to_csv(report.runs, report.failures);
    text = text_of_runs(request, report);
  }
  text += failures_text(report.failures, text_style(request));
  for (const std::string& more : {report.timeline, report.early_reads})
    if (!more.empty()) text += fmt::format("\n{}", more);
  return text;
}

void deliver(const RunRequest& request, const std::string& report) {
  if (request.output || !request.quiet) deliver(report, request.output);
}

}  // namespace heddle::command
