#include "tools/report/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace heddle::report {

std::string percent(double share) {
  constexpr double kLeastShown = 0.0005;
  return share > 0 && share < kLeastShown ? "<0.1 %" : fmt::format("{:.1f} %", 100 * share);
}

std::string percent(const Ratio& share) { return share ? percent(*share) : "-"; }

std::string whole_percent(double share) {
  const bool reads_as_all = share < 1 && share >= 0.995;
  return reads_as_all ? percent(std::min(share, 0.999)) : fmt::format("{:.0f} %", 100 * share);
}

std::string decimal(const Ratio& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string byte_text(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  constexpr double kStep = 1024;
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= kStep && unit + 1 < kUnits.size(); ++unit) amount /= kStep;
  constexpr double kFourDigits = 1000;
  return amount >= kFourDigits ? fmt::format("{:.0f} {}", amount, kUnits[unit])
                               : fmt::format("{:.3g} {}", amount, kUnits[unit]);
}

std::string time_text(double microseconds) {
  constexpr double kThousand = 1000;
  if (microseconds < kThousand) return fmt::format("{:.2f} us", microseconds);
  const double milliseconds = microseconds / kThousand;
  if (milliseconds < kThousand) return fmt::format("{:.2f} ms", milliseconds);
  return fmt::format("{:.2f} s", milliseconds / kThousand);
}

std::string extents_text(const Dim3& extents) {
  if (extents.z != 1) return fmt::format("{} x {} x {}", extents.x, extents.y, extents.z);
  if (extents.y != 1) return fmt::format("{} x {}", extents.x, extents.y);
  return fmt::format("{}", extents.x);
}

std::string counted(std::uint64_t number, std::string_view thing) {
  const std::string_view ending = thing.ends_with("ch") ? "es" : "s";
  return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : ending);
}

std::vector<std::string> limiter_keys(const sim::Occupancy& occupancy) {
  std::vector<std::string> keys;
  for (const sim::Resource resource : occupancy.limiters()) keys.emplace_back(info(resource).key);
  return keys;
}

std::string resource_text(sim::Resource resource) {
  if (resource == sim::Resource::Blocks) return "block slots";
  if (resource == sim::Resource::Shared) return "shared memory";
  return std::string(info(resource).summary);
}

std::string limiters_text(const sim::Occupancy& occupancy) {
  return fmt::format("{}", fmt::join(limiter_keys(occupancy), ", "));
}

std::string key_text(std::string_view key) {
  std::string text(key);
  std::replace(text.begin(), text.end(), '_', ' ');
  if (text.ends_with(" sm")) text.replace(text.size() - 2, 2, 1, 'S').push_back('M');
  return text;
}

}  // namespace heddle::report
