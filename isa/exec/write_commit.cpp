#include "isa/exec/write_commit.h"

#include <algorithm>
#include <numeric>

namespace heddle::exec {

namespace {

constexpr std::size_t kFewNotes = 128;       // not worth waking other threads for
constexpr std::size_t kSectionsAThread = 2;  // lest one waits for another
constexpr std::uintptr_t kRegionBytes = 4096;

}  // namespace

void WriteCommit::commit(std::span<const std::unique_ptr<PendingWrites>> sms, ThreadTeam& team) {
  const Extent extent = extent_of(sms);
  if (extent.notes == 0) return;
  const bool is_divided = team.threads() > 1 && !extent.has_atomics && extent.notes >= kFewNotes;
  sections_ = is_divided ? kSectionsAThread * team.threads() : 1;
  list_parts(sms);
  const std::vector<std::uint32_t>& order = order_of_parts(extent);
  if (is_divided) {
    team.run(sections_, [&](std::size_t section, std::size_t) { work_off(section, order); });
  } else {
    work_off(0, order);
  }
  for (const WritePart& turn : parts_) turn.sm->count(turn.is_change);
  for (const auto& sm : sms) sm->forget();
}

WriteCommit::Extent WriteCommit::extent_of(std::span<const std::unique_ptr<PendingWrites>> sms) {
  Extent extent;
  for (const auto& sm : sms) {
    const std::span<const PendingWrites::Note> notes = sm->notes();
    if (notes.empty()) continue;
    extent.notes += notes.size();
    extent.has_atomics |= sm->has_atomics();
    extent.first = std::min(extent.first, notes.front().time);
    extent.last = std::max(extent.last, notes.back().time);
  }
  return extent;
}

void WriteCommit::list_parts(std::span<const std::unique_ptr<PendingWrites>> sms) {
  parts_.clear();
  ends_.assign(sections_, 0);
  for (const auto& sm : sms) {
    for (const PendingWrites::Note& note : sm->notes()) add(*sm, note);
  }
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
}

/// To its section; a store into several regions has a turn in each.
void WriteCommit::add(PendingWrites& sm, const PendingWrites::Note& note) {
  std::uint32_t from = 0;
  do {
    std::uint32_t bytes = note.bytes - from;
    std::size_t section = 0;
    if (sections_ > 1) {
      const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(note.host) + from;
      bytes = static_cast<std::uint32_t>(std::min<std::uintptr_t>(bytes, kRegionBytes - at % kRegionBytes));
      section = at / kRegionBytes % sections_;
    }
    parts_.push_back({&sm, &note, from, bytes, static_cast<std::uint32_t>(section), false});
    ++ends_[section];
    from += bytes;
  } while (from < note.bytes);
}

/// By section, then time. They lie by SM, each one's in its own order, which is that of time: by time, they
/// come as (time, SM, sequence).
const std::vector<std::uint32_t>& WriteCommit::order_of_parts(const Extent& extent) {
  const Cycle span = extent.last - extent.first + 1;
  return order_.of(parts_.size(), 0, sections_ * span - 1, [&](std::uint32_t i) {
    return parts_[i].section * span + (parts_[i].note->time - extent.first);
  });
}

void WriteCommit::work_off(std::size_t section, const std::vector<std::uint32_t>& order) {
  const std::size_t begin = section == 0 ? 0 : ends_[section - 1];
  for (std::size_t i = begin; i < ends_[section]; ++i) {
    WritePart& turn = parts_[order[i]];
    turn.is_change = turn.sm->act(*turn.note, turn.from, turn.bytes);
  }
}

}  // namespace heddle::exec
