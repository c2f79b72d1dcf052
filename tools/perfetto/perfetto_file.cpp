#include "tools/perfetto/perfetto_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tools/perfetto/track_file.h"

namespace heddle::perfetto {

namespace {

using history::Moment;
using history::RunHistory;
using history::Slice;
using history::SmMoment;
using history::Stay;

/// Of the counters of each SM, of which there are many.
constexpr std::size_t kMostSmBuckets = 256;

class Writer {
 public:
  Writer(const RunHistory& history, const Labels& labels) : history_(history), labels_(labels) {}

  std::string bytes() {
    root_ = file_.add_process(fmt::format("{} (1 ns is 1 cycle)", labels_.title));
    add_gpu();
    add_sms();
    add_watched();
    return file_.bytes();
  }

 private:
  /// A counter with the value of each bucket, from its begin on.
  template <typename Bucket, typename Value>
  void add_counter(TrackId parent, std::string_view name, std::string_view unit,
                   const std::vector<Bucket>& buckets, Cycle width, const Value& value);
  /// The rate in a cycle.
  template <typename Sum>
  void add_rate(std::string_view name, std::string_view unit, double factor, const Sum& sum);
  void add_gpu();
  void add_sms();
  void add_watched();
  void add_left_out(TrackId track);
  void add_schedulers(TrackId parent);
  void add_slots(TrackId parent);
  void add_stay(TrackId track, const Stay& stay, std::vector<Slice>::const_iterator& slice);
  void add_slice(TrackId track, const Slice& slice, Cycle until);
  const std::string& instruction(Pc pc);

