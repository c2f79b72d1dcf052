// What readers of text and of containers have in common: they take lines apart, check them against the
// launch, and tell mistakes.
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

class CheckedReader : public TraceReader {
 public:
  [[nodiscard]] const TraceHeader& header() const override { return head_.header(); }
  [[nodiscard]] const TraceBlock& block() const override { return block_; }
  [[nodiscard]] const TraceWarp& warp() const override { return warp_; }
  [[nodiscard]] const TraceLine& line() const override { return parser_->line(); }
  [[nodiscard]] const TraceInstruction& instruction(std::uint32_t index) const override {
    return parser_->table()[index];
  }
  [[nodiscard]] std::uint32_t instructions() const override { return parser_->table().size(); }

 protected:
  CheckedReader(std::string path, MistakeSink sink) : path_(std::move(path)), sink_(std::move(sink)) {}

  /// Mistakes of the head are all told before any is thrown.
  void head_mistake(std::string message);
  /// Lines can be read. What the head lacks is a mistake if it is there to its end.
  void end_head(bool is_whole);

  /// To the sink, or thrown.
  void mistake(Diagnostic diagnostic);
  void mistake(std::string message) { mistake(Diagnostic{where(), std::move(message), {}}); }
  /// Without a place to go on from.
  void mistake(const InputError& error);

  // -- what the body consists of. Where something is wrong, it is told, and the answer is false. ----------
  bool begin_block();  ///< `block_` is set.
  bool begin_warp();   ///< `warp_` is set.
  bool take_line(std::string_view text);
  void end_warp();
  void end_block();
  void end();

  /// What a message says of the place beyond `where`.
  [[nodiscard]] virtual std::string place_note() const { return {}; }

  LaunchCheck& check() { return check_; }

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
  bool is_in_region_ = false;                // between the marks of one
  bool is_last_exit_ = false;
};

}  // namespace heddle::trace
