// heddle trace: commands for kernel traces other than replaying them.
#include "tools/heddle/trace/trace_command.h"

#include "tools/heddle/base/help.h"

namespace heddle::command {

namespace {

constexpr Command kCommands[] = {
    {"info", "says what a trace holds: launch, instructions, opcodes, lanes, addresses", trace_info_command,
     trace_info_syntax},
    {"check", "lists every malformed line, with its number", trace_check_command, trace_check_syntax},
    {"convert", "writes a trace in another version, compression or container", trace_convert_command,
     trace_convert_syntax},
    {"cut", "writes the first blocks of a trace as a smaller one", trace_cut_command, trace_cut_syntax},
};

}  // namespace

Syntax trace_syntax() {
  return make_syntax(
      "heddle trace COMMAND [ARGUMENTS]",
      "Looks at kernel traces of Accel-Sim: text of versions 1.2 to 6 (.traceg), as it is or compressed "
      "by gzip, xz or zstd, containers (.tracez), and lists of them (kernelslist.g).",
      "command",
      "  heddle trace info kernelslist.g --gpu a100\n"
      "  heddle trace check kernel-1.traceg.xz\n"
      "  heddle trace convert kernel-1.tracez kernel-1.traceg.zst\n"
      "  heddle trace cut kernel-1.traceg small.traceg --blocks 16\n");
}

std::span<const Command> trace_commands() { return kCommands; }

int trace_command(const Arguments& arguments) {
  return run_command_of(kCommands, "trace ", help_text(trace_syntax(), kCommands), arguments);
}

}  // namespace heddle::command
