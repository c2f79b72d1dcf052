// Runs the real command, as a person does.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

struct Outcome {
  int exit_code = -1;  ///< Minus the signal's number if one ended it.
  std::string out;
  std::string err;
};

struct Surroundings {
  std::vector<std::pair<std::string, std::string>> variables = {};  ///< Added to the environment.
  bool terminal = false;                                            ///< Standard output is one,
  unsigned short columns = 0;   ///< with so many columns; 0: it does not know.
  bool error_terminal = false;  ///< Standard error is one.
};

/// A command that runs while the test goes on.
class StartedCommand {
 public:
  explicit StartedCommand(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});
  ~StartedCommand();
  StartedCommand(const StartedCommand&) = delete;
  StartedCommand& operator=(const StartedCommand&) = delete;

  void signal(int number) const;
  [[nodiscard]] bool has_ended();
  /// What it has said on standard error, unless that is a terminal.
  [[nodiscard]] std::string error_so_far() const;
  /// Waits for its end.
  Outcome outcome();

 private:
  launch::ScratchFolder folder_;
  int terminal_ = -1;  // our end
  int child_ = 0;
  bool ended_ = false;
  int status_ = 0;
};

/// In the root of the project, so that paths in reports are the same everywhere.
Outcome heddle(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

/// The JSON report of `heddle run`, which must end well.
nlohmann::json run_report(std::vector<std::string> arguments);

/// The report, of one run or of several, without what made it.
nlohmann::json without_provenance(nlohmann::json report);

/// The command must end with exit code 2, nothing on standard output, and the message on standard error.
void check_refused(const std::vector<std::string>& arguments, std::string_view message);

/// The JSON report of a run on the tiny GPU that must end well, as text.
std::string json_report(std::vector<std::string> arguments);

std::vector<std::string> lines_of(const std::string& text);
/// The cells of a line of CSV none of whose quoted cells holds a quote.
std::vector<std::string> cells_of(const std::string& line);
std::string contents_of(const std::string& path);

}  // namespace heddle::command
