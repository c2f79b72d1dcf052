#include "tools/heddle/occupancy/occupancy_command.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/occupancy/occupancy_questions.h"
#include "tools/heddle/occupancy/occupancy_table.h"
#include "tools/occupancy/curves.h"
#include "tools/occupancy/explain.h"
#include "tools/occupancy/reports.h"
#include "tools/report/json_object.h"
#include "tools/report/provenance_section.h"
#include "tools/report/render_text.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;
using occupancy::Answer;

sim::OccupancyReach reach_of(const OccupancyRequest& request, const Answer& answer) {
  return sim::reach(answer.question.device.limits, answer.question.resources, *request.target);
}

// -- text -----------------------------------------------------------------------------------------

class TextReport {
 public:
  explicit TextReport(const OccupancyRequest& request)
      : request_(request), style_(text_style(request.output, request.ascii)) {}

  std::string of(const std::vector<Answer>& answers) const {
    return fmt::format("{}\n{}", figures_of(answers), end_of(answers));
  }

 private:
  [[nodiscard]] std::string figures_of(const std::vector<Answer>& answers) const {
    if (answers.size() > 1 && !request_.asks_what_if())
      return report::render_text(occupancy::to_table(answers), style_);
    std::string text;
    for (const Answer& answer : answers) text += fmt::format("{}{}", text.empty() ? "" : "\n\n", of(answer));
    return text;
  }

  /// The common provenance of all answers.
  [[nodiscard]] std::string end_of(const std::vector<Answer>& answers) const {
    const occupancy::Question& first = answers.front().question;
    report::Provenance made = first.provenance;
    if (answers.size() > 1) made.parameters.clear();
    for (const Answer& answer : answers) made.add_files(answer.question.provenance.files);
    report::Document document;
    report::add_provenance(document, made, first.device.name, style_.columns);
    return report::render_text(document, style_);
  }

  [[nodiscard]] std::string of(const Answer& answer) const {
    std::string text = report::render_text(occupancy::to_document(answer, request_.explain), style_);
    if (request_.explain)
      text += fmt::format("\n{}", occupancy::to_text(occupancy::explain(answer), style_.columns));
    const auto append = [&](const report::Document& document) {
      text += fmt::format("\n{}", report::render_text(document, style_));
    };
    if (request_.suggest) {
      append(occupancy::to_document(answer.question, suggest(request_, answer.question)));
    }
    if (request_.target) {
      append(occupancy::to_document(answer, reach_of(request_, answer), *request_.target));
    }
    if (!request_.curves) return text;
    for (const occupancy::Curve& curve : occupancy::curves_of(answer.question)) {
      text += fmt::format("\n{}",
                          occupancy::plot(curve, answer.question.device.limits.max_warps, request_.ascii));
    }
    return text;
  }

  const OccupancyRequest& request_;
  report::TextStyle style_;
};

// -- data -----------------------------------------------------------------------------------------

Json object_of(const OccupancyRequest& request, const Answer& answer) {
  Json object = occupancy::to_object(answer);
  if (request.explain) {
    Json lines = Json::array();
    const std::string text = occupancy::to_text(occupancy::explain(answer));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      if (end > begin) lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    object["explanation"] = lines;
  }
  if (request.suggest) object["suggestion"] = to_object(answer.question, suggest(request, answer.question));
  if (request.target) object["target"] = to_object(reach_of(request, answer), answer, *request.target);
  if (request.curves && request.format == "json") object["curves"] = to_object(curves_of(answer.question));
  object["provenance"] = report::to_object(answer.question.provenance);
  return object;
}

std::string data_of(const OccupancyRequest& request, const std::vector<Answer>& answers) {
  if (request.format == "csv" && request.curves) {
    if (answers.size() > 1) throw UsageError("--curves as CSV takes one kernel; --kernel chooses one");
    const occupancy::Question& question = answers.front().question;
    return occupancy::to_csv(occupancy::curves_of(question), question.provenance);
  }
  std::vector<Json> objects;
  objects.reserve(answers.size());
  for (const Answer& answer : answers) objects.push_back(object_of(request, answer));
  if (request.format == "csv") return report::to_csv(objects);
  const Json all = objects.size() == 1 ? objects.front() : Json(objects);
  return fmt::format("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

// -- the command ----------------------------------------------------------------------------------

/// If a kernel cannot run, the others are still reported. Errors and left-out kernels are reported at the
/// end.
int answer_all(const OccupancyRequest& request) {
  std::vector<Answer> answers;
  Diagnostics problems;
  const Gathered gathered = gather_questions(request);
  for (const occupancy::Question& question : gathered.questions) {
    try {
      answers.push_back(occupancy::answer(question));
    } catch (const InputError& error) {
      problems.add(error, question.where);
    }
  }
  if (!answers.empty()) {
    deliver(request.format == "text" ? TextReport(request).of(answers) : data_of(request, answers),
            request.output);
  }
  for (const Diagnostic& note : gathered.notes)
    print_error(fmt::format("{}:{}: note: {}\n", note.where.file, note.where.line, note.message));
  problems.throw_if_any();
  return kDone;
}

}  // namespace

int occupancy_command(const Arguments& arguments) {
  constexpr std::string_view kOnlyHow[] = {"output"};
  const auto command = read_reported(occupancy_syntax(), "occupancy", arguments, kOnlyHow);
  if (!command) return kDone;
  const OccupancyRequest request = read_occupancy_request(*command);
  if (!request.batch) return answer_all(request);
  answer_table(request);
  return kDone;
}

}  // namespace heddle::command
