#include "tools/heddle/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "isa/base/diagnostic.h"
#include "tools/heddle/asm/asm_command.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/bench/bench_command.h"
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
  return run_help({heddle_syntax(), kCommands, program_version()}, arguments);
}

std::string overview() { return help_text(heddle_syntax(), kCommands); }

int run_named(const Arguments& arguments) {
  if (!arguments.empty() && arguments.front() == "--version") {
    write_output(fmt::format("heddle {}\n", program_version()));
    return kDone;
  }
  return run_command_of(kCommands, "", overview(), arguments);
}

/// The command whose help is recommended: "heddle run --help".
std::string help_hint(const Arguments& arguments) {
  const auto is_first = [&](const Command& command) {
    return !arguments.empty() && arguments[0] == command.name;
  };
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands), is_first);
  return found == std::end(kCommands) ? "heddle --help" : fmt::format("heddle {} --help", found->name);
}

int dispatch_or_throw(const Arguments& arguments) {
  try {
    return run_named(arguments);
  } catch (const UsageError& error) {
    print_error(fmt::format("error: {}\nsee {}\n", error.what(), help_hint(arguments)));
    return kInputWrong;
  } catch (const InputError& error) {
    print_error(error.what());
    return kInputWrong;
  } catch (const stream::KernelFault& fault) {
    print_error(fault_text(fault));
    return kProgramFailed;
  } catch (const std::bad_alloc&) {
    print_error("error: there is not enough memory for this\n");
    return kInputWrong;
  } catch (const std::exception& error) {
    print_error(
        fmt::format("internal error: {}\nThis is a mistake in Heddle, not in your files.\n", error.what()));
    return kInternalError;
  }
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

int dispatch(const Arguments& arguments) noexcept {
  try {
    return dispatch_or_throw(arguments);
  } catch (...) {
    // Only the error report itself can have failed, because memory ran out.
    return kInternalError;
  }
}

}  // namespace heddle::command
