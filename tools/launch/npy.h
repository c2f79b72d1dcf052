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

struct NpyHeader {
  ElementType type = ElementType::F32;
  std::vector<std::uint64_t> shape;  ///< Empty for a single number.
  std::uint64_t count = 1;           ///< The product of the shape.
  std::uint64_t data_offset = 0;     ///< Where the elements begin in the file.
};

/// Reads the header of a file of `file_bytes` bytes from its first bytes, and checks that the rest holds
/// exactly the elements. `file` is only named in messages. Throws InputError with the byte where the trouble
/// lies.
NpyHeader parse_npy_header(std::span<const std::byte> start, std::uint64_t file_bytes,
                           const std::string& file);

/// The header of a file. Throws InputError where it cannot be read.
NpyHeader read_npy_header(const std::string& path);

/// The elements of the file whose header this is, into `elements`, which has their size.
void read_npy_elements(const std::string& path, const NpyHeader& header, std::span<std::byte> elements);

/// Writes a one-dimensional array: the whole file, or none and an InputError. An older file is replaced only
/// by a complete new one.
void write_npy(const std::string& path, ElementType type, std::span<const std::byte> elements);

}  // namespace heddle::launch
