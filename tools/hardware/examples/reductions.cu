// Twins: three versions of a block's sum, and a sum in a single launch.
#include "tools/hardware/kit/twin.h"

#include "traces/reduce_last_block.cu"
#include "traces/reduce_v1.cu"
#include "traces/reduce_v2.cu"
#include "traces/reduce_v3.cu"

namespace kit {

namespace {

Twin make_reduce(Values& value, void (*kernel)(float*, float*, int)) {
  const unsigned n = value("n", 1081344), block = value("block", 256), blocks = divide_up(n, block);
  Twin twin;
  const auto input = twin.add(each<float>(n, [](std::size_t i) { return (i * 2654435761 >> 16) & 15; }));
  const auto output = twin.add(filled<float>(blocks, -1));
  twin.runs(kernel, {blocks, block}, input, output, n);
  twin.expect(output, [=](std::size_t i) {
    double sum = 0;
    for (std::size_t k = i * block; k < (i + 1) * block && k < n; ++k) sum += input[k];
    return sum;
  });
  return twin;
}

}  // namespace

Twin make_reduce_v1(Values& value) { return make_reduce(value, reduce_v1); }
Twin make_reduce_v2(Values& value) { return make_reduce(value, reduce_v2); }
Twin make_reduce_v3(Values& value) { return make_reduce(value, reduce_v3); }

Twin make_reduce_last_block(Values& value) {
  const unsigned n = value("n", 1081344), block = value("block", 256), blocks = divide_up(n, block);
  Twin twin;
  const auto source = twin.add(each<unsigned>(n, [](std::size_t i) { return i; }));
  const auto part = twin.add(filled<unsigned>(blocks));
  const auto ticket = twin.add(filled<unsigned>(1));
  const auto target = twin.add(filled<unsigned>(1));
  twin.runs(reduce_last_block, {blocks, block}, source, part, ticket, target, n);
  twin.expect(target, [=](std::size_t) { return static_cast<unsigned>(std::uint64_t{n} * (n - 1) / 2); });
  twin.expect(ticket, [](std::size_t) { return 0; });  // it wraps around to 0
  return twin;
}

}  // namespace kit
