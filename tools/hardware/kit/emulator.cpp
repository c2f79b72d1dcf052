#include "tools/hardware/kit/emulator.h"

#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace kit {

namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::size_t kLaneBytes = 1024;  // size of the largest value that lanes exchange
constexpr long kMostRounds = 200'000;

/// The threads that have arrived at a barrier, and how many it waits for.
struct Barrier {
  unsigned expected = 0;
  unsigned arrived = 0;
  unsigned generation = 0;

  void release_if_full() {
    if (arrived < expected || expected == 0) return;
    arrived = 0;
    ++generation;
  }
};

struct Warp {
  Barrier barrier;
  std::vector<unsigned char> lanes = std::vector<unsigned char>(32 * kLaneBytes);
};

struct Block {
  Barrier barrier;
  std::vector<Warp> warps;
};

/// What a stopped thread waits for.
enum class Waits { ForNobody, ForItsWarp, ForItsBlock };

struct Fiber {
  ucontext_t context;
  std::unique_ptr<unsigned char[]> stack{new unsigned char[kStackBytes]};
  Place place;
  Block* block = nullptr;
  Warp* warp = nullptr;
  Waits waits = Waits::ForNobody;
  bool done = false;
};

/// The state that CUDA's built-in variables need: the running fiber.
struct Machine {
  ucontext_t scheduler;
  Fiber* running = nullptr;
  const std::function<void()>* body = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers;
  WarpOrder order = WarpOrder::Forwards;
};

Machine& machine() {
  static Machine only;
  return only;
}

void wait_at(Barrier& barrier, Waits whom) {
  const unsigned generation = barrier.generation;
  ++barrier.arrived;
  barrier.release_if_full();
  Fiber& fiber = *machine().running;
  fiber.waits = whom;
  while (barrier.generation == generation) yield();
  fiber.waits = Waits::ForNobody;
}

void leave(Barrier& barrier) {
  --barrier.expected;
  barrier.release_if_full();
}

void run_fiber() {
  (*machine().body)();
  Fiber& fiber = *machine().running;
  fiber.done = true;
  leave(fiber.block->barrier);
  leave(fiber.warp->barrier);
  swapcontext(&fiber.context, &machine().scheduler);
}

void start(Fiber& fiber) {
  fiber.done = false;
  fiber.waits = Waits::ForNobody;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run_fiber, 0);
}

/// Runs a thread until it stops.
void resume(Fiber& fiber) {
  if (fiber.done) return;
  machine().running = &fiber;
  swapcontext(&machine().scheduler, &fiber.context);
}

/// Runs a warp as long as its lanes wait only for each other, so it gets as far ahead of other warps as
/// possible.
void resume_warp(const std::vector<Fiber*>& lanes) {
  bool again = true;
  while (again) {
    again = false;
    for (Fiber* fiber : lanes) {
      resume(*fiber);
      again = again || (!fiber->done && fiber->waits == Waits::ForItsWarp);
    }
  }
}

/// Runs warps round robin until all are done.
void run(const std::vector<std::vector<Fiber*>>& warps) {
  for (long round = 0; round < kMostRounds; ++round) {
    bool done = true;
    for (const std::vector<Fiber*>& lanes : warps) {
      resume_warp(lanes);
      for (const Fiber* fiber : lanes) done = done && fiber->done;
    }
    if (done) return;
  }
  std::fprintf(stderr, "emulator: threads wait for ever\n");
  std::abort();
}

dim3 unpack(unsigned index, dim3 size) {
  return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

unsigned volume(dim3 size) { return size.x * size.y * size.z; }

/// Runs the blocks first to first + count - 1 of the grid concurrently.
void run_blocks(const Shape& shape, unsigned first, unsigned count) {
  Machine& m = machine();
  const unsigned threads = volume(shape.block);
  std::vector<Block> blocks(count);
  std::vector<std::vector<Fiber*>> warps;
  while (m.fibers.size() < std::size_t{count} * threads) m.fibers.push_back(std::make_unique<Fiber>());
  for (unsigned b = 0; b < count; ++b) {
    Block& block = blocks[b];
    block.barrier.expected = threads;
    block.warps.resize((threads + 31) / 32);
    for (unsigned t = 0; t < threads; ++t) {
      Fiber& fiber = *m.fibers[b * threads + t];
      fiber.place = {unpack(t, shape.block), unpack(first + b, shape.grid), shape.block, shape.grid};
      fiber.block = &block;
      fiber.warp = &block.warps[t / 32];
      ++fiber.warp->barrier.expected;
      start(fiber);
      if (t % 32 == 0) warps.emplace_back();
      warps.back().push_back(&fiber);
    }
  }
  if (m.order == WarpOrder::Backwards) {
    std::reverse(warps.begin(), warps.end());
    for (std::vector<Fiber*>& lanes : warps) std::reverse(lanes.begin(), lanes.end());
  }
  run(warps);
}

}  // namespace

const Place& place() { return machine().running->place; }

void yield() { swapcontext(&machine().running->context, &machine().scheduler); }

void block_barrier() { wait_at(machine().running->block->barrier, Waits::ForItsBlock); }

void warp_barrier() { wait_at(machine().running->warp->barrier, Waits::ForItsWarp); }

const void* warp_exchange(const void* value, std::size_t bytes) {
  Warp& warp = *machine().running->warp;
  if (bytes > kLaneBytes) std::abort();
  warp_barrier();  // wait until all lanes have read the values of the last exchange
  std::memcpy(&warp.lanes[lane() * bytes], value, bytes);
  warp_barrier();
  return warp.lanes.data();
}

void set_order(WarpOrder order) { machine().order = order; }

WarpOrder order() { return machine().order; }

void emulate(const Shape& shape, const std::function<void()>& body) {
  Machine& m = machine();
  m.body = &body;
  const unsigned blocks = volume(shape.grid);
  const unsigned together = shape.blocks_together ? blocks : 1;
  for (unsigned first = 0; first < blocks; first += together) run_blocks(shape, first, together);
}

}  // namespace kit
