#include "tools/heddle/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "isa/base/diagnostic.h"
#include "tools/heddle/asm/asm_command.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/bench/bench_command.h"
#include "tools/heddle/gpus/gpus_command.h"
#include "tools/heddle/occupancy/occupancy_command.h"
#include "tools/heddle/run/run_command.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/validate/validate_command.h"

namespace heddle::command {

namespace {

constexpr std::string_view kVersion = HEDDLE_VERSION;

constexpr Command kCommands[] = {
    {"run", "simulates launches and reports where every slot went", run_command},
    {"occupancy", "says how many warps of a kernel an SM holds, and what limits them", occupancy_command},
    {"gpus", "lists the GPUs that can be simulated, or shows one", gpus_command},
    {"trace", "looks at kernel traces, checks, converts and cuts them", trace_command},
    {"validate", "holds simulated figures against measured ones", validate_command},
    {"bench", "measures how fast the simulator itself is", bench_command},
    {"asm", "checks a kernel file and lists its instructions", asm_command},
};

std::string overview() {
  return "Heddle simulates GPU kernels warp by warp: a GPU could do so much per cycle; where did it go?\n\n"
         "usage: heddle COMMAND [ARGUMENTS]\n\ncommands:\n" +
         list_text(kCommands) +
         "\n  heddle COMMAND --help   says more about a command\n"
         "  heddle --version        prints the version\n\n"
         "exit codes: 0 done, 1 a result check failed, 2 a file or the command line cannot be used,\n"
         "            3 the simulated program made a mistake\n";
}

int run_named(const Arguments& arguments) {
  if (!arguments.empty() && arguments.front() == "--version") {
    write_output(fmt::format("heddle {}\n", kVersion));
    return kDone;
  }
  return run_command_of(kCommands, "", overview(), arguments);
}

/// The command whose help is worth a look: "heddle run --help".
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

int dispatch(const Arguments& arguments) noexcept {
  try {
    return dispatch_or_throw(arguments);
  } catch (...) {
    // Only telling what went wrong can have failed, for want of memory.
    return kInternalError;
  }
}

}  // namespace heddle::command
