#include "isa/exec/access_checks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::exec {

namespace {

constexpr std::byte kWritten{1};

/// What a lane did, of which `kind` is wrong at the address.
stream::MemoryFinding finding_of(stream::FindingKind kind, const WatchedAccess& access, unsigned lane,
                                 Addr address) {
  stream::MemoryFinding found;
  found.kind = kind;
  found.at = {access.pc, access.thread(lane)};
  found.block = access.block;
  found.address = address;
  return found;
}

}  // namespace

void AccessChecks::add_unwritten(const Buffer& buffer) {
  if (!choice_.initial || buffer.size() == 0) return;
  written_[buffer.address()] = std::make_unique<Buffer>(buffer.name(), buffer.address(), buffer.size());
}

std::byte* AccessChecks::written_at(Addr address) {
  auto next = written_.upper_bound(address);
  if (next == written_.begin()) return nullptr;
  const Buffer& before = *std::prev(next)->second;
  return before.holds(address, 1) ? before.bytes().data() + (address - before.address()) : nullptr;
}

void AccessChecks::note_written(Addr address, std::uint64_t bytes) {
  std::byte* first = bytes == 0 ? nullptr : written_at(address);
  if (first != nullptr) std::memset(first, static_cast<int>(kWritten), bytes);
}

void AccessChecks::begin_launch(const stream::LaunchShape& shape, const ir::Kernel& kernel) {
  shape_ = shape;
  if (choice_.races) global_races_.begin_launch(kernel);
}

void AccessChecks::begin_block(std::uint32_t warps) {
  if (choice_.races) races_.begin_block(warps);
}

void AccessChecks::access_global(const WatchedAccess& access, const Buffer& buffer) {
  check_written(access, buffer);
  if (choice_.races) check_races(access, buffer);
}

void AccessChecks::check_races(const WatchedAccess& access, const Buffer& buffer) {
  unsigned told = ~0U;  // as in shared memory
  global_races_.access(
      access, buffer,
      [&](stream::FindingKind kind, unsigned lane, const GlobalRaces::Other& other, Addr address) {
        if (lane == told) return;
        told = lane;
        stream::MemoryFinding found = finding_of(kind, access, lane, address);
        found.other = other.who;
        found.other_block = other.block;
        found.buffer = buffer.name();
        add(std::move(found));
      });
}

void AccessChecks::check_written(const WatchedAccess& access, const Buffer& buffer) {
  if (written_.empty() || !written_.contains(buffer.address())) return;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Addr address = access.addresses[lane];
    std::byte* first = written_at(address);
    if (first == nullptr) return;
    const bool reads = access.action != ir::Action::Store;
    if (reads && std::find(first, first + access.bytes, std::byte{0}) != first + access.bytes) {
      stream::MemoryFinding found = finding_of(stream::FindingKind::Uninitialised, access, lane, address);
      found.buffer = buffer.name();
      add(std::move(found));
    }
    if (access.action != ir::Action::Load) std::memset(first, static_cast<int>(kWritten), access.bytes);
  });
}

void AccessChecks::access_shared(const WatchedAccess& access, std::span<const std::byte> memory) {
  if (!choice_.races) return;
  unsigned told = ~0U;  // a lane counts once, however many of its bytes race
  races_.access(access, memory,
                [&](stream::FindingKind kind, unsigned lane, stream::FindingThread other, Addr address) {
                  if (lane == told) return;
                  told = lane;
                  stream::MemoryFinding found = finding_of(kind, access, lane, address);
                  found.other = other;
                  add(std::move(found));
                });
}

void AccessChecks::arrive(std::uint32_t warp, unsigned barrier) {
  if (choice_.races) races_.arrive(warp, barrier);
}

void AccessChecks::open(unsigned barrier, std::span<const WarpSlot> waiting) {
  if (choice_.races) races_.open(barrier, waiting);
}

void AccessChecks::release(std::uint32_t warp, Addr mbarrier) {
  if (choice_.races) races_.release(warp, mbarrier);
}

void AccessChecks::acquire(std::uint32_t warp, Addr mbarrier) {
  if (choice_.races) races_.acquire(warp, mbarrier);
}

void AccessChecks::add(stream::MemoryFinding finding) {
  finding.kernel = shape_.kernel;
  finding.grid = shape_.grid;
  finding.block_extents = shape_.block;
  const Key key{finding.kernel, finding.kind, finding.other_block.has_value(), finding.at.pc,
                finding.other ? finding.other->pc : finding.at.pc};
  const auto [found, is_new] = known_.try_emplace(key, findings_.size());
  if (is_new) {
    findings_.push_back(std::move(finding));
  } else {
    ++findings_[found->second].count;
  }
}

}  // namespace heddle::exec
