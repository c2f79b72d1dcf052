#include "tools/heddle/diff/diff_command.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/diff/reports.h"
#include "tools/diff/run_file.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/page/html_page.h"

namespace heddle::command {

namespace {

/// Which run of which file.
struct Side {
  std::string path;
  std::optional<std::size_t> run;
};

struct DiffRequest {
  Side before;
  Side after;
  std::string format;
  diff::Detail detail = diff::Detail::Short;
  std::optional<std::string> output;
  std::optional<std::string> html;
};

std::size_t run_number(std::string_view text, const std::string& given) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) {
    throw UsageError(
        fmt::format("--runs {}: must be two numbers of runs, counted from 1, such as --runs 1,2", given));
  }
  return number;
}

DiffRequest request_of(const OptionValues& values) {
  DiffRequest request;
  std::vector<std::string> files = list_of(values, "report");
  const auto runs = text_of(values, "runs");
  if (files.size() == 1 && runs) files.push_back(files[0]);
  if (files.size() != 2) {
    throw UsageError(
        "two reports of heddle run --format json are compared: heddle diff BEFORE AFTER; or two "
        "runs of one report: heddle diff REPORT --runs 1,2");
  }
  request.before.path = files[0];
  request.after.path = files[1];
  if (runs) {
    const std::string_view text = *runs;
    const std::size_t comma = std::min(text.find(','), text.size());
    request.before.run = run_number(text.substr(0, comma), *runs);
    request.after.run = run_number(text.substr(std::min(comma + 1, text.size())), *runs);
  }
  request.format = choice_of(values, "format", {"text", "json"});
  request.detail = values.count("full") > 0 ? diff::Detail::Full : diff::Detail::Short;
  request.output = output_of(values);
  request.html = text_of(values, "html");
  std::vector<std::string> written;
  for (const auto& path : {request.output, request.html})
    if (path) written.push_back(*path);
  require_own_places(written, files);
  return request;
}

diff::RunFile run_at(const Side& side, const std::string& text) {
  return diff::run_of(text, input_name(side.path), side.run);
}

std::string page_of(const diff::Comparison& comparison) {
  const std::string title = diff::speed_text(comparison);
  nlohmann::ordered_json data = {{"page_version", 2}, {"title", title}};
  data["diff"] = nlohmann::ordered_json::parse(diff::to_json(comparison));
  data["words"] = page::word_data();
  return page::html_page(title, page::script_text(data));
}

}  // namespace

Syntax diff_syntax() {
  Syntax syntax = make_syntax(
      "heddle diff BEFORE.json AFTER.json",
      "Compares two runs by the reports that heddle run --format json wrote: which settings differ, each "
      "figure before and after, and what the cycles went to that are more or fewer. A file can be - for "
      "standard input.",
      "report",
      "  heddle run reduce_v1 --format json --output before.json\n"
      "  heddle run reduce_v2 --format json --output after.json\n"
      "  heddle diff before.json after.json\n"
      "  heddle diff sweep.json --runs 1,3     compares two runs of a sweep\n");
  auto add = syntax.options.add_options();
  add("runs", text_option("A,B"),
      "the runs to compare, counted from 1, if reports hold several; with one report, both are from it");
  add("full", "shows all figures that changed, not only the first ones and great changes");
  add("format", text_option("text|json"), "form of the comparison");
  add("html", text_option("FILE"), "writes a page for a browser as well, which shows the comparison");
  add("output,o", text_option("FILE"), "writes the comparison to a file: all of it, or nothing");
  return syntax;
}

int diff_command(const Arguments& arguments) {
  const auto values = parse_or_help(diff_syntax(), arguments);
  if (!values) return kDone;
  const DiffRequest request = request_of(*values);
  const std::string before = read_input(request.before.path);
  // One file can hold both runs, and standard input can be read only once.
  const std::string after =
      request.after.path == request.before.path ? before : read_input(request.after.path);
  const diff::Comparison comparison =
      diff::compare(run_at(request.before, before), run_at(request.after, after));
  deliver(request.format == "json"
              ? diff::to_json(comparison)
              : report::render_text(diff::document(comparison, request.detail), text_style(request.output)),
          request.output);
  if (request.html) write_file(*request.html, page_of(comparison));
  return kDone;
}

}  // namespace heddle::command
