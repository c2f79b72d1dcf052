#include "tools/heddle/show/show_command.h"

#include "tools/heddle/base/help.h"

namespace heddle::command {

namespace {

constexpr Command kCommands[] = {
    {"divergence", "the lanes of a warp, step by step, as they part and meet again", show_divergence_command,
     show_divergence_syntax},
    {"latency", "how many warps hide the wait for memory, by formula and in a run", show_latency_command,
     show_latency_syntax},
    {"coalescing", "which sectors of global memory the lanes of a warp touch", show_coalescing_command,
     show_coalescing_syntax},
    {"banks", "which banks of shared memory the lanes of a warp need", show_banks_command, show_banks_syntax},
    {"scheduling", "what each warp does in each cycle, and which one is picked", show_scheduling_command,
     show_scheduling_syntax},
};

}  // namespace

Syntax show_syntax() {
  return make_syntax(
      "heddle show PICTURE [EXAMPLE|LAUNCH.yaml] [OPTIONS]",
      "Draws a picture for a lecture from a run, as text and, with --svg, as a file. Each has an "
      "example that is shown if none is named.",
      "command",
      "  heddle show divergence divergent_16_16\n"
      "  heddle show divergence reduce_v1 --param n=1024 --warp 1\n"
      "  heddle show latency --svg latency.svg\n");
}

std::span<const Command> show_commands() { return kCommands; }

int show_command(const Arguments& arguments) {
  return run_command_of(kCommands, "show ", help_text(show_syntax(), kCommands), arguments);
}

}  // namespace heddle::command
