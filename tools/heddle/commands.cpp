#include "tools/heddle/commands.h"

#include <fmt/format.h>

#include "tools/heddle/asm/asm_command.h"
#include "tools/heddle/bench/bench_command.h"
#include "tools/heddle/cuda/cuda_command.h"
#include "tools/heddle/examples/examples_command.h"
#include "tools/heddle/explain/explain_command.h"
#include "tools/heddle/gpus/gpus_command.h"
#include "tools/heddle/help/help_command.h"
#include "tools/heddle/occupancy/occupancy_command.h"
#include "tools/heddle/run/run_command.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/validate/validate_command.h"

namespace heddle::command {

namespace {

int help_command(const Arguments& arguments);

constexpr Command kCommands[] = {
    {"run", "simulates launches and reports where every slot went", run_command, run_syntax},
    {"cuda", "compiles CUDA programs, which then run on a simulated GPU", cuda_command, cuda_syntax},
    {"exec", "runs a CUDA program, and says what its kernels and copies took", exec_command, exec_syntax},
    {"examples", "lists the launches that come with Heddle, or shows one", examples_command, examples_syntax},
    {"explain", "says what the words of reports mean", explain_command, explain_syntax},
    {"occupancy", "says how many warps of a kernel an SM holds, and what limits them", occupancy_command,
     occupancy_syntax},
    {"gpus", "lists the GPUs that can be simulated, or shows one", gpus_command, gpus_syntax},
    {"trace", "looks at kernel traces, checks, converts and cuts them", trace_command, trace_syntax,
     trace_commands},
    {"validate", "holds simulated figures against measured ones", validate_command, validate_syntax},
    {"bench", "measures how fast the simulator itself is", bench_command, bench_syntax},
    {"asm", "checks a kernel file and lists its instructions", asm_command, asm_syntax},
    {"help", "says more about a command", help_command, help_syntax},
};

int help_command(const Arguments& arguments) {
  return run_help({heddle_syntax(), kCommands}, arguments);
}

}  // namespace

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
