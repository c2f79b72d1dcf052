// Twins: threads that communicate in memory by atomics and locks.
#include "tools/hardware/kit/twin.h"

#include "traces/bfs_step.cu"
#include "traces/grid_barrier.cu"
#include "traces/histogram_global.cu"
#include "traces/histogram_shared.cu"
#include "traces/spin_lock.cu"
#include "traces/try_lock.cu"

namespace kit {

namespace {

Twin make_histogram(Values& value, void (*kernel)(const unsigned*, unsigned*, unsigned)) {
  const unsigned n = value("n", 262144), block = value("block", 256), blocks = value("blocks", 264);
  const unsigned hot = value("hot", 4);
  Twin twin;
  const auto data = twin.add(each<unsigned>(n, [=](std::size_t i) { return i % hot == 0 ? 0 : i * 167; }));
  const auto bins = twin.add(filled<unsigned>(256));
  twin.runs(kernel, {blocks, block}, data, bins, n);
  twin.expect(bins, [=](std::size_t i) {
    unsigned count = 0;
    for (std::size_t k = 0; k < n; ++k) count += (data[k] & 255) == i;
    return count;
  });
  return twin;
}

Twin make_lock(Values& value, void (*kernel)(unsigned*, volatile unsigned*)) {
  const unsigned blocks = value("blocks", 4), block = value("block", 64);
  Twin twin;
  twin.needs.progress = true;
  const auto lock = twin.add(filled<unsigned>(1));
  const auto count = twin.add(filled<unsigned>(1));
  twin.runs(kernel, {blocks, block}, lock, count);
  twin.expect(count, [=](std::size_t) { return blocks * block; });
  twin.expect(lock, [](std::size_t) { return 0; });
  return twin;
}

}  // namespace

Twin make_histogram_global(Values& value) { return make_histogram(value, histogram_global); }
Twin make_histogram_shared(Values& value) { return make_histogram(value, histogram_shared); }
Twin make_spin_lock(Values& value) { return make_lock(value, spin_lock); }
Twin make_try_lock(Values& value) { return make_lock(value, try_lock); }

Twin make_bfs_step(Values& value) {
  const unsigned n = value("n", 65536), block = value("block", 64), size = (n + 4) / 5, edges = n / 8 * 28;
  Twin twin;
  const auto first = twin.add(each<unsigned>(n + 1, [](std::size_t i) {
    return i / 8 * 28 + i % 8 * (i % 8 - 1) / 2;  // vertex v has v % 8 neighbours
  }));
  const auto edge = twin.add(each<unsigned>(edges, [=](std::size_t i) { return (i * 2654435761 + 7) % n; }));
  const auto level = twin.add(each<unsigned>(n, [](std::size_t i) { return i % 5 == 0 ? 0 : 0xffffffff; }));
  const auto frontier = twin.add(each<unsigned>(size, [](std::size_t i) { return 5 * i; }));
  const auto next = twin.add(filled<unsigned>(n, 0xffffffff));
  const auto next_size = twin.add(filled<unsigned>(1));
  twin.runs(bfs_step, {divide_up(size, block), block}, first, edge, level, frontier, next, next_size, size,
            1);

  auto after = std::make_shared<std::vector<unsigned>>(n);
  unsigned seen = 0;
  for (unsigned v = 0; v < n; ++v) (*after)[v] = level[v];
  for (unsigned k = 0; k < edges; ++k) {
    unsigned from = k / 28 * 8;
    while (first[from + 1] <= k) ++from;
    unsigned& mark = (*after)[edge[k]];
    if (from % 5 != 0 || mark != 0xffffffff) continue;
    mark = 1;
    ++seen;
  }
  twin.expect(level, [=](std::size_t i) { return (*after)[i]; });
  twin.expect(next_size, [=](std::size_t) { return seen; });
  return twin;
}

Twin make_grid_barrier(Values& value) {
  const unsigned blocks = value("blocks", 8), block = value("block", 64), n = blocks * block;
  Twin twin;
  twin.needs.progress = true;
  const auto source = twin.add(each<unsigned>(n, [](std::size_t i) { return i * i; }));
  const auto middle = twin.add(filled<unsigned>(n));
  const auto target = twin.add(filled<unsigned>(n));
  const auto arrived = twin.add(filled<unsigned>(1));
  twin.runs(grid_barrier, {blocks, block, 0, true}, source, middle, target, arrived);
  twin.expect(target, [=](std::size_t i) { return static_cast<unsigned>(3 * (n - 1 - i) * (n - 1 - i)); });
  return twin;
}

}  // namespace kit
