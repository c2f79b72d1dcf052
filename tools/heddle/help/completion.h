// What can stand where on a command line, for the scripts that complete it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/heddle/base/help.h"
#include "tools/heddle/help/help_command.h"

namespace heddle::command {

/// Words as they are, and kinds of words: "@files", "@folders", "@commands", and "@gpus", "@examples",
/// "@policies", "@keys", which words_text() lists.
using Candidates = std::vector<std::string>;

/// Of a value that is shown as "text|json", "GPU|FILE", "DIR"; none where it is free.
Candidates candidates_of_value(std::string_view shown);
/// Of arguments without a dash.
Candidates candidates_of_operands(const Syntax& syntax);

/// A command with all that completion says of it.
struct Place {
  std::string path;  ///< "run", "trace info"; empty for heddle by itself.
  std::vector<std::pair<std::string, std::string>> commands;  ///< Its own, each with its summary.
  std::vector<OptionRow> options;
  Candidates operands;
};

/// heddle itself, then each command, each before its own.
std::vector<Place> places(const Program& program);

// The scripts. What is typed decides where it stands, as the program would decide.
std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);

}  // namespace heddle::command
