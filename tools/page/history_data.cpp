#include "tools/page/history_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace heddle::page {

namespace {

using history::Moment;
using history::RunHistory;
using history::Slice;
using history::SmMoment;
using history::Stay;
using Json = nlohmann::ordered_json;

/// Of each SM: a screen is not wider.
constexpr std::size_t kMostSmBuckets = 128;

constexpr unsigned kNothing = 0;
constexpr unsigned kIssued = 1;
constexpr unsigned kStalled = 2;

template <typename Bucket>
Json column(const std::vector<Bucket>& buckets, std::uint64_t Bucket::*sum) {
  Json values = Json::array();
  for (const Bucket& bucket : buckets) values.push_back(bucket.*sum);
  return values;
}

unsigned state_of(const Slice& slice) {
  return slice.kind == Slice::Kind::Issued ? kIssued : kStalled + static_cast<unsigned>(slice.stall);
}

}  // namespace

Json time_data(const RunHistory& history) {
  return {{"cycles", history.cycles},
          {"bucket", history.bucket},
          {"issued", column(history.gpu, &Moment::issued)},
          {"active_lanes", column(history.gpu, &Moment::active_lanes)},
          {"resident_cycles", column(history.gpu, &Moment::resident_cycles)},
          {"sm_cycles", column(history.gpu, &Moment::sm_cycles)},
          {"l2_load_sectors", column(history.gpu, &Moment::l2_load_sectors)},
          {"l2_store_sectors", column(history.gpu, &Moment::l2_store_sectors)},
          {"l2_atomic_sectors", column(history.gpu, &Moment::l2_atomic_sectors)},
          {"dram_sectors", column(history.gpu, &Moment::dram_sectors)}};
}

Json sm_data(const RunHistory& history) {
  const std::size_t factor = std::max<std::size_t>(divide_up(history.gpu.size(), kMostSmBuckets), 1);
  Json issued = Json::array();
  Json resident = Json::array();
  for (const std::vector<SmMoment>& sm : history.sms) {
    std::vector<SmMoment> sums(divide_up(sm.size(), factor));
    for (std::size_t i = 0; i < sm.size(); ++i) sums[i / factor] += sm[i];
    issued.push_back(column(sums, &SmMoment::issued));
    resident.push_back(column(sums, &SmMoment::resident_cycles));
  }
  return {{"bucket", history.bucket * factor}, {"issued", issued}, {"resident_cycles", resident}};
}

Json watched_data(const RunHistory& history) {
  Json stays = Json::array();
  for (const Stay& stay : history.stays)
    stays.push_back({stay.slot, stay.block, stay.warp_in_block, stay.from, stay.until});
  Json slots = Json::array();
  Cycle at = 0;
  for (const Slice& slice : history.slices) {
    if (slots.empty() || slots.back()["slot"] != slice.slot) {
      slots.push_back({{"slot", slice.slot}, {"pieces", Json::array({slice.from})}});
      at = slice.from;
    }
    Json& pieces = slots.back()["pieces"];
    if (slice.from > at) pieces.insert(pieces.end(), {Json(slice.from - at), Json(kNothing), Json(0)});
    pieces.insert(pieces.end(), {Json(slice.until - slice.from), Json(state_of(slice)), Json(slice.pc)});
    at = slice.until;
  }
  return {{"sm", history.watched},
          {"every", history.every},
          {"stretch", history::kStretch},
          {"stays_left_out", history.stays_left_out},
          {"stays", stays},
          {"slots", slots}};
}

Json access_data(const RunHistory& history) {
  static constexpr std::string_view kSpaces[] = {"", "global", "shared", "local"};
  Json accesses = Json::array();
  for (const history::LaneAccess& access : history.accesses) {
    Json lanes = Json::array();
    Json addresses = Json::array();
    for (const auto& [lane, address] : access.addresses) {
      lanes.push_back(lane);
      addresses.push_back(address);
    }
    accesses.push_back({{"pc", access.pc},
                        {"space", kSpaces[static_cast<std::size_t>(access.space)]},
                        {"bytes", access.bytes},
                        {"block", access.block},
                        {"warp", access.warp_in_block},
                        {"lanes", lanes},
                        {"addresses", addresses}});
  }
  return accesses;
}

}  // namespace heddle::page
