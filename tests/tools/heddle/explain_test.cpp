// `heddle explain`: what the words of reports mean.
#include <algorithm>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/messages.h"
#include "tools/heddle/base/command.h"
#include "tools/report/glossary.h"
#include "tools/report/text_columns.h"

namespace heddle::command {

namespace {

using launch::check_says;

std::string explained(const std::vector<std::string>& words) {
  std::vector<std::string> arguments = words;
  arguments.insert(arguments.begin(), "explain");
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == kDone);
  CHECK(outcome.err.empty());
  for (const std::string& line : lines_of(outcome.out)) {
    INFO(line);
    CHECK(report::text_width(line) <= 80);
  }
  return outcome.out;
}

}  // namespace

TEST_CASE("explain says what a word is, its cause and cure, and Nsight Compute's name") {
  const std::string text = explained({"long_scoreboard"});
  for (const char* part :
       {"long scoreboard", "What it is: The warp waits for data from global or local memory.",
        "\nCause: ", "\nCure: ", "\nIn reports: stalls.long_scoreboard",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio\n"})
    check_says(text, part);
  CHECK(explained({"Long", "Scoreboard"}) == text);
  CHECK(explained({"long_scoreboard", "waves"}) == text + "\n" + explained({"waves"}));
}

TEST_CASE("explain knows what the verdict of a line calls a mistake") {
  const std::string text = explained({"uncoalesced"});
  check_says(text, "memory.global_load_excess_sectors");
  check_says(text, "memory.global_store_excess_sectors");
  check_says(explained({"bank_conflicts"}), "memory.shared_load_bank_conflicts");
}

TEST_CASE("explain lists all words by groups, and those of a group with what each is") {
  const std::string all = explained({});
  for (const report::WordGroup& group : report::glossary()) {
    INFO(group.key);
    check_says(all, std::string(group.key));
    const std::string listed = explained({std::string(group.key)});
    for (const report::Word& word : group.words) {
      check_says(all, std::string(word.key.substr(0, word.key.find(','))));
      check_says(listed, "\n" + std::string(word.key.substr(0, word.key.find(','))));
    }
  }
}

TEST_CASE("explain fits 80 columns for every word") {
  for (const report::WordGroup& group : report::glossary()) {
    std::vector<std::string> words;
    for (const report::Word& word : group.words) words.emplace_back(word.key.substr(0, word.key.find(',')));
    explained(words);
  }
}

TEST_CASE("explain refuses what is in no report, and says what is spelled alike") {
  check_refused({"explain", "long_scorebord"},
                "no report has the word 'long_scorebord'; did you mean 'long_scoreboard'");
  check_refused({"explain", "qqqqqqqqqqqqqq"},
                "no report has the word 'qqqqqqqqqqqqqq'; heddle explain lists all");
  check_refused({"explain", ""}, "no report has the word ''");
  check_refused({"explain", std::string(5000, 'x')}, "heddle explain lists all");
}

}  // namespace heddle::command
