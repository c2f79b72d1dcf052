// Traces written down in tests, without a file: text as the format has it, read by a parser that shares
// nothing with the one of the simulator.
//
//   WrittenTrace trace("-block dim = (32,1,1)",
//                      "block 0,0,0\n"
//                      "warp 0\n"
//                      "0000 ffffffff 1 R1 FADD 2 R2 R3 0 0\n"
//                      "0010 ffffffff 0 EXIT 0 0 0\n");
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/read/trace_reader.h"

namespace heddle::test {

/// Blocks begin with "block x,y,z", warps with "warp n". Lines have the columns of version 5, with two
/// immediates of which any can be left out.
class WrittenTrace final : public trace::TraceReader {
 public:
  /// Where `header` says nothing, the grid has one block of 32 threads, and the kernel is called "written".
  WrittenTrace(trace::TraceHeader header, std::string_view body);

  [[nodiscard]] const trace::TraceHeader& header() const override { return header_; }
  Event next() override;
  [[nodiscard]] const trace::TraceBlock& block() const override { return block_; }
  [[nodiscard]] const trace::TraceWarp& warp() const override { return warp_; }
  [[nodiscard]] const trace::TraceLine& line() const override { return line_; }
  [[nodiscard]] const trace::TraceInstruction& instruction(std::uint32_t index) const override {
    return instructions_[index];
  }
  [[nodiscard]] std::uint32_t instructions() const override {
    return static_cast<std::uint32_t>(instructions_.size());
  }
  [[nodiscard]] SourceLocation where() const override {
    return {"written", static_cast<std::uint32_t>(at_), 0};
  }

 private:
  [[nodiscard]] bool stands(std::size_t at, std::string_view word) const;
  void read_line(const std::string& text);

  trace::TraceHeader header_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  bool in_block_ = false;
  trace::TraceBlock block_;
  trace::TraceWarp warp_;
  trace::TraceLine line_;
  std::deque<trace::TraceInstruction> instructions_;
  std::map<std::string, const trace::TraceInstruction*> known_;
};

/// A head of one kernel: grid and block.
trace::TraceHeader written_header(Dim3 block, Dim3 grid = {}, std::uint32_t registers = 32);

}  // namespace heddle::test
