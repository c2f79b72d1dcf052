// heddle trace: what is done with kernel traces apart from replaying them.
#include "tools/heddle/trace/trace_command.h"

namespace heddle::command {

namespace {

constexpr Command kCommands[] = {
    {"info", "says what a trace holds: launch, instructions, opcodes, lanes, addresses", trace_info_command},
    {"check", "lists every malformed line, with its number", trace_check_command},
    {"convert", "writes a trace in another version, compression or container", trace_convert_command},
    {"cut", "writes the first blocks of a trace as a smaller one", trace_cut_command},
};

std::string overview() {
  return "usage: heddle trace COMMAND [ARGUMENTS]\n\n"
         "Looks at kernel traces of Accel-Sim: text of versions 1.2 to 6 (.traceg), as it is or compressed\n"
         "by gzip, xz or zstd, containers (.tracez), and lists of them (kernelslist.g).\n\ncommands:\n" +
         list_text(kCommands) +
         "\nexamples:\n"
         "  heddle trace info kernelslist.g --gpu a100\n"
         "  heddle trace check kernel-1.traceg.xz\n"
         "  heddle trace convert kernel-1.tracez kernel-1.traceg.zst\n"
         "  heddle trace cut kernel-1.traceg small.traceg --blocks 16\n";
}

}  // namespace

int trace_command(const Arguments& arguments) {
  return run_command_of(kCommands, "trace ", overview(), arguments);
}

}  // namespace heddle::command
