// What --help shows of a command: its usage, what it does, its options, examples, in 80 columns.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/heddle/base/options.h"

namespace heddle::command {

inline constexpr std::size_t kHelpColumns = 80;

/// An option as people are shown it.
struct OptionRow {
  std::string name;    ///< "output"
  std::string letter;  ///< "o"; empty if it has none.
  std::string value;   ///< "FILE"; empty for a flag.
  std::string usual;   ///< What holds if it is not given; empty if the text says so, or nothing does.
  std::string text;
  bool is_list = false;  ///< It may stand several times.
};

/// In the order in which they were added.
std::vector<OptionRow> option_rows(const Syntax& syntax);

/// "--gpu GPU|FILE", "-o, --output FILE".
std::string option_text(const OptionRow& row);

/// The lines of a text that are at most so wide, each word whole, all but the first `indent` columns to the
/// right.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// With its own commands, if it has some.
std::string help_text(const Syntax& syntax, std::span<const Command> commands = {});

/// The exit codes that users meet, and what each says.
inline constexpr std::array<std::pair<ExitCode, std::string_view>, 4> kExitCodes = {
    {{kDone, "done"},
     {kCheckFailed, "a result check failed"},
     {kInputWrong, "a file or the command line cannot be used"},
     {kProgramFailed, "the simulated program made a mistake"}}};

}  // namespace heddle::command
