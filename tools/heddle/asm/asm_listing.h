// Listings of kernels for people and programs:
//
//   // vecadd: 13 instructions, 10 registers a thread, no static shared memory, 28 bytes of parameters
//   .kernel vecadd
//   .param a ptr                               // c[0x0][0x160]
//   ...
//   /*0004*/ @P0 EXIT
//
// The text can be assembled again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/ir/kernel.h"
#include "isa/load/kernel_file.h"
#include "tools/report/provenance.h"

namespace heddle::command {

std::string kernels_as_text(std::span<const ir::Kernel> kernels);
/// A file as it was given on the command line.
struct GivenFile {
  std::string path;  ///< "-" is standard input.
  std::string text;
};

/// Kernels of the file beside their source: each line of the CUDA C++, under it the PTX that the compiler
/// made of it, and under that the instructions which run.
///
///   // saxpy.cu
///       5    if (i < n) y[i] = a * x[i] + y[i];
///             24  fma.rn.f32 %f4, %f2, %f1, %f3;
///                 /*00c0*/ FFMA R5, R2, c[0x0][0x164], R5
///
/// PTX without an instruction of its own, as where an address was folded into a load, stands alone. Without
/// `.loc` in the PTX there are no lines of a source above it. Instructions are in the order of the PTX: their
/// addresses say in which they run. Throws InputError if the file has no PTX.
std::string kernels_beside_source(std::span<const ir::Kernel> kernels, const load::KernelFile& file,
                                  const GivenFile& given);

/// What stands above the listing of a kernel: comments with its registers, memory and parameters.
std::string heading(const ir::Kernel& kernel);
/// The address of an instruction as NVIDIA's disassemblers print it and as traces contain it.
std::string address_text(const ir::Kernel& kernel, Pc pc);

/// JSON. Each kernel carries the provenance of the listing.
std::string kernels_as_json(std::span<const ir::Kernel> kernels, const report::Provenance& provenance);

/// Whether the bytes are a .cubin.
bool is_machine_code(std::string_view bytes);
/// The listing of a .cubin, or of one kernel of it, as nvdisasm prints it. Messages call it `file`. Throws
/// InputError if an instruction's encoding is not known: none is left out.
std::string machine_code_as_text(std::string_view bytes, const std::string& file,
                                 const std::optional<std::string>& entry);

/// The dependences between the instructions of machine code and how far apart the compiler has put them, beside the
/// latencies of the GPU: a row for each kind whose results come after a fixed time, then what is wrong. `kernels` are those
/// of the file that are asked for. Throws InputError if none has control codes, which alone say such distances.
std::string dependences_as_text(const std::string& file, std::span<const ir::Kernel> kernels, const std::string& gpu,
                                report::Provenance provenance);

}  // namespace heddle::command
