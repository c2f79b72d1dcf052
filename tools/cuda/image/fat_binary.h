// Fat binaries: containers of device code, as nvcc puts one of each source file into a program. A container
// holds code for several GPUs, as PTX or as machine code, each packed or not.
//
// The container has a header of 16 bytes (magic, version, size of the header, bytes behind it) and entries
// one after the other. An entry's header says what kind it is, how many bytes it has and will have unpacked,
// and for which compute capability it was made. CUDA 12 packs by LZ4, CUDA 13 by zstd (and by LZ4 where it is
// asked for speed). NVIDIA does not document the layout: it was read off what nvcc 13.0 writes in each of its
// modes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cubin/byte_view.h"

namespace heddle::image {

enum class CodeKind : std::uint8_t { Ptx, MachineCode, Other };
enum class Packing : std::uint8_t { None, Lz4, Zstd };

/// One piece of device code. It points into the container.
struct FatEntry {
  CodeKind kind = CodeKind::Other;
  Packing packing = Packing::None;
  unsigned capability = 0;       ///< 75 of 7.5: of the GPU that it was made for, or of PTX the least one.
  cubin::ByteView bytes;         ///< As they lie there.
  std::uint64_t unpacked_bytes;  ///< As many are there when it is unpacked.
};

/// Whether the bytes begin as those of a container.
bool is_fat_binary(std::string_view bytes);

/// All bytes of the container that begins there, and of which a header of 16 bytes can be read.
std::string_view fat_binary_at(const void* begin);

/// The entries of each container of a program's section .nv_fatbin. Messages call it `name`, to which the
/// entries point. Throws InputError where something ends beyond the bytes.
std::vector<std::vector<FatEntry>> fat_binaries(std::string_view bytes, const std::string& name);

/// The code itself: PTX without the zeros that follow it. Throws InputError if it cannot be unpacked.
std::string code_of(const FatEntry& entry);

/// The PTX for a GPU of this compute capability, 80 of 8.0: the newest that is not made for newer GPUs, or
/// else the oldest. Null if there is none.
const FatEntry* ptx_for(const std::vector<FatEntry>& entries, unsigned capability);

/// The machine code that a GPU of this compute capability runs, as its driver chooses it: of the same major
/// number, the greatest minor one that is not above its own. Null if there is none.
const FatEntry* machine_code_for(const std::vector<FatEntry>& entries, unsigned capability);

}  // namespace heddle::image
