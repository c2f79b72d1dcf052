#include "sim/trace/read/header_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "isa/base/cuda_limits.h"
#include "isa/base/read_number.h"
#include "sim/trace/read/column_scan.h"

namespace heddle::trace {

namespace {

constexpr std::size_t kMostUnknownBytes = 16 << 20;
constexpr unsigned kLastVersion = kValuesVersion;

/// Reads a number with or without 0x.
bool read_hexadecimal(std::string_view text, std::uint64_t& number) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  return read_number(text, number, 16);
}

/// Reads "(8,1,1)".
bool read_extents(std::string_view text, Dim3& extents) {
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  text = text.substr(1, text.size() - 2);
  std::uint32_t numbers[3] = {};
  for (int i = 0; i < 3; ++i) {
    const std::size_t comma = i == 2 ? text.size() : text.find(',');
    if (comma == std::string_view::npos || !read_number(text.substr(0, comma), numbers[i])) return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  extents = {numbers[0], numbers[1], numbers[2]};
  return true;
}

bool is_within(const Dim3& extents, const Dim3& most) {
  return extents.count() != 0 && extents.x <= most.x && extents.y <= most.y && extents.z <= most.z;
}

bool read_flag(std::string_view text, bool& flag) {
  flag = text == "1";
  return text == "0" || text == "1";
}

bool is_version(std::string_view text) {
  unsigned whole = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  return error == std::errc() && whole <= kLastVersion &&
         std::all_of(stop, text.data() + text.size(),
                     [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

std::string_view without_blanks_behind(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

struct HeaderParser::Field {
  std::string_view key;
  std::string_view expected;
  bool is_needed;
  bool (*read)(std::string_view value, HeaderParser& parser);
};

const HeaderParser::Field HeaderParser::kFields[] = {
    {"kernel name", "a name", false,
     [](std::string_view value, HeaderParser& parser) {
       parser.header_.kernel = value;
       return true;
     }},
    {"kernel id", "a number", false,
     [](std::string_view value, HeaderParser& parser) { return read_number(value, parser.header_.id); }},
    {"grid dim", "(x,y,z), up to 2147483647, 65535 and 65535", true,
     [](std::string_view value, HeaderParser& parser) {
       Dim3& grid = parser.header_.grid;
       return parser.has_grid_ = read_extents(value, grid) && is_within(grid, kLargestGrid);
     }},
    {"block dim", "(x,y,z), up to 1024 threads in all", true,
     [](std::string_view value, HeaderParser& parser) {
       Dim3& block = parser.header_.block;
       constexpr Dim3 kMost = {kMostThreadsPerBlock, kMostThreadsPerBlock, kMostThreadsPerBlock};
       return parser.has_block_ = read_extents(value, block) && is_within(block, kMost) &&
                                  block.count() <= kMostThreadsPerBlock;
     }},
    {"shmem", "a number of bytes", true,
     [](std::string_view value, HeaderParser& parser) {
       return read_number(value, parser.header_.shared_bytes);
     }},
    {"nregs", "a number of registers, up to 255", true,
     [](std::string_view value, HeaderParser& parser) {
       std::uint32_t& registers = parser.header_.registers;
       return read_number(value, registers) && registers <= kMostRegistersPerThread;
     }},
    {"binary version", "a compute capability as 70 or 86", true,
     [](std::string_view value, HeaderParser& parser) {
       return read_number(value, parser.header_.binary_version);
     }},
    {"cuda stream id", "a number", false,
     [](std::string_view value, HeaderParser& parser) { return read_number(value, parser.header_.stream); }},
    {"shmem base_addr", "a hexadecimal address", false,
     [](std::string_view value, HeaderParser& parser) {
       return read_hexadecimal(value, parser.header_.shared_base);
     }},
    {"local mem base_addr", "a hexadecimal address", false,
     [](std::string_view value, HeaderParser& parser) {
       return read_hexadecimal(value, parser.header_.local_base);
     }},
    {"nvbit version", "a version", false,
     [](std::string_view value, HeaderParser& parser) {
       parser.header_.nvbit_version = value;
       return true;
     }},
    {"accelsim tracer version", "a version up to 6", false,
     [](std::string_view value, HeaderParser& parser) {
       parser.header_.tracer_version = value;
       return is_version(value);
     }},
    {"enable lineinfo", "0 or 1", false,
     [](std::string_view value, HeaderParser& parser) {
       return read_flag(value, parser.header_.has_line_numbers);
     }},
};

std::string HeaderParser::add(std::string_view line) {
  line = without_blanks_behind(line);
  const std::string_view body = line.substr(1);
  const std::size_t equals = body.ends_with(" =") ? body.size() - 2 : body.find(" = ");
  const std::string_view key = body.substr(0, equals);
  const auto* const field = std::find_if(std::begin(kFields), std::end(kFields),
                                         [&](const Field& candidate) { return candidate.key == key; });
  if (field == std::end(kFields) || equals == std::string_view::npos) {
    unknown_bytes_ += line.size();
    if (unknown_bytes_ > kMostUnknownBytes) return "the head is larger than 16 MiB";
    header_.unknown.emplace_back(line);
    return {};
  }
  if (std::find(seen_.begin(), seen_.end(), field->key) != seen_.end()) {
    return fmt::format("'-{}' stands twice", key);
  }
  seen_.push_back(field->key);
  const std::string_view value = body.substr(std::min(equals + 3, body.size()));
  if (field->read(value, *this)) return {};
  return fmt::format("'-{}' must be {}, not {}", key, field->expected, quoted(value));
}

void HeaderParser::set_format(std::string_view line) {
  constexpr std::string_view kKey = "#traces format = ";
  line = without_blanks_behind(line);
  if (line.starts_with(kKey)) header_.format = line.substr(kKey.size());
}

std::vector<std::string> HeaderParser::complaints() const {
  std::vector<std::string> list;
  for (const Field& field : kFields) {
    if (field.is_needed && std::find(seen_.begin(), seen_.end(), field.key) == seen_.end()) {
      list.push_back(fmt::format("the head lacks the line '-{} = ...'", field.key));
    }
  }
  return list;
}

}  // namespace heddle::trace
