#include "sim/trace/read/line_parser.h"

#include <fmt/format.h>

#include "sim/trace/read/line_columns.h"

namespace heddle::trace {

namespace {

constexpr auto kWord = std::numeric_limits<std::uint32_t>::max();

/// Marks have no source line, even if instructions have one.
bool is_mark_ahead(std::string_view text) {
  if (!text.starts_with(kBeforeMark)) return false;
  text.remove_prefix(kBeforeMark.size());
  return mark_of(text.substr(0, text.find(' '))) != Mark::None;
}

}  // namespace

LineParser::LineParser(const TraceHeader& header)
    : has_place_(header.version() < kFirstGroupedVersion),
      has_source_line_(header.has_line_numbers),
      has_values_(header.version() == kValuesVersion),
      has_group_end_(header.has_second_immediate()),
      most_immediates_(header.has_second_immediate() || has_values_ ? 2 : 1) {}

void LineParser::parse(std::string_view text) {
  const char* at = text.data();
  skip_spaces(at);
  if (has_place_) parse_place(at);
  std::uint32_t source_line = 0;
  if (has_source_line_ && !is_mark_ahead(text)) {
    source_line = static_cast<std::uint32_t>(scan_decimal(at, "the line in the source", kWord));
  }
  const std::uint64_t pc = scan_hex(at, "the instruction's place, hexadecimal");
  line_.mask = static_cast<std::uint32_t>(scan_hex(at, "a mask of 32 lanes", kWord));
  known_ = table_.recall(pc, source_line, at, text.data() + text.size());
  if (known_ == nullptr) known_ = &table_.learn(pc, source_line, at, has_group_end_);
  at += known_->text.size();
  line_.instruction = &known_->instruction;
  line_.width = static_cast<std::uint32_t>(scan_decimal(at, "the width of the access in bytes, or 0", kWord));
  line_.has_bulk = false;
  line_.values.clear();
  if (known_->is_bulk && is_bulk_ahead(at)) {
    scan_bulk(at, line_, has_group_end_ ? 2 : 1);
  } else if (line_.width != 0) {
    scan_addresses(at, line_);
  }
  parse_immediates(at);
  if (has_values_ && known_->mark == Mark::None) {
    scan_values(at, line_.instruction->sources + (line_.instruction->has_destination ? 1U : 0U), line_);
  }
  if (*at != '\n') throw_malformed(at, "the end of the line");
}

void LineParser::parse_place(const char*& at) const {
  const char* const begin = at;
  std::array<std::uint32_t, 3> block{};
  for (std::uint32_t& place : block) {
    place = static_cast<std::uint32_t>(scan_decimal(at, "the block's place in the grid", kWord));
  }
  const std::uint64_t warp = scan_decimal(at, "the warp's index", kWord);
  if (block != block_ || warp != warp_) {
    throw Malformed{
        begin, fmt::format("the line is of block {},{},{}, warp {}, but stands in block {},{},{}, warp {}",
                           block[0], block[1], block[2], warp, block_[0], block_[1], block_[2], warp_)};
  }
}

void LineParser::parse_immediates(const char*& at) {
  std::int64_t found[2] = {0, 0};
  const unsigned most = known_->is_of_new_form ? 2 : most_immediates_;
  for (unsigned i = 0; i < most && *at != '\n' && *at != 'V' && *at != 'N'; ++i) {
    found[i] = scan_signed(at, "an immediate");
  }
  line_.immediate = found[0];
  line_.second_immediate = found[1];
}

}  // namespace heddle::trace
