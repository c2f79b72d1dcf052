// Programs that nvcc made, before they are started: whether they can run on the simulated GPU.
#pragma once

#include <string>

namespace heddle::command {

/// What a program needs in its environment.
struct ProgramNeeds {
  std::string library_folder;  ///< Come first among those for shared libraries (LD_LIBRARY_PATH), with colons.
  std::string preloaded;       ///< The libraries themselves, if the program would not look there; else empty.
};

/// Reads the program's file. A script, and what is no program of this machine, needs the folder alone, since
/// it may start another. Throws InputError, which says what was found and how to relink, for a program that
/// has NVIDIA's runtime inside or needs an older one, whose device code is machine code without PTX if that
/// is needed, that calls functions of CUDA that are not there, or that needs other libraries of NVIDIA's.
ProgramNeeds needs_of_program(const std::string& path, bool needs_ptx);

}  // namespace heddle::command
