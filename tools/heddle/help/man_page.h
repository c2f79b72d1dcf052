// Makes manual pages in the man(7) format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/heddle/help/help_command.h"

namespace heddle::command {

/// One manual page.
struct ManPage {
  std::string name;  ///< "heddle-trace-info"
  std::string text;
};

/// The pages of heddle, of each command and of each subcommand.
std::vector<ManPage> man_pages(const Program& program);

}  // namespace heddle::command
