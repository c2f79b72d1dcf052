// What a verdict says can be checked: each figure in it stands elsewhere in the report.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"

namespace heddle::command {

namespace {

using Json = nlohmann::json;

/// The numbers of a report, but those of its verdict and of what made it; fractions as per cent, too.
void collect(const Json& part, std::vector<double>& numbers) {
  if (part.is_number()) {
    numbers.push_back(part.get<double>());
    numbers.push_back(100 * part.get<double>());
  }
  if (!part.is_structured()) return;
  for (const auto& [key, value] : part.items()) {
    if (key != "verdict" && key != "provenance") collect(value, numbers);
  }
}

std::vector<double> text_numbers(const std::string& text) {
  static const std::regex number(R"(\d[\d,]*(\.\d+)?)");
  std::vector<double> numbers;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), number); at != std::sregex_iterator(); ++at) {
    std::string digits = at->str();
    std::erase(digits, ',');
    numbers.push_back(std::stod(digits));
  }
  return numbers;
}

/// What it says of a gain is the verdict's own; it stands in `verdict.gain`.
std::string without_gain(const std::string& text) {
  return std::regex_replace(text, std::regex("at (most )?[0-9.]+ times"), "");
}

/// Names have digits, too: L1, "32 lanes" is the warp's size.
std::string without_names(const std::string& text) {
  return std::regex_replace(text, std::regex("L[12]"), "");
}

/// Rounded once more than the report rounds.
bool stands(double figure, const std::vector<double>& numbers) {
  const bool is_whole = figure == std::round(figure);
  const double half = is_whole ? 0.55 : 0.055;
  return std::any_of(numbers.begin(), numbers.end(),
                     [&](double number) { return std::abs(number - figure) <= half; });
}

std::string full_text_without_verdict(const std::string& text) {
  const std::size_t begin = text.find("What holds it back:");
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find("\n\n", begin);
  return text.substr(0, begin) + text.substr(std::min(end, text.size()));
}

}  // namespace

TEST_CASE("Each figure in a verdict stands in the report") {
  std::size_t figures = 0;
  for (const char* name : {"vecadd", "transpose_naive", "transpose_tiled", "histogram_global", "latency",
                           "bad_reduce", "matmul_v1", "spmv_csr", "ffma_ilp1", "reduce_v2"}) {
    const std::vector<std::string> run = {"run", name, "--no-check", "--sms", "8"};
    std::vector<std::string> as_json = run;
    as_json.insert(as_json.end(), {"--format", "json"});
    const Json report = Json::parse(heddle(as_json).out);
    std::vector<std::string> as_text = run;
    as_text.insert(as_text.end(), {"--full"});
    std::vector<double> numbers = text_numbers(full_text_without_verdict(heddle(as_text).out));
    collect(report, numbers);
    const auto verdict = report["verdict"];
    const std::string said = verdict["text"].get<std::string>() + ' ' + verdict["beside"].get<std::string>();
    for (const double figure : text_numbers(without_names(without_gain(said)))) {
      INFO(name << ": " << figure << " in: " << said);
      CHECK(stands(figure, numbers));
      ++figures;
    }
  }
  CHECK(figures > 20);
}

TEST_CASE("No rate of any example exceeds what its part can do, on GPUs with little and much bandwidth") {
  for (const char* gpu : {"tiny", "t4", "h100"}) {
    for (const char* name :
         {"vecadd", "saxpy", "strided_copy", "transpose_padded", "stencil_2d", "kernel_b"}) {
      const std::vector<std::string> sizes = {
          "run",      name,  "--no-check", "--gpu", gpu, "--sms", std::string(gpu) == "tiny" ? "2" : "8",
          "--format", "json"};
      const Outcome outcome = heddle(sizes);
      INFO(gpu << ' ' << name << ' ' << outcome.err);
      REQUIRE(outcome.exit_code == 0);
      const Json memory = Json::parse(outcome.out)["memory"];
      CHECK(memory["dram_utilization"].get<double>() <= 1);
      CHECK(memory["l2_utilization"].get<double>() <= 1);
      CHECK(memory["l2_fabric_utilization"].get<double>() <= 1);
      CHECK(memory["l1_data_pipe_utilization"].get<double>() <= 1);
    }
  }
}

}  // namespace heddle::command
