// The text of --help: usage, description, options and examples of a command, in 80 columns.
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

/// An option as the help shows it.
struct OptionRow {
  std::string name;    ///< "output"
  std::string letter;  ///< "o"; empty if there is none.
  std::string value;   ///< "FILE"; empty for a flag.
  std::string usual;   ///< The default value; empty if there is none or the text explains it.
  std::string text;
  bool is_list = false;  ///< The option may be given several times.
};

/// In the order in which they were added.
std::vector<OptionRow> option_rows(const Syntax& syntax);

/// "--gpu GPU|FILE", "-o, --output FILE".
std::string option_text(const OptionRow& row);

/// Breaks a text into lines of at most `columns` columns, without splitting words. All lines but the first
/// are indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// The whole help text, with subcommands if there are any.
std::string help_text(const Syntax& syntax, std::span<const Command> commands = {});

/// The exit codes that users can see, and their meaning.
inline constexpr std::array<std::pair<ExitCode, std::string_view>, 4> kExitCodes = {
    {{kDone, "done"},
     {kCheckFailed, "a result check failed"},
     {kInputWrong, "a file or the command line cannot be used"},
     {kProgramFailed, "the simulated program made a mistake"}}};

}  // namespace heddle::command
