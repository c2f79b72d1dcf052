#include "tools/hardware/examples/list.h"

namespace kit {

#define TWIN(launch) Twin make_##launch(Values& value);
#include "tools/hardware/examples/twins.def"
#undef TWIN

const std::vector<TwinEntry>& twins() {
  static const std::vector<TwinEntry> all = {
#define TWIN(launch) {#launch, make_##launch},
#include "tools/hardware/examples/twins.def"
#undef TWIN
  };
  return all;
}

const std::vector<PointEntry>& extra_points() {
  static const std::vector<PointEntry> all = {
#define POINT(launch, ...) {#launch, {__VA_ARGS__}},
#include "tools/hardware/examples/points.def"
#undef POINT
  };
  return all;
}

}  // namespace kit
