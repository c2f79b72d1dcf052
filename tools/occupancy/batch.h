// Many configurations at once: a CSV of kernels in, the same rows with their occupancy out.
//
//   cc,block,regs,dynamic_smem
//   cc,block,regs,dynamic_smem,blocks_per_sm,warps_per_sm,occupancy,limiters,refused 8.6,256,40,8192
//   ->     8.6,256,40,8192,6,48,1,warps registers,
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tools/occupancy/question.h"

namespace heddle::occupancy {

/// Finds the GPU of a name; throws InputError if there is none.
using FindDevice = std::function<Device(const std::string& name)>;

/// Cells behind each row, which say what made it, with a comma before each.
struct RowEndings {
  std::string columns;
  std::string given;  ///< Of rows on the GPU of the defaults.
  /// Of rows on a GPU of this name; empty for a compute capability.
  std::function<std::string(const std::string& gpu)> others = [](const std::string&) {
    return std::string();
  };
};

/// Columns, in any order: cc, gpu, block, regs, smem, dynamic_smem, carveout, barriers; kernel, name, id and
/// label are handed on. What has no column, or an empty cell, is as in `defaults`. A configuration that
/// cannot run has 0 blocks and a reason; behind that stands what `endings` say. Without a block size in
/// `defaults`, there must be a column of them. Throws InputError for text that is no such table.
std::string answer_batch(std::string_view csv, const std::string& file, const Question& defaults,
                         const FindDevice& find_device, const RowEndings& endings = {});

}  // namespace heddle::occupancy
