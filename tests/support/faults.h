// Kernels that may not come to their end, and what is said of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "tests/support/sm_harness.h"

namespace heddle::test {

/// The message of the fault that the run ends with; empty if it ends well.
std::string fault_of(TextKernel& kernel, const sim::GpuSpec& spec, const sim::RunOptions& options = {});

/// All of the parts are in the message.
void check_names(const std::string& message, std::initializer_list<const char*> parts);

/// Warp 0 goes on, warps from 1 on branch to `other`.
std::string two_ways(const std::string& first, const std::string& other);

/// Blocks but the last wait for it in a loop; it sleeps `naps` milliseconds before.
TextKernel waiting_blocks(unsigned naps, std::uint32_t blocks);

}  // namespace heddle::test
