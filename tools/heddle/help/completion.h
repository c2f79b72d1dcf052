// What can follow at each point of a command line, for the completion scripts of shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/heddle/base/help.h"
#include "tools/heddle/help/help_command.h"

namespace heddle::command {

/// Words, and kinds of words: "@files", "@folders", "@commands"; and "@gpus", "@examples", "@policies",
/// "@keys", which words_text() lists.
using Candidates = std::vector<std::string>;

/// The candidates for a value that the help shows as "text|json", "GPU|FILE", "DIR"; empty if any value is
/// allowed.
Candidates candidates_of_value(std::string_view shown);
/// The candidates for arguments without a dash.
Candidates candidates_of_operands(const Syntax& syntax);

/// A command with everything that completion needs.
struct Place {
  std::string path;  ///< "run", "trace info"; empty for heddle without a command.
  std::vector<std::pair<std::string, std::string>> commands;  ///< Subcommands with their summaries.
  std::vector<OptionRow> options;
  Candidates operands;
};

/// heddle itself, then each command. A command comes before its subcommands.
std::vector<Place> places(const Program& program);

// The scripts for the two shells. They parse the line in the same way as the program.
std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);

}  // namespace heddle::command
