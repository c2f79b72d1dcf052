// The subcommands of heddle. Each is one function, and one row of a table in commands.cpp.
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

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);  ///< Without the command's own name. Returns an ExitCode.
};

/// In the order in which they are listed.
std::span<const Command> commands();

int run_command(const Arguments& arguments);
int occupancy_command(const Arguments& arguments);
int gpus_command(const Arguments& arguments);
int validate_command(const Arguments& arguments);
int bench_command(const Arguments& arguments);
int asm_command(const Arguments& arguments);
int trace_command(const Arguments& arguments);

// Of `heddle trace`.
int trace_info_command(const Arguments& arguments);
int trace_check_command(const Arguments& arguments);
int trace_convert_command(const Arguments& arguments);
int trace_cut_command(const Arguments& arguments);

/// A line for each command of a table.
std::string list_text(std::span<const Command> table);
/// Throws UsageError if the table has no such command; `prefix` stands before its name then: "trace ".
const Command& find_command(std::span<const Command> table, std::string_view prefix, const std::string& name);

/// Runs the command that the arguments name and tells what goes wrong on standard error. Throws nothing.
int dispatch(const Arguments& arguments) noexcept;

}  // namespace heddle::command
