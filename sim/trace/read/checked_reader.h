// The common part of the readers of text and containers: they parse lines, check them against the launch, and
// report mistakes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/trace/read/column_scan.h"
#include "sim/trace/read/header_parser.h"
#include "sim/trace/read/launch_check.h"
#include "sim/trace/read/line_parser.h"
#include "sim/trace/read/trace_reader.h"

namespace heddle::trace {

/// A TraceReader that checks what it reads. Derived classes find the blocks, warps and lines in the file.
class CheckedReader : public TraceReader {
 public:
  [[nodiscard]] const TraceHeader& header() const override { return head_.header(); }
  void skip_block() override;
  [[nodiscard]] const TraceBlock& block() const override { return block_; }
  [[nodiscard]] const TraceWarp& warp() const override { return warp_; }
  [[nodiscard]] const TraceLine& line() const override { return parser_->line(); }
  [[nodiscard]] const TraceInstruction& instruction(std::uint32_t index) const override {
    return parser_->table()[index];
  }
  [[nodiscard]] std::uint32_t instructions() const override { return parser_->table().size(); }

 protected:
  CheckedReader(std::string path, MistakeSink sink) : path_(std::move(path)), sink_(std::move(sink)) {}

  /// Mistakes of the head are collected and thrown together.
  void head_mistake(std::string message);
  /// Ends the head; lines can be read after it. If the head is whole, missing keys are reported as mistakes.
  void end_head(bool is_whole);

  /// Reports a mistake to the sink, or throws it if there is no sink.
  void mistake(Diagnostic diagnostic);
  void mistake(std::string message) { mistake(Diagnostic{where(), std::move(message), {}}); }
  /// Reports a mistake after which reading cannot go on.
  void mistake(const InputError& error);

  // -- The parts of the body. If something is wrong, it is reported and the result is false. ----------
  bool begin_block();  ///< `block_` is set.
  bool begin_warp();   ///< `warp_` is set.
  bool take_line(std::string_view text);
  void end_warp();
  void end_block();
  void end();

  /// What a message adds to the position in `where`.
  [[nodiscard]] virtual std::string place_note() const { return {}; }

  LaunchCheck& check() { return check_; }
  /// Whether the block's lines are to be passed over.
  [[nodiscard]] bool is_skipping() const { return is_skipping_; }

  HeaderParser head_;
  TraceBlock block_;
  TraceWarp warp_;
  const std::string path_;

 private:
  bool take_known_line();
  void malformed(const Malformed& error, std::string_view text);
  bool tell(const std::string& message);

  MistakeSink sink_;
  Diagnostics head_mistakes_;
  std::optional<LineParser> parser_;
  LaunchCheck check_{TraceHeader{}, false};  // until the head is known
  bool is_in_region_ = false;                // between the two marks of a region
  bool is_last_exit_ = false;
  bool is_skipping_ = false;
};

}  // namespace heddle::trace
