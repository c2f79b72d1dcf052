// Launch files: one kernel launch with everything it needs, as YAML.
//
//   description: Adds two vectors.
//   kernel: vecadd.sass                   # beside this file
//   values: {n: 65536, block: 256}        # numbers for the expressions below; --param n=1024 changes one
//   grid: (n + block - 1) // block        # number, expression, or list of up to three
//   block: block
//   params: {a: a, b: b, c: c, n: n}      # every parameter of the kernel: a buffer for a pointer, else
//   buffers:                              # a number
//     a: {type: f32, count: n, fill: {random: {seed: 1, min: 0, max: 1}}}
//     b: {type: f32, count: n, fill: ramp}
//     c: {type: f32, count: n}            # zeros
//   # copied: true, of a buffer: the host has just copied it to the device, so that it lies in L2
//   check:
//     - {buffer: c, equals: "a[i] + b[i]", sample: 4096}
//
// Optional: entry (which kernel of the file), defines (macros of CUDA C++: {TILE: 16}, also names for the
// expressions), fast_math (of CUDA C++), maxrregcount (of PTX and CUDA C++), shared (dynamic bytes), registers
// (at least what the kernel uses). Expressions are Lua, see expression.h; fills are in fill.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/override.h"
#include "isa/exec/launch.h"
#include "isa/exec/memory.h"
#include "isa/load/kernel_file.h"
#include "sim/config/gpu_spec.h"
#include "tools/cuda/compile.h"
#include "tools/launch/check.h"
#include "tools/launch/element_type.h"
#include "tools/launch/expression.h"
#include "tools/launch/fill.h"

namespace heddle::launch {

/// Changes from the command line. Grid, block, registers and shared bytes also set a value of that name
/// ("grid", "block", "registers", "shared"), so that expressions with it follow.
struct LaunchOverrides {
  std::optional<Dim3> grid = {};
  std::optional<Dim3> block = {};
  std::optional<std::uint32_t> registers = {};
  std::optional<std::uint32_t> dynamic_shared_bytes = {};
  std::optional<std::string> entry = {};  ///< The chosen kernel of the file.
  /// A value of the file, or else a parameter of the kernel.
  Overrides params = {};
  /// The ending of the kernel file to take instead: ".cu" takes saxpy.cu where the launch names saxpy.sass.
  std::optional<std::string> code = {};
  /// The most registers that the compiler may give a thread of a kernel from PTX (nvcc's -maxrregcount).
  std::optional<std::uint32_t> most_registers = {};
  bool ask_ptxas = false;          ///< ptxas says how many registers a kernel from PTX takes.
  cuda::CompileOptions cuda = {};  ///< For a kernel file in CUDA C++; its capability is the following.
  unsigned compute_capability = load::kUsualCapability;  ///< 80 of 8.0: PTX is lowered for it.
  /// The text of the launch file "-". Paths in it are relative to the current folder.
  std::string standard_input = {};
  /// The text of the kernel file "-".
  std::optional<std::string> kernel_text = {};
  std::string standard_input_name = "<stdin>";  ///< In messages and reports.
};

/// A buffer of the launch.
struct BufferInfo {
  std::string name;
  ElementType type = ElementType::F32;
  std::uint64_t count = 0;
  /// The host has copied it to the device just before the launch, so L2 holds it as far as it fits.
  bool copied = false;
};

/// The same, with PTX lowered for the GPU.
LaunchOverrides for_gpu(LaunchOverrides overrides, const sim::GpuSpec& spec);

/// A launch that is ready to run.
struct LaunchFile {
  std::string path;
  std::vector<std::string> sources;  ///< The files that it names: the kernel, contents of buffers.
  std::string description;
  exec::Launch launch;
  exec::GlobalMemory memory;
  std::vector<BufferInfo> buffers;  ///< Parallel to memory.buffers().
  std::vector<std::pair<std::string, Number>> values;
  /// Macros of the kernel that are whole numbers: names for expressions, behind those of `values`.
  std::vector<std::pair<std::string, Number>> macros;
  std::vector<Check> checks;
  /// The contents before the run of those buffers that checks use as `before.NAME`.
  std::vector<std::pair<std::string, std::vector<std::byte>>> initial;

  [[nodiscard]] const BufferInfo* find_buffer(const std::string& name) const;
  [[nodiscard]] std::optional<Number> find_value(const std::string& name) const;
};

/// Throws InputError with all mistakes. With Contents::Checked, buffers have their sizes but take no memory;
/// such a launch can be inspected, but not run. If an expression reads a buffer, the buffers are filled
/// anyway.
LaunchFile load_launch(const std::string& path, const LaunchOverrides& overrides = {},
                       Contents contents = Contents::Filled);

/// Makes a launch of one block from the text of a kernel without parameters. Messages call the text `name`.
/// Throws InputError.
LaunchFile launch_of_text(const std::string& kernel, const std::string& name, Dim3 block);

/// Writes a whole buffer as .npy, or throws InputError and writes nothing.
void save_buffer(const LaunchFile& file, const std::string& name, const std::string& path);

}  // namespace heddle::launch
