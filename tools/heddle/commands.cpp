#include "tools/heddle/commands.h"

#include <fmt/format.h>

#include "tools/heddle/help/help_command.h"

namespace heddle::command {

// Each command's header declares the same. A table of all would lean on all of them for nothing else.
#define HEDDLE_COMMAND(name, summary, inner)      \
  int name##_command(const Arguments& arguments); \
  Syntax name##_syntax();
#include "tools/heddle/commands.def"
#undef HEDDLE_COMMAND
std::span<const Command> show_commands();
std::span<const Command> trace_commands();

namespace {

constexpr Command kCommands[] = {
#define HEDDLE_COMMAND(name, summary, inner) {#name, summary, name##_command, name##_syntax, inner},
#include "tools/heddle/commands.def"
#undef HEDDLE_COMMAND
};

}  // namespace

int help_command(const Arguments& arguments) {
  return run_help({heddle_syntax(), kCommands}, arguments);
}

std::span<const Command> commands() { return kCommands; }

Syntax heddle_syntax() {
  Syntax syntax = make_syntax(
      "heddle COMMAND [ARGUMENTS]",
      "Heddle simulates GPU kernels warp by warp: a GPU could do so much per cycle; where did it go?",
      "command",
      "  heddle run vecadd        simulates an example on an H100\n"
      "  heddle help run          says all about heddle run\n"
      "  heddle examples          lists the examples\n");
  syntax.options.add_options()("version", "prints the version");
  syntax.notes = "exit codes:\n";
  for (const auto& [code, meaning] : kExitCodes)
    syntax.notes += fmt::format("  {}  {}\n", static_cast<int>(code), meaning);
  return syntax;
}

}  // namespace heddle::command
