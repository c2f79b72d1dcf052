#include "sim/trace/read/line_columns.h"

#include <fmt/format.h>

namespace heddle::trace {

namespace {

unsigned lowest(std::uint32_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

constexpr const char* kAddress = "a hexadecimal address";

/// With fewer columns, vectors gain nothing.
constexpr unsigned kFewColumns = 4;

/// Hands out one number to each lane of the mask.
template <typename Number, typename Take>
void spread(std::uint32_t mask, const Number* numbers, Take take) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) take(lowest(rest), *numbers++);
}

/// Decodes the list with vectors, if it is as tracers write it.
bool take_list(const char*& at, TraceLine& line) {
  const auto count = static_cast<unsigned>(std::popcount(line.mask));
  if (count < kFewColumns) return false;
  std::array<Addr, kLanes> numbers;
  const bool is_full = count == kLanes;
  const char* const end = decode_addresses(at, count, is_full ? line.addresses.data() : numbers.data());
  if (end == nullptr) return false;
  at = end;
  skip_spaces(at);
  if (is_full) return true;
  spread(line.mask, numbers.data(), [&](unsigned lane, Addr address) { line.addresses[lane] = address; });
  return true;
}

void scan_list(const char*& at, TraceLine& line) {
  if (take_list(at, line)) return;
  for (std::uint32_t rest = line.mask; rest != 0; rest &= rest - 1) {
    line.addresses[lowest(rest)] = scan_hex(at, kAddress);
  }
}

/// Scans a base and a stride. Only runs of lanes without a gap are accepted: Accel-Sim's parser silently
/// gives lanes behind a gap the address 0, and no tracer writes such lines.
void scan_stride(const char*& at, TraceLine& line) {
  const char* const begin = at;
  Addr address = scan_hex(at, kAddress);
  const auto stride = static_cast<std::uint64_t>(scan_signed(at, "a stride"));
  if (line.mask == 0) return;
  const std::uint32_t run = line.mask >> lowest(line.mask);
  if ((run & (run + 1)) != 0) {
    throw Malformed{begin,
                    fmt::format("a stride stands for neighbouring lanes, but {:08x} has a gap", line.mask)};
  }
  for (std::uint32_t rest = line.mask; rest != 0; rest &= rest - 1, address += stride) {
    line.addresses[lowest(rest)] = address;
  }
}

/// Decodes the distances with vectors, if they are as tracers write them.
bool take_deltas(const char*& at, TraceLine& line, Addr address) {
  const auto count = static_cast<unsigned>(std::popcount(line.mask)) - 1;
  if (count < kFewColumns) return false;
  std::array<std::int64_t, kLanes> distances;
  const char* const end = decode_distances(at, count, distances.data());
  if (end == nullptr) return false;
  at = end;
  skip_spaces(at);
  spread(line.mask & (line.mask - 1), distances.data(), [&](unsigned lane, std::int64_t distance) {
    line.addresses[lane] = address += static_cast<Addr>(distance);
  });
  return true;
}

void scan_deltas(const char*& at, TraceLine& line) {
  Addr address = scan_hex(at, kAddress);
  if (line.mask == 0) return;
  line.addresses[lowest(line.mask)] = address;
  if (take_deltas(at, line, address)) return;
  for (std::uint32_t rest = line.mask & (line.mask - 1); rest != 0; rest &= rest - 1) {
    address += static_cast<std::uint64_t>(scan_signed(at, "the distance to the next lane's address"));
    line.addresses[lowest(rest)] = address;
  }
}

// -- tiles -------------------------------------------------------------------------------------------------

/// Number of columns up to the register values, or to the end of the line.
unsigned columns_ahead(const char* at) {
  unsigned columns = 0;
  for (; *at != '\n' && *at != 'V' && *at != 'N'; ++columns) {
    at += word_at(at).size();
    skip_spaces(at);
  }
  return columns;
}

void scan_bulk_target(const char*& at, BulkTransfer& bulk) {
  bulk.barrier = static_cast<std::uint32_t>(scan_hex(at, "the address of a barrier", 0xffffffffU));
  bulk.is_multicast = scan_decimal(at, "whether it is multicast, 0 or 1", 1) != 0;
  if (bulk.is_multicast) bulk.blocks = static_cast<std::uint16_t>(scan_hex(at, "a mask of blocks", 0xffff));
  bulk.bytes = scan_decimal(at, "the number of bytes");
  bulk.outside_bytes = scan_decimal(at, "the number of bytes out of bounds");
}

/// Number of pieces in the line. `announced` also counts pieces that are out of bounds, which have no
/// address.
unsigned pieces_ahead(const char* at, std::uint64_t announced, unsigned immediates) {
  const unsigned columns = columns_ahead(at);
  if (columns < immediates) throw_malformed(at, "an address or an immediate");
  const unsigned pieces = columns - immediates;
  if (pieces > announced) {
    throw Malformed{at, fmt::format("there are more addresses than the {} that are announced", announced)};
  }
  return pieces;
}

void scan_bulk_list(const char*& at, BulkTransfer& bulk, unsigned immediates) {
  const std::uint64_t announced = scan_decimal(at, "the number of addresses");
  const unsigned pieces = pieces_ahead(at, announced, immediates);
  for (unsigned i = 0; i < pieces; ++i) bulk.addresses.push_back(scan_hex(at, kAddress));
}

void scan_bulk_deltas(const char*& at, BulkTransfer& bulk, unsigned immediates) {
  Addr address = scan_hex(at, kAddress);
  const std::uint64_t announced = scan_decimal(at, "the number of addresses");
  const unsigned pieces = pieces_ahead(at, announced == 0 ? 0 : announced - 1, immediates);
  if (announced != 0) bulk.addresses.push_back(address);
  for (unsigned i = 0; i < pieces; ++i) {
    address += static_cast<std::uint64_t>(scan_signed(at, "the distance to the next address"));
    bulk.addresses.push_back(address);
  }
}

}  // namespace

