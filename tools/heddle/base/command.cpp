#include "tools/heddle/base/command.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/suggest.h"
#include "tools/heddle/base/output.h"

namespace heddle::command {

const Command& find_command(std::span<const Command> table, std::string_view prefix,
                            const std::string& name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Command& command) { return command.name == name; });
  if (found != table.end()) return *found;
  std::vector<std::string> names;
  for (const Command& command : table) names.emplace_back(command.name);
  throw UsageError(fmt::format("there is no command '{}{}'; {}", prefix, name, sim::suggestion(name, names)));
}

int run_command_of(std::span<const Command> table, std::string_view prefix, std::string_view overview,
                   const Arguments& arguments) {
  if (arguments.empty()) {
    print_error(overview);
    return kInputWrong;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || (name == "help" && arguments.size() == 1)) {
    write_output(overview);
    return kDone;
  }
  return find_command(table, prefix, name).run({arguments.begin() + 1, arguments.end()});
}

}  // namespace heddle::command
