#include "tools/heddle/run/kernel_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/ir/printed_output.h"
#include "isa/ir/system_variables.h"
#include "tools/heddle/base/output.h"

namespace heddle::command {

namespace {

std::string text_at(const exec::GlobalMemory& memory, Addr address) {
  const exec::Buffer* buffer = memory.buffer_at(address, 1);
  if (buffer == nullptr) return {};
  const auto bytes = buffer->bytes().subspan(address - buffer->address());
  const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.begin())};
}

/// Returns the lines about assertions.
std::string say_printed(const exec::GlobalMemory& memory, const Say& say) {
  const exec::Buffer* variable = memory.find_variable(ir::kOutputVariable);
  if (variable == nullptr) return {};
  const auto text = [&memory](std::uint64_t address) { return text_at(memory, address); };
  const ir::PrintedOutput output = ir::take_printed(variable->bytes(), text);
  if (!output.text.empty()) say(output.text);
  if (output.lost != 0)
    say(fmt::format("note: {} calls of printf are lost: {} bytes of output are kept for a launch\n",
                    output.lost, ir::kOutputBytes));
  return output.assertions;
}

}  // namespace

bool prints(const ir::Kernel& kernel) {
  return std::ranges::any_of(kernel.variables, [](const ir::UsedVariable& used) {
    return used.variable.name == ir::kOutputVariable;
  });
}

Say say_before_report(const RunRequest& request) {
  const bool is_report_for_programs = request.format != "text" && !request.output;
  return is_report_for_programs ? [](const std::string& text) { print_error(text); }
                                : [](const std::string& text) { write_output(text); };
}

void run_and_say(const std::function<void()>& run, exec::GlobalMemory& memory, const Say& say) {
  try {
    run();
  } catch (const stream::KernelFault& fault) {
    std::string assertions = say_printed(memory, say);
    if (assertions.empty()) throw;
    assertions.pop_back();
    throw fault.with_message(fmt::format("{}\n{}", fault.what(), assertions));
  }
  say_printed(memory, say);
}

}  // namespace heddle::command