  const RunHistory& history_;
  const Labels& labels_;
  TrackFile file_;
  TrackId root_{};
  std::vector<std::optional<std::string>> instructions_;  // by pc
};

// -- counters --------------------------------------------------------------------------------------

template <typename Bucket, typename Value>
void Writer::add_counter(TrackId parent, std::string_view name, std::string_view unit,
                         const std::vector<Bucket>& buckets, Cycle width, const Value& value) {
  const TrackId counter = file_.add_counter(parent, name, unit);
  std::optional<double> last;
  for (std::size_t i = 0; i < buckets.size() && i * width < history_.cycles; ++i) {
    const Cycle cycles = std::min(width, history_.cycles - i * width);
    const double now = value(buckets[i], static_cast<double>(cycles));
    if (last != now) file_.count(counter, i * width, now);
    last = now;
  }
  file_.count(counter, history_.cycles, 0);
}

template <typename Sum>
void Writer::add_rate(std::string_view name, std::string_view unit, double factor, const Sum& sum) {
  add_counter(root_, name, unit, history_.gpu, history_.bucket, [&](const Moment& moment, double cycles) {
    return static_cast<double>(sum(moment)) * factor / cycles;
  });
}

void Writer::add_gpu() {
  const auto sms = static_cast<double>(history_.sms.size());
  const double slots = sms * labels_.schedulers;
  add_rate("occupancy: resident warps", "%", 100 / (sms * labels_.max_warps),
           [](const Moment& moment) { return moment.resident_cycles; });
  add_rate("SMs with a block", "SMs", 1, [](const Moment& moment) { return moment.sm_cycles; });
  add_rate("issue slots used", "%", 100 / slots, [](const Moment& moment) { return moment.issued; });
  add_counter(root_, "active lanes of a warp instruction", "lanes", history_.gpu, history_.bucket,
              [](const Moment& moment, double) {
                return moment.issued == 0
                           ? 0.0
                           : static_cast<double>(moment.active_lanes) / static_cast<double>(moment.issued);
              });
  const double gbps = labels_.sector_bytes * labels_.clock_mhz / 1000;
  add_rate("L2: loads", "GB/s", gbps, [](const Moment& moment) { return moment.l2_load_sectors; });
  add_rate("L2: stores", "GB/s", gbps, [](const Moment& moment) { return moment.l2_store_sectors; });
  add_rate("L2: atomics", "GB/s", gbps, [](const Moment& moment) { return moment.l2_atomic_sectors; });
  add_rate("DRAM: requests that L2 did not hold", "GB/s", gbps,
           [](const Moment& moment) { return moment.dram_sectors; });
}

/// Sums of so many neighbours each.
std::vector<SmMoment> coarser(const std::vector<SmMoment>& buckets, std::size_t factor) {
  std::vector<SmMoment> sums(divide_up(buckets.size(), factor));
  for (std::size_t i = 0; i < buckets.size(); ++i) sums[i / factor] += buckets[i];
  return sums;
}

void Writer::add_sms() {
  const TrackId parent = file_.add_track(root_, "SMs");
  const std::size_t factor = std::max<std::size_t>(divide_up(history_.gpu.size(), kMostSmBuckets), 1);
  const Cycle width = history_.bucket * factor;
  for (std::size_t sm = 0; sm < history_.sms.size(); ++sm) {
    const std::vector<SmMoment> buckets = coarser(history_.sms[sm], factor);
    add_counter(parent, fmt::format("SM {}: resident warps", sm), "warps", buckets, width,
                [](const SmMoment& moment, double cycles) {
                  return static_cast<double>(moment.resident_cycles) / cycles;
                });
    add_counter(
        parent, fmt::format("SM {}: warp instructions", sm), "a cycle", buckets, width,
        [](const SmMoment& moment, double cycles) { return static_cast<double>(moment.issued) / cycles; });
  }
}

// -- the watched SM --------------------------------------------------------------------------------

void Writer::add_watched() {
  const TrackId sm = file_.add_track(root_, fmt::format("SM {}", history_.watched));
  add_left_out(sm);
  add_schedulers(sm);
  add_slots(sm);
}

void Writer::add_left_out(TrackId track) {
  if (history_.stays_left_out != 0)
    file_.mark(track, 0, fmt::format("{} warps are left out", history_.stays_left_out));
  if (history_.every == 1) return;
  const std::string told =
      fmt::format("told: {} cycles of each {}", history::kStretch, history::kStretch * history_.every);
  for (Cycle from = 0; from < history_.cycles; from += history::kStretch * history_.every) {
    file_.begin(track, from, told);
    file_.end(track, std::min(from + history::kStretch, history_.cycles));
  }
}

const std::string& Writer::instruction(Pc pc) {
  if (pc >= instructions_.size()) instructions_.resize(pc + std::size_t{1});
  if (!instructions_[pc]) instructions_[pc] = labels_.instruction(pc);
  return *instructions_[pc];
}

void Writer::add_schedulers(TrackId parent) {
  std::vector<std::vector<const Slice*>> issues(labels_.schedulers);
  for (const Slice& slice : history_.slices) {
    if (slice.kind == Slice::Kind::Issued) issues[slice.slot % labels_.schedulers].push_back(&slice);
  }
  for (unsigned scheduler = 0; scheduler < labels_.schedulers; ++scheduler) {
    std::sort(issues[scheduler].begin(), issues[scheduler].end(),
              [](const Slice* one, const Slice* other) { return one->from < other->from; });
    const TrackId track = file_.add_track(parent, fmt::format("scheduler {}", scheduler));
    for (const Slice* slice : issues[scheduler])
      file_.cycle(track, slice->from, instruction(slice->pc), "active lanes", slice->lanes);
  }
}

void Writer::add_slots(TrackId parent) {
  auto slice = history_.slices.begin();
  for (auto stay = history_.stays.begin(); stay != history_.stays.end();) {
    const WarpSlot slot = stay->slot;
    const TrackId track =
        file_.add_track(parent, fmt::format("slot {} (scheduler {})", slot, slot % labels_.schedulers));
    while (slice != history_.slices.end() && slice->slot < slot) ++slice;
    for (; stay != history_.stays.end() && stay->slot == slot; ++stay) add_stay(track, *stay, slice);
  }
}

void Writer::add_stay(TrackId track, const Stay& stay, std::vector<Slice>::const_iterator& slice) {
  file_.begin(track, stay.from, fmt::format("block {} warp {}", stay.block, stay.warp_in_block));
  const auto is_of_slot = [&] { return slice != history_.slices.end() && slice->slot == stay.slot; };
  while (is_of_slot() && slice->from < stay.from) ++slice;  // of a stay that is left out
  for (; is_of_slot() && slice->from < stay.until; ++slice)
    add_slice(track, *slice, std::min(slice->until, stay.until));
  file_.end(track, stay.until);
}

void Writer::add_slice(TrackId track, const Slice& slice, Cycle until) {
  const bool is_issue = slice.kind == Slice::Kind::Issued;
  file_.begin(track, slice.from, is_issue ? instruction(slice.pc) : ir::info(slice.stall).key);
  file_.end(track, until);
}

}  // namespace

std::string perfetto_file(const RunHistory& history, const Labels& labels) {
  return Writer(history, labels).bytes();
}

}  // namespace heddle::perfetto
