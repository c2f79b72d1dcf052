// Checks of how launches use memory, which find what a GPU would not tell of: reads of global memory that
// nobody has written, and races in shared memory and between blocks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "isa/exec/access_watch.h"
#include "isa/exec/global_races.h"
#include "isa/exec/shared_races.h"
#include "isa/stream/memory_finding.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

/// Which of them are wanted.
struct CheckChoice {
  bool initial = false;  ///< Reads of what was never written.
  bool races = false;
};

/// Hears of all launches of a device, one after another.
class AccessChecks final : public AccessWatch {
 public:
  explicit AccessChecks(const CheckChoice& choice) : choice_(choice) {}

  /// Of this buffer nothing is written yet; of buffers that are not named so, all is.
  void add_unwritten(const Buffer& buffer);
  void forget(Addr buffer) { written_.erase(buffer); }
  /// Somebody other than a kernel writes there.
  void note_written(Addr address, std::uint64_t bytes);

  void begin_launch(const stream::LaunchShape& shape, const ir::Kernel& kernel);
  void begin_block(std::uint32_t warps) override;
  void access_global(const WatchedAccess& access, const Buffer& buffer) override;
  void access_shared(const WatchedAccess& access, std::span<const std::byte> memory) override;
  void arrive(std::uint32_t warp, unsigned barrier) override;
  void open(unsigned barrier, std::span<const WarpSlot> waiting) override;
  void release(std::uint32_t warp, Addr mbarrier) override;
  void acquire(std::uint32_t warp, Addr mbarrier) override;

  /// In the order in which they were found.
  [[nodiscard]] const std::vector<stream::MemoryFinding>& findings() const { return findings_; }

 private:
  using Key = std::tuple<std::string, stream::FindingKind, bool, Pc, Pc>;

  /// `finding` lacks what the launch says.
  void add(stream::MemoryFinding finding);
  void check_written(const WatchedAccess& access, const Buffer& buffer);
  void check_races(const WatchedAccess& access, const Buffer& buffer);
  /// By byte, whether it has been written; null: all is.
  [[nodiscard]] std::byte* written_at(Addr address);

  CheckChoice choice_;
  stream::LaunchShape shape_;
  SharedRaces races_;
  GlobalRaces global_races_;
  std::map<Addr, std::unique_ptr<Buffer>> written_;  // a byte for each byte of the buffer that begins there
  std::vector<stream::MemoryFinding> findings_;
  std::map<Key, std::size_t> known_;
};

}  // namespace heddle::exec
