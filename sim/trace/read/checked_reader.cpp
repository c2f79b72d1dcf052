#include "sim/trace/read/checked_reader.h"

namespace heddle::trace {

void CheckedReader::head_mistake(std::string message) {
  constexpr std::size_t kEnough = 100;  // with so many mistakes the file is probably no trace
  if (sink_) return sink_({where(), std::move(message), {}});
  head_mistakes_.add(where(), std::move(message));
  if (head_mistakes_.list().size() == kEnough) head_mistakes_.throw_if_any();
}

void CheckedReader::end_head(bool is_whole) {
  if (is_whole) {
    for (std::string& message : head_.complaints()) head_mistake(std::move(message));
  }
  head_mistakes_.throw_if_any();
  parser_.emplace(head_.header());
  check_ = LaunchCheck(head_.header(), head_.has_shape());
}

void CheckedReader::mistake(Diagnostic diagnostic) {
  diagnostic.message += place_note();
  if (!sink_) throw InputError({std::move(diagnostic)});
  sink_(diagnostic);
}

void CheckedReader::mistake(const InputError& error) {
  if (!sink_) throw InputError(error);
  for (const Diagnostic& diagnostic : error.list()) sink_(diagnostic);
}

bool CheckedReader::tell(const std::string& message) {
  if (message.empty()) return true;
  mistake(message);
  return false;
}

void CheckedReader::malformed(const Malformed& error, std::string_view text) {
  constexpr std::size_t kMostShown = 4096;
  Diagnostic diagnostic{where(), error.message, {}};
  if (error.at != nullptr && diagnostic.where.line != 0) {
    const auto column = static_cast<std::size_t>(error.at - text.data()) + 1;
    diagnostic.where.column = static_cast<std::uint32_t>(column);
    if (column <= kMostShown) diagnostic.source_line = text.substr(0, kMostShown);
  }
  mistake(std::move(diagnostic));
}

void CheckedReader::skip_block() {
  is_skipping_ = true;
  TraceReader::skip_block();
  is_skipping_ = false;
}

bool CheckedReader::begin_block() {
  if (tell(check_.begin_block(block_))) return true;
  check_.forgive_block();
  return false;
}

bool CheckedReader::begin_warp() {
  is_in_region_ = is_last_exit_ = false;
  parser_->set_place(block_, warp_.index);
  const bool is_good = tell(check_.begin_warp(warp_));
  if (is_skipping_) check_.forgive_warp();
  return is_good;
}

bool CheckedReader::take_line(std::string_view text) {
  try {
    parser_->parse(text);
  } catch (const Malformed& error) {
    check_.forgive_warp();
    malformed(error, text);
    return false;
  }
  return take_known_line();
}

bool CheckedReader::take_known_line() {
  const KnownInstruction& known = parser_->known();
  const std::uint32_t mask = parser_->line().mask;
  is_last_exit_ = known.is_exit;
  if (known.mark != Mark::None) {
    is_in_region_ = known.mark == Mark::RegionBegin;
    return true;
  }
  if (known.is_exit) check_.exit(mask);
  if (check_.has_lanes(mask)) return true;
  check_.forgive_warp();
  return tell(check_.lanes_message(mask));
}

void CheckedReader::end_warp() {
  // The tracer saw only the first round of a spin loop. The spinning lanes exit together with the others.
  if (is_in_region_ && is_last_exit_) check_.exit_all();
  tell(check_.end_warp());
}

void CheckedReader::end_block() { tell(check_.end_block()); }

void CheckedReader::end() { tell(check_.end()); }

}  // namespace heddle::trace
