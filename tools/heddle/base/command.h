// A command: a function, and a row in a table of commands.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

/// The exit codes of the program. Other programs rely on them.
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,  ///< A result differs from what the launch expects.
  /// A file or the command line cannot be used. If there are several runs, the others are still reported.
  kInputWrong = 2,
  /// The simulated program made a mistake. If there are several runs, the others are still reported.
  kProgramFailed = 3,
  kLimitExceeded = 4,  ///< A run takes more than it may: a condition of --fail-if is true.
  kInternalError = 70,  ///< Heddle itself has a bug (EX_SOFTWARE of sysexits.h).
};

/// The command line cannot be used.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Arguments = std::vector<std::string>;

struct Syntax;

/// A row in a table of commands. Help, man pages and completion are made from these rows, so a new command
/// appears in all of them.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// The arguments do not include the command's name. Returns an ExitCode.
  int (*run)(const Arguments& arguments);
  Syntax (*syntax)();
  /// Subcommands, such as "info" of "trace"; null if there are none.
  std::span<const Command> (*commands)() = nullptr;
};

/// Throws UsageError if the table has no such command. The message puts `prefix` before its name: "trace ".
const Command& find_command(std::span<const Command> table, std::string_view prefix, const std::string& name);

/// Runs the command that the first argument names. Shows the overview if there are no arguments or if they
/// ask for help. Throws UsageError like find_command.
int run_command_of(std::span<const Command> table, std::string_view prefix, std::string_view overview,
                   const Arguments& arguments);

}  // namespace heddle::command
