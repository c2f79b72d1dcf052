#include "tools/history/run_history.h"

namespace heddle::history {

Moment& Moment::operator+=(const Moment& other) {
  issued += other.issued;
  active_lanes += other.active_lanes;
  resident_cycles += other.resident_cycles;
  sm_cycles += other.sm_cycles;
  l2_load_sectors += other.l2_load_sectors;
  l2_store_sectors += other.l2_store_sectors;
  l2_atomic_sectors += other.l2_atomic_sectors;
  dram_sectors += other.dram_sectors;
  return *this;
}

SmMoment& SmMoment::operator+=(const SmMoment& other) {
  issued += other.issued;
  resident_cycles += other.resident_cycles;
  return *this;
}

}  // namespace heddle::history
