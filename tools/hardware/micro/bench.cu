#include <cstdio>

#include "tools/hardware/micro/bench.h"

namespace kit {

#define FAMILY(name) void measure_##name(Bench& bench);
#include "tools/hardware/micro/families.def"
#undef FAMILY

void Bench::add(const std::string& name, double value, const std::string& unit, Named at) {
  std::string place;
  for (const auto& [key, number] : at)
    place += " " + key + "=" + std::to_string(static_cast<long long>(number));
  std::printf("%-60s %10.3f %s\n", (name + place).c_str(), value, unit.c_str());
  report_.figures.push_back({name, at, value, unit});
}

void Bench::add_checked(bool right, const std::string& name, double value, const std::string& unit,
                        Named at) {
  if (right) return add(name, value, unit, at);
  ++wrong_;
  std::fprintf(stderr, "%s: WRONG result\n", name.c_str());
  leave_out(name, "wrong result");
}

void Bench::leave_out(const std::string& name, const std::string& reason) {
  report_.left_out.push_back(name + ": " + reason);
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
#define FAMILY(name) {#name, measure_##name},
#include "tools/hardware/micro/families.def"
#undef FAMILY
  };
  return all;
}

}  // namespace kit
