// Several files of PTX as one, so that device code of one calls functions of another: what nvlink does for
// `nvcc -rdc=true`.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::image {

/// The text, and by file what its names are called there, if that is something else: names that each file has
/// for itself are told apart by a number behind them, as `own$1`, which demangled() takes away.
struct LinkedPtx {
  std::string text;
  std::vector<std::map<std::string, std::string>> renamed;
};

/// Functions and variables that are .weak stand once. One that two files define for others stands twice,
/// which the reader of PTX refuses. The header is that of the first file.
LinkedPtx link_ptx(std::span<const std::string> files);

/// Whether it declares functions or variables that it does not define, CUDA's own (printf, malloc) aside.
bool needs_other_files(std::string_view ptx);

}  // namespace heddle::image
