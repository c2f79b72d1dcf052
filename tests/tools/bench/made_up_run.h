// A run of `heddle bench` with round figures.
#pragma once

#include "tools/bench/row.h"

namespace heddle::bench {

/// Three times, the median in the middle, the others `spread` of it away.
inline Timing around(double seconds, double spread = 0) {
  return Timing({seconds * (1 + spread), seconds, seconds * (1 - spread)});
}

/// Two rows on two threads: one with all there is, one that cannot run without time.
inline Run made_up_run() {
  Row full;
  full.name = "full";
  full.functional = Speed{40'000'000, around(0.5)};
  full.timed = Speed{40'000'000, around(2, 0.01)};
  full.threaded = Speed{40'000'000, around(1.25)};
  full.cycles = 5'000'000;
  full.resident_warps = 1000;
  full.gpu_bytes = 10'000'000;
  full.heap_bytes = 12'500'000;
  Row waiting;
  waiting.name = "waiting";
  waiting.timed = Speed{300, around(0.1)};
  waiting.threaded = Speed{300, around(0.2)};
  waiting.cycles = 1000;
  waiting.resident_warps = 1;
  waiting.gpu_bytes = 7;
  waiting.heap_bytes = 1007;
  return {"1.2.3", {"A Processor", 2, "g++ 1.0"}, "h100", 2, 3, {full, waiting}};
}

}  // namespace heddle::bench
