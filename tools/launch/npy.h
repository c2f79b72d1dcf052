// NumPy's .npy files: arrays of one type, little-endian, in C order.
//
//   "\x93NUMPY" major minor, length of the header (2 bytes in version 1, 4 in versions 2 and 3), then
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   padded with blanks, and the elements
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/launch/element_type.h"

namespace heddle::launch {

/// The header of a .npy file.
struct NpyHeader {
  ElementType type = ElementType::F32;
  std::vector<std::uint64_t> shape;  ///< Empty for a single number.
  std::uint64_t count = 1;           ///< The product of the shape.
  std::uint64_t data_offset = 0;     ///< Offset of the elements in the file.
};

/// Parses the header from the first bytes of a file, and checks that the file has exactly the bytes of the
/// elements. Messages call it `file`. Throws InputError with the byte of the mistake.
NpyHeader parse_npy_header(std::span<const std::byte> start, std::uint64_t file_bytes,
                           const std::string& file);

/// Reads the header of a file. Throws InputError if that fails.
NpyHeader read_npy_header(const std::string& path);

/// Reads the elements of the file with this header. `elements` must have their size.
void read_npy_elements(const std::string& path, const NpyHeader& header, std::span<std::byte> elements);

/// Writes a one-dimensional array as a whole file, or throws InputError and writes nothing. An older file is
/// replaced only by a complete new one.
void write_npy(const std::string& path, ElementType type, std::span<const std::byte> elements);

}  // namespace heddle::launch
