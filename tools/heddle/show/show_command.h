// `heddle show`: pictures for lectures, drawn from a run.
#pragma once

#include "tools/heddle/base/command.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

int show_command(const Arguments& arguments);
Syntax show_syntax();
std::span<const Command> show_commands();

int show_divergence_command(const Arguments& arguments);
Syntax show_divergence_syntax();
int show_latency_command(const Arguments& arguments);
Syntax show_latency_syntax();
int show_coalescing_command(const Arguments& arguments);
Syntax show_coalescing_syntax();
int show_banks_command(const Arguments& arguments);
Syntax show_banks_syntax();
int show_scheduling_command(const Arguments& arguments);
Syntax show_scheduling_syntax();

}  // namespace heddle::command
