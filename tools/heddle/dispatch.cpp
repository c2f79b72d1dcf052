#include "tools/heddle/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "isa/base/diagnostic.h"
#include "tools/heddle/base/help.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/commands.h"

namespace heddle::command {

namespace {

int run_named(const Arguments& arguments) {
  if (!arguments.empty() && arguments.front() == "--version") {
    write_output(fmt::format("heddle {}\n", program_version()));
    return kDone;
  }
  return run_command_of(commands(), "", help_text(heddle_syntax(), commands()), arguments);
}

/// The command whose help is recommended: "heddle run --help".
std::string help_hint(const Arguments& arguments) {
  const auto is_first = [&](const Command& command) {
    return !arguments.empty() && arguments[0] == command.name;
  };
  const std::span<const Command> table = commands();
  const auto found = std::find_if(table.begin(), table.end(), is_first);
  return found == table.end() ? "heddle --help" : fmt::format("heddle {} --help", found->name);
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

int dispatch(const Arguments& arguments) noexcept {
  try {
    return dispatch_or_throw(arguments);
  } catch (...) {
    // Only the error report itself can have failed, because memory ran out.
    return kInternalError;
  }
}

}  // namespace heddle::command
