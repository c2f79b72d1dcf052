// Computes the occupancy of many configurations: reads a CSV of kernels and writes the same rows with their
// occupancy.
//
//   in:   cc,block,regs,dynamic_smem
//         8.6,256,40,8192
//   out:  cc,block,regs,dynamic_smem,blocks_per_sm,warps_per_sm,occupancy,limiters,refused
//         8.6,256,40,8192,6,48,1,warps registers,
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tools/occupancy/question.h"

namespace heddle::occupancy {

/// Finds a GPU by name. Throws InputError if there is none.
using FindDevice = std::function<Device(const std::string& name)>;

/// Cells with the provenance at the end of each row, each after a comma.
struct RowEndings {
  std::string columns;
  std::string given;  ///< For rows on the default GPU.
  /// For rows on the GPU of this name; empty for a compute capability.
  std::function<std::string(const std::string& gpu)> others = [](const std::string&) {
    return std::string();
  };
};

/// Columns, in any order: cc, gpu, block, regs, smem, dynamic_smem, carveout, barriers; kernel, name, id and
/// label are copied. A missing column or an empty cell takes the value of `defaults`. A configuration that
/// cannot run gets 0 blocks and a reason. `endings` follow at the end of each row. If `defaults` has no block
/// size, there must be a column for it. Throws InputError for text that is not such a table.
std::string answer_batch(std::string_view csv, const std::string& file, const Question& defaults,
                         const FindDevice& find_device, const RowEndings& endings = {});

}  // namespace heddle::occupancy
