// What a command is: one function, and one row of a table of commands.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

/// How the program ends; other programs rely on it.
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,     ///< A result is not what the launch expects.
  kInputWrong = 2,      ///< Files or command line cannot be used; of several runs, the others are reported.
  kProgramFailed = 3,   ///< The simulated program made a mistake; likewise.
  kInternalError = 70,  ///< Heddle made one (EX_SOFTWARE of sysexits.h).
};

/// The command line cannot be used.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Arguments = std::vector<std::string>;

struct Syntax;

/// Help, man pages and completion are made from these rows: a command that has one is in all of them.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);  ///< Without the command's own name. Returns an ExitCode.
  Syntax (*syntax)();
  std::span<const Command> (*commands)() = nullptr;  ///< Its own, as "info" of "trace"; null if it has none.
};

/// Throws UsageError if the table has no such command; `prefix` stands before its name then: "trace ".
const Command& find_command(std::span<const Command> table, std::string_view prefix, const std::string& name);

/// Runs the command that the first argument names, or shows the overview if that asks for help, or there is
/// none. Throws UsageError as find_command.
int run_command_of(std::span<const Command> table, std::string_view prefix, std::string_view overview,
                   const Arguments& arguments);

}  // namespace heddle::command
