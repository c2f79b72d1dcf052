#include "sim/trace/format/trace_text.h"
#include "sim/trace/write/trace_writer.h"

namespace heddle::trace {

namespace {

class TextWriter final : public TraceWriter {
 public:
  TextWriter(TraceHeader header, std::unique_ptr<ByteSink> sink)
      : header_(std::move(header)), form_(header_), sink_(std::move(sink)), text_(to_text(header_)) {}

  void block(const TraceBlock& block) override {
    block_ = block.id;
    append_block_begin(text_, block);
  }
  void warp(const TraceWarp& warp) override {
    close_warp();
    warp_ = warp.index;
    is_in_warp_ = true;
    append_warp_begin(text_, warp);
  }
  void line(const TraceLine& line) override {
    if (header_.version() < kFirstGroupedVersion) append_place(text_, block_, warp_);
    append_line(text_, line, form_);
    if (text_.size() >= kPiece) flush();
  }
  void end_block() override {
    close_warp();
    append_block_end(text_);
  }
  void finish() override {
    flush();
    sink_->finish();
  }

 private:
  static constexpr std::size_t kPiece = 32 * 1024;

  void close_warp() {
    if (is_in_warp_) text_ += '\n';
    is_in_warp_ = false;
  }
  void flush() {
    sink_->write(text_);
    text_.clear();
  }

  TraceHeader header_;
  LineForm form_;
  std::unique_ptr<ByteSink> sink_;
  std::string text_;
  std::array<std::uint32_t, 3> block_{};
  std::uint32_t warp_ = 0;
  bool is_in_warp_ = false;
};

}  // namespace

std::unique_ptr<TraceWriter> text_writer(TraceHeader header, std::unique_ptr<ByteSink> sink) {
  return std::make_unique<TextWriter>(std::move(header), std::move(sink));
}

}  // namespace heddle::trace