void scan_addresses(const char*& at, TraceLine& line) {
  constexpr auto kLast = static_cast<std::uint64_t>(AddressFormat::BaseDelta);
  line.format = static_cast<AddressFormat>(scan_decimal(at, "the format of the addresses, 0 to 2", kLast));
  switch (line.format) {
    case AddressFormat::BaseStride:
      return scan_stride(at, line);
    case AddressFormat::BaseDelta:
      return scan_deltas(at, line);
    default:
      return scan_list(at, line);
  }
}

bool is_bulk_ahead(const char* at) {
  if (at[0] == '0' && at[1] == 'x') return true;
  const bool is_list = at[0] == '3' && at[1] == ' ';
  const bool is_delta = at[0] == '4' && at[1] == ' ';
  if (!is_list && !is_delta) return false;
  ++at;
  skip_spaces(at);
  return is_list ? *at != '\n' && *at != 'V' && *at != 'N' : at[0] == '0' && at[1] == 'x';
}

void scan_bulk(const char*& at, TraceLine& line, unsigned immediates) {
  line.has_bulk = true;
  BulkTransfer& bulk = line.bulk;
  bulk.barrier = 0;
  bulk.is_multicast = false;
  bulk.blocks = 0;
  bulk.bytes = bulk.outside_bytes = 0;
  bulk.addresses.clear();
  if (at[0] == '0' && at[1] == 'x') scan_bulk_target(at, bulk);
  const char* const begin = at;
  const std::uint64_t format = scan_decimal(at, "the format of the addresses, 3 or 4", 4);
  if (format < 3) throw_malformed(begin, "the format of the addresses, 3 or 4");
  line.format = static_cast<AddressFormat>(format);
  if (line.format == AddressFormat::BulkList) return scan_bulk_list(at, bulk, immediates);
  scan_bulk_deltas(at, bulk, immediates);
}

void scan_values(const char*& at, unsigned registers, TraceLine& line) {
  const std::string_view word = word_at(at);
  if (word != "Val" && word != "NoVal") throw_malformed(at, "Val or NoVal");
  at += word.size();
  skip_spaces(at);
  if (word == "NoVal") return;
  line.values.resize(registers);
  for (RegisterValues& value : line.values) {
    const char* const begin = at;
    const std::uint64_t count = scan_decimal(at, "the number of values, 1 or 32", kLanes);
    if (count != 1 && count != kLanes) throw_malformed(begin, "the number of values, 1 or 32");
    value.is_uniform = count == 1;
    for (std::uint64_t i = 0; i < count; ++i) value.lanes[i] = scan_hex(at, "a hexadecimal value");
    if (value.is_uniform) value.lanes.fill(value.lanes[0]);
  }
}

}  // namespace heddle::trace
