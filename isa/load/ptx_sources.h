// What PTX tells of the source that a compiler made it from.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "isa/ir/kernel.h"

namespace heddle::load {

/// The source of all functions of one PTX text.
struct PtxSources {
  std::vector<std::string> files;  ///< SourcePlace::file of lowered kernels counts in them.
  /// By line of the PTX: the call in the kernel's own source that led to it, through however many functions
  /// that the compiler inlined; its own place where nothing was inlined. Lines that .loc says nothing of are
  /// missing.
  std::unordered_map<std::uint32_t, ir::SourcePlace> calls;
  /// By name of a function: the lines of the PTX at which its instructions begin, each once, ascending.
  std::unordered_map<std::string, std::vector<std::uint32_t>> statements;
};

/// `name` stands for the text in messages. Throws InputError if it has mistakes.
PtxSources ptx_sources(const std::string& text, const std::string& name);

}  // namespace heddle::load
