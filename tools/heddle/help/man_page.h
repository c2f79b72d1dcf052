// Pages for man(1), in the language of its man(7).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/heddle/help/help_command.h"

namespace heddle::command {

struct ManPage {
  std::string name;  ///< "heddle-trace-info"
  std::string text;
};

/// Of heddle, of each command and of each command's commands.
std::vector<ManPage> man_pages(const Program& program);

}  // namespace heddle::command
