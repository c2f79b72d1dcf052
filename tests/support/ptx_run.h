// Runs statements of PTX for many threads, lowered to IR, for their results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test {

/// The statements find a thread's inputs in %A, %B and %C (.b64) and their low words in %a, %b and %c (.b32),
/// and leave their result in %R (.b64), whose words are %r and %h (.b32) where `is_wide` is false. There are
/// also %x0 to %x9
/// (.b32), %y0 to %y9 (.b64), %s0 to %s9 (.b16), and %p0 to %p9 (.pred).
struct PtxRun {
  std::string statements;
  bool is_wide = false;
  unsigned compute_capability = 80;
  unsigned most_registers = 255;
};

/// By thread, one for each input; all three have the same size.
struct PtxInputs {
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;
  std::vector<std::uint64_t> c;
};

std::vector<std::uint64_t> run_ptx(const PtxRun& run, const PtxInputs& inputs);

}  // namespace heddle::test
