#include "sim/trace/replay/trace_check.h"

#include <utility>

#include "sim/trace/replay/warp_steps.h"

namespace heddle::trace {

namespace {

/// Reads a trace and makes the steps of all its lines, as a replay would.
class TraceCheck {
 public:
  TraceCheck(const std::string& path, MistakeSink sink)
      : sink_(std::move(sink)),
        reader_(open_trace(path, [this](const Diagnostic& diagnostic) { tell(diagnostic); })),
        facts_(open_facts_of(path)),
        ops_(reader_->header(), {}),
        steps_(*reader_, ops_, facts_.get()),
        is_stepping_(mistakes_ == 0) {
    if (facts_ != nullptr) ops_.know(*facts_);
  }

  TraceSize run() {
    using Event = TraceReader::Event;
    TraceSize size;
    for (Event event = reader_->next(); event != Event::End; event = reader_->next()) {
      if (event == Event::Block) ++size.blocks;
      if (event == Event::Warp) begin_warp();
      if (event != Event::Line) continue;
      ++size.lines;
      take_line();
    }
    if (mistakes_ == 0) attempt([this] { steps_.end(); });
    return size;
  }

 private:
  std::unique_ptr<FactsFile> open_facts_of(const std::string& path) {
    std::unique_ptr<FactsFile> facts;
    attempt([&] { facts = open_facts(path, reader_->header()); });
    return facts;
  }

  void begin_warp() {
    mistakes_before_warp_ = mistakes_;
    stop_at_a_mistake();
    const bool is_of_block = reader_->warp().index < divide_up(reader_->header().block.count(), kLanes);
    is_in_warp_ = is_stepping_ && is_of_block;
    if (is_in_warp_) steps_.begin_warp();
  }

  void take_line() {
    stop_at_a_mistake();
    // If a line of the warp could not be read, the state after it is unknown: it may have been an EXIT.
    is_in_warp_ = is_in_warp_ && is_stepping_ && mistakes_ == mistakes_before_warp_;
    if (!is_in_warp_ || attempt([this] { steps_.make(step_); })) return;
    mistakes_before_warp_ = mistakes_;
    stop_at_a_mistake();
    is_in_warp_ = is_stepping_ && steps_.live() != 0;  // lines after the last EXIT are not checked either
  }

  /// For a trace that Heddle recorded, one mistake is enough, because others follow from it.
  void stop_at_a_mistake() {
    if (facts_ != nullptr && mistakes_ != 0) is_stepping_ = false;
  }

  template <typename Action>
  bool attempt(Action action) {
    try {
      action();
      return true;
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.list()) tell(diagnostic);
      return false;
    }
  }

  void tell(const Diagnostic& diagnostic) {
    ++mistakes_;
    sink_(diagnostic);
  }

  MistakeSink sink_;
  std::uint64_t mistakes_ = 0;
  std::unique_ptr<TraceReader> reader_;
  std::unique_ptr<FactsFile> facts_;  // null unless Heddle recorded the trace
  TraceOps ops_;
  WarpSteps steps_;
  TraceStep step_;
  bool is_stepping_;         // if false, only the reader's mistakes are reported
  bool is_in_warp_ = false;  // and its lines are checked
  std::uint64_t mistakes_before_warp_ = 0;
};

}  // namespace

TraceSize check_trace(const std::string& path, MistakeSink sink) {
  return TraceCheck(path, std::move(sink)).run();
}

}  // namespace heddle::trace
