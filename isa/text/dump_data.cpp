#include "isa/text/dump_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "isa/text/number.h"

namespace heddle::text {

namespace {

constexpr std::size_t kMostItems = 1 << 16;       // that a section may have
constexpr std::uint64_t kMostParamBytes = 32764;  // CUDA's limit, from 7.0 on

constexpr std::string_view kAttributes = ".nv.info";
constexpr std::string_view kShared = ".nv.shared.";
constexpr std::string_view kConstants = ".nv.constant3";
constexpr std::string_view kTables = ".nv.constant2.";

// Attributes of .nv.info: format 4 has a size behind it.
constexpr std::uint64_t kSizedFormat = 0x04;
constexpr std::uint64_t kParamInfo = 0x17;  // EIATTR_KPARAM_INFO
constexpr std::uint64_t kFrameSize = 0x11;  // EIATTR_FRAME_SIZE
constexpr std::uint64_t kRegCount = 0x2f;   // EIATTR_REGCOUNT

struct DataDirective {
  std::string_view name;
  unsigned bytes;
};
constexpr std::array<DataDirective, 5> kDataDirectives = {
    {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".quad", 8}}};

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// The function that a section named PREFIX.FUNCTION belongs to.
std::string_view function_behind(std::string_view section, std::string_view prefix) {
  if (!section.starts_with(prefix)) return {};
  section.remove_prefix(prefix.size());
  return section.starts_with('.') ? section.substr(1) : section;
}

std::string_view name_in_index(std::string_view value) {
  constexpr std::string_view kIndex = "index@(";
  if (!value.starts_with(kIndex) || !value.ends_with(')')) return {};
  return value.substr(kIndex.size(), value.size() - kIndex.size() - 1);
}

}  // namespace

void DumpData::begin(std::string_view section) {
  end();
  section_ = section;
}

void DumpData::end() {
  if (section_.starts_with(kAttributes)) take_attributes();
  if (section_.starts_with(kShared) && zeros_ != 0) {
    functions_[std::string(function_behind(section_, kShared))].shared_bytes = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(zeros_, std::numeric_limits<std::uint32_t>::max()));
  }
  if (section_ == kConstants) constants_ = words();
  if (section_.starts_with(kTables)) functions_[section_.substr(kTables.size())].tables = words();
  section_.clear();
  items_.clear();
  zeros_ = 0;
}

void DumpData::read(StatementReader& reader) {
  const std::string_view directive = reader.peek().text;
  std::string_view line = reader.rest_of_line();
  reader.skip_line();
  line = line.substr(0, line.find("//"));
  line.remove_prefix(std::min(directive.size(), line.size()));
  line = trimmed(line);
  if (directive == ".zero") {
    zeros_ += std::min<std::uint64_t>(parse_integer(line).value_or(0), std::uint64_t{1} << 32);
    if (section_.starts_with(".nv.constant"))
      items_.push_back({1, std::vector<std::uint64_t>(std::min<std::uint64_t>(zeros_, kMostItems)), {}});
    return;
  }
  const auto has_name = [directive](const DataDirective& each) { return each.name == directive; };
  const auto* found = std::find_if(kDataDirectives.begin(), kDataDirectives.end(), has_name);
  if (found == kDataDirectives.end() || items_.size() == kMostItems) return;
  Item item{found->bytes, {}, {}};
  while (!line.empty()) {
    const std::string_view value = trimmed(line.substr(0, line.find(',')));
    item.values.push_back(parse_integer(value).value_or(0));
    if (item.name.empty()) item.name = name_in_index(value);
    line.remove_prefix(std::min(line.find(','), line.size() - 1) + 1);
  }
  items_.push_back(std::move(item));
}

void DumpData::take_attributes() {
  for (std::size_t place = 0; place < items_.size(); ++place) {
    const Item& item = items_[place];
    if (item.bytes != 1 || item.values.size() != 2 || item.values[0] != kSizedFormat) continue;
    if (item.values[1] == kParamInfo) take_param(place);
    if (item.values[1] == kRegCount) take_count(place, &Function::registers);
    if (item.values[1] == kFrameSize) take_count(place, &Function::frame_bytes);
  }
}

/// Behind its size: a word, the parameter's place, its offset, and its size in the upper bits of four bytes.
void DumpData::take_param(std::size_t place) {
  constexpr std::size_t kItems = 6;
  constexpr unsigned kSizeShift = 18;
  const std::string_view function = function_behind(section_, kAttributes);
  if (function.empty() || place + kItems > items_.size()) return;
  const Item& ordinal = items_[place + 3];
  const Item& offset = items_[place + 4];
  const Item& flags = items_[place + 5];
  if (ordinal.values.size() != 1 || offset.values.size() != 1 || flags.values.size() != 4) return;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= (flags.values[i] & 0xff) << (8 * i);
  const std::uint64_t bytes = bits >> kSizeShift;
  if (offset.values[0] + bytes > kMostParamBytes || bytes == 0) return;
  params_[std::string(function)][ordinal.values[0]] = {static_cast<std::uint32_t>(offset.values[0]),
                                                       static_cast<std::uint32_t>(bytes)};
}

/// Behind its size: the function, then a number.
void DumpData::take_count(std::size_t place, std::uint32_t Function::*count) {
  if (place + 3 >= items_.size()) return;
  const Item& value = items_[place + 3];
  if (items_[place + 2].name.empty() || value.values.size() != 1 || value.values[0] > kMostParamBytes) return;
  functions_[items_[place + 2].name].*count = static_cast<std::uint32_t>(value.values[0]);
}

/// The section's bytes as words; none if no bank is so large.
std::vector<std::uint32_t> DumpData::words() const {
  std::vector<std::uint8_t> bytes;
  for (const Item& item : items_) {
    for (const std::uint64_t value : item.values) {
      for (unsigned i = 0; i < item.bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    if (bytes.size() > ir::kConstantBankBytes) return {};
  }
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << (8 * (i % 4));
  return words;
}

void DumpData::note(std::string_view function, std::string_view line) {
  constexpr std::string_view kRegisters = "SHI_REGISTERS=";
  const std::size_t at = line.find(kRegisters);
  if (at == std::string_view::npos) return;
  const std::string_view digits = line.substr(at + kRegisters.size());
  std::uint32_t registers = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), registers);
  functions_[std::string(function)].registers = registers;
}

DumpData::Function DumpData::function(std::string_view name) const {
  const auto known = functions_.find(name);
  Function made = known == functions_.end() ? Function{} : known->second;
  const auto params = params_.find(name);
  if (params == params_.end()) return made;
  // One that is missing leaves open what the others are.
  std::uint64_t next = 0;
  for (const auto& [ordinal, slot] : params->second) {
    if (ordinal == next++) made.params.push_back(slot);
  }
  if (made.params.size() != params->second.size()) made.params.clear();
  return made;
}

}  // namespace heddle::text
