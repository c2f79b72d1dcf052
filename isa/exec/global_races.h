// Finds races in global memory between blocks of one launch: accesses of two blocks to one byte, one of them
// a write that changes something, with nothing that could order them.
//
// Blocks are ordered by fences for the whole GPU together with atomics or flags. So kernels that have such a
// fence are not looked at: which blocks it orders is the program's own protocol. In all others each such pair
// is a race. Atomics among each other are none, nor are volatile and other strong accesses.
//
// Blocks are executed one after another. So it is enough to know of each word the first block that has read
// it and the last one that has changed it: whoever comes later meets them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/exec/access_watch.h"
#include "isa/ir/kernel.h"
#include "isa/stream/memory_finding.h"

namespace heddle::exec {

/// The races of one launch after another.
class GlobalRaces {
 public:
  /// Who was there before.
  struct Other {
    stream::FindingThread who;
    BlockId block = 0;
  };
  /// Called once for each lane that races.
  using Report =
      std::function<void(stream::FindingKind kind, unsigned lane, const Other& other, Addr address)>;

  void begin_launch(const ir::Kernel& kernel);
  void access(const WatchedAccess& access, const Buffer& buffer, const Report& report);

 private:
  /// A block at a word. `bytes`: a bit for each of its four that it has been at, lastly by this thread.
  struct Visit {
    std::uint64_t block = 0;
    stream::FindingThread who;
    std::uint8_t bytes = 0;  // 0: nobody
    bool is_strong = false;
  };
  struct Word {
    Visit writer;
    Visit reader;
  };
  static constexpr std::size_t kPageWords = 1024;
  struct Page {
    std::uint64_t launch = 0;  // what is older is of no launch
    std::array<Word, kPageWords> words;
  };

  Word& word_at(Addr address);
  static void note(Visit& kept, const Visit& now);
  /// One lane, at the bytes of one word.
  void access_word(const WatchedAccess& access, unsigned lane, Addr address, unsigned offset, unsigned count,
                   const Buffer& buffer, const Report& report);

  bool is_on_ = false;
  std::uint64_t launches_ = 0;
  std::vector<bool> is_strong_;  // by pc
  std::unordered_map<Addr, std::unique_ptr<Page>> pages_;
  Addr last_address_ = 0;  // of a page
  Page* last_ = nullptr;
};

}  // namespace heddle::exec
