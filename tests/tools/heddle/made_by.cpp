#include "tests/tools/heddle/made_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

constexpr std::string_view kMadeBy = "Made by heddle ";

}  // namespace

std::vector<std::string> command_in(const nlohmann::json& report) {
  auto words = report["provenance"]["command"].get<std::vector<std::string>>();
  REQUIRE(words.at(0) == "heddle");
  words.erase(words.begin());
  return words;
}

std::string shown_command(const std::string& text) {
  const std::size_t label = text.find(kMadeBy);
  REQUIRE(label != std::string::npos);
  const std::size_t line = text.rfind('\n', label) + 1;  // 0 at the begin
  const std::string more = fmt::format("\n{}  ", text.substr(line, label - line));
  std::string command = text.substr(text.find(": ", label) + 2);
  std::size_t end = command.find('\n');
  while (command.compare(end, more.size(), more) == 0) {
    command.replace(end, more.size(), " ");
    end = command.find('\n');
  }
  return command.substr(0, end);
}

std::string without_made_by(const std::string& text) {
  const std::size_t label = text.rfind(kMadeBy);
  REQUIRE(label != std::string::npos);
  const std::size_t gap = text.rfind("\n\n", label);
  REQUIRE(gap != std::string::npos);
  return text.substr(0, gap + 1);
}

std::string without_comments(const std::string& text) {
  std::string rest;
  for (const std::string& line : lines_of(text)) rest += line.starts_with('#') ? "" : line + '\n';
  return rest;
}

std::string without_provenance_columns(const std::string& csv) {
  std::string rest;
  std::size_t columns = 0;
  for (const std::string& line : lines_of(csv)) {
    std::vector<std::string> cells = cells_of(line);
    if (rest.empty()) {
      const auto first = std::find(cells.begin(), cells.end(), "provenance.version");
      REQUIRE(first != cells.end());
      columns = static_cast<std::size_t>(first - cells.begin());
    }
    cells.resize(columns);
    rest += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return rest;
}

std::string out_of_shell(const std::string& line) {
  const launch::ScratchFolder folder;
  const std::string command = fmt::format(
      "cd '{}' && PATH=\"$(dirname '{}'):$PATH\" && export HEDDLE_CONFIGS='{}/configs' && {{ {}; }} > '{}'",
      HEDDLE_SOURCE_DIR, HEDDLE_COMMAND, HEDDLE_SOURCE_DIR, line, folder.path("out"));
  REQUIRE(std::system(command.c_str()) == 0);
  return contents_of(folder.path("out"));
}

}  // namespace heddle::command
