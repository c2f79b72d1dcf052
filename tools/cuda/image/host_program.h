// What a program for x86-64 Linux says of the CUDA that it needs, read from its file before it is started:
// the shared libraries, the functions that it wants of each, and its device code (System V ABI, chapter 5;
// Linux Standard Base, symbol versions).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::image {

/// A function or variable of another file.
struct WantedSymbol {
  std::string name;     ///< "cudaMalloc"
  std::string library;  ///< By its version: "libcudart.so.13". Empty if it has none.
};

/// An executable file or a shared library.
struct HostProgram {
  std::vector<std::string> libraries;  ///< DT_NEEDED, in order: "libcudart.so.13"
  std::vector<WantedSymbol> wanted;    ///< Without those that it can do without (weak ones).
  std::vector<std::string> offered;    ///< What other files can use of it.
  /// The folders that it looks for libraries in come before those of the environment (DT_RPATH).
  bool has_own_path = false;
  std::string_view device_code;     ///< Section .nv_fatbin, containers or PTX; it lies in the file's bytes.
  std::string_view prelinked_code;  ///< Section __nv_relfatbin: what .nv_fatbin was linked of.
};

/// Reads it. `file` stands for it in messages. Throws InputError if the file is cut off or contradicts
/// itself.
HostProgram read_host_program(std::string_view bytes, const std::string& file);

}  // namespace heddle::image
