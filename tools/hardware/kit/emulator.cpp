#include "tools/hardware/kit/emulator.h"

#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace kit {

namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::size_t kLaneBytes = 1024;  // of the largest value that lanes exchange
constexpr long kMostRounds = 200'000;

/// All who are expected wait here for the last.
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

struct Fiber {
  ucontext_t context;
  std::unique_ptr<unsigned char[]> stack{new unsigned char[kStackBytes]};
  Place place;
  Block* block = nullptr;
  Warp* warp = nullptr;
  bool done = false;
};

/// The one thing that CUDA's built-in names need to find: who runs.
struct Machine {
  ucontext_t scheduler;
  Fiber* running = nullptr;
  const std::function<void()>* body = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<unsigned char> shared;
};

Machine& machine() {
  static Machine only;
  return only;
}

void wait_at(Barrier& barrier) {
  const unsigned generation = barrier.generation;
  ++barrier.arrived;
  barrier.release_if_full();
  while (barrier.generation == generation) yield();
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
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, run_fiber, 0);
}

/// Each thread in turn goes on until it waits, round by round, until all are done.
void run(std::size_t count) {
  Machine& m = machine();
  std::size_t left = count;
  for (long round = 0; left != 0; ++round) {
    if (round == kMostRounds) {
      std::fprintf(stderr, "emulator: %zu threads wait for ever\n", left);
      std::abort();
    }
    for (std::size_t i = 0; i < count; ++i) {
      Fiber& fiber = *m.fibers[i];
      if (fiber.done) continue;
      m.running = &fiber;
      swapcontext(&m.scheduler, &fiber.context);
      if (fiber.done) --left;
    }
  }
}

dim3 unpack(unsigned index, dim3 size) {
  return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

unsigned volume(dim3 size) { return size.x * size.y * size.z; }

/// The blocks first .. first + count of the grid, side by side.
void run_blocks(const Shape& shape, unsigned first, unsigned count) {
  Machine& m = machine();
  const unsigned threads = volume(shape.block);
  std::vector<Block> blocks(count);
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
    }
  }
  run(std::size_t{count} * threads);
}

}  // namespace

const Place& place() { return machine().running->place; }

void* emulated_shared() { return machine().shared.data(); }

void yield() { swapcontext(&machine().running->context, &machine().scheduler); }

void block_barrier() { wait_at(machine().running->block->barrier); }

void warp_barrier() { wait_at(machine().running->warp->barrier); }

const void* warp_exchange(const void* value, std::size_t bytes) {
  Warp& warp = *machine().running->warp;
  if (bytes > kLaneBytes) std::abort();
  wait_at(warp.barrier);  // all have read what the last exchange left
  std::memcpy(&warp.lanes[lane() * bytes], value, bytes);
  wait_at(warp.barrier);
  return warp.lanes.data();
}

void emulate(const Shape& shape, const std::function<void()>& body) {
  Machine& m = machine();
  m.body = &body;
  m.shared.assign(shape.shared_bytes, 0xcd);
  const unsigned blocks = volume(shape.grid);
  const unsigned together = shape.blocks_together ? blocks : 1;
  for (unsigned first = 0; first < blocks; first += together) run_blocks(shape, first, together);
}

}  // namespace kit
