// Lists of addresses, decoded with vectors and one by one: the same numbers, and the same is refused.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <regex>

#include "sim/trace/read/line_columns.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"
#include "tests/support/vector_targets.h"

namespace heddle::trace {

namespace {

/// A line's columns from its addresses on, with what is readable around them.
class Columns {
 public:
  explicit Columns(const std::string& text)
      : text_(std::string(kBeforeColumns, '7') + text + "\n" + std::string(kScanRoom, '3')) {}
  [[nodiscard]] const char* begin() const { return text_.data() + kBeforeColumns; }

 private:
  std::string text_;
};

/// What comes of a line: addresses and where the next column begins, or what is wrong and where.
struct Outcome {
  std::vector<Addr> addresses;
  std::ptrdiff_t end = 0;
  std::string message;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string text_of(const Outcome& outcome) {
  return fmt::format("{} at {}: {:x}", outcome.message, outcome.end, fmt::join(outcome.addresses, " "));
}

Outcome scanned(const std::string& text, std::uint32_t mask) {
  const Columns columns(text);
  TraceLine line;
  line.mask = mask;
  const char* at = columns.begin();
  Outcome outcome;
  try {
    scan_addresses(at, line);
  } catch (const Malformed& error) {
    return {{}, error.at - columns.begin(), error.message};
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0) outcome.addresses.push_back(line.addresses[lane]);
  }
  outcome.end = at - columns.begin();
  return outcome;
}

// -- the reference: words between blanks, and regular expressions ------------------------------------------

class Words {
 public:
  explicit Words(const std::string& text) : text_(text) {}

  /// The next word must match, and what `value` says of it. False: `refusal` says why.
  template <typename Value>
  bool take(const std::regex& form, const char* what, Value value) {
    const std::size_t end = std::min(text_.find(' ', at_), text_.size());
    const std::string word = text_.substr(at_, end - at_);
    if (!std::regex_match(word, form) || !value(word)) {
      refusal = fmt::format("{} stands where {} should be", said(word), what);
      return false;
    }
    at_ = std::min(text_.find_first_not_of(' ', end), text_.size());
    return true;
  }
  [[nodiscard]] std::ptrdiff_t at() const { return static_cast<std::ptrdiff_t>(at_); }

  std::string refusal;

 private:
  static std::string said(const std::string& word) {
    if (word.empty()) return "the end of the line";
    std::string shown = word.substr(0, 40);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return fmt::format("'{}{}'", shown, word.size() > 40 ? "..." : "");
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

Outcome expected(const std::string& text, std::uint32_t mask) {
  static const std::regex hexadecimal("(0x)?[0-9a-fA-F]{1,16}");
  static const std::regex decimal("-?[0-9]+");
  Words words(text);
  Outcome outcome;
  Addr address = 0;
  const auto take_hexadecimal = [&](const std::string& word) {
    address = std::stoull(word, nullptr, 16);
    return true;
  };
  const auto take_distance = [&](const std::string& word) {
    try {
      std::size_t end = 0;
      const bool is_negative = word[0] == '-';
      const std::uint64_t magnitude = std::stoull(word.substr(is_negative ? 1 : 0), &end);
      address += is_negative ? 0 - magnitude : magnitude;
      return !is_negative || magnitude <= std::uint64_t{1} << 63;
    } catch (const std::out_of_range&) {
      return false;
    }
  };
  bool is_list = false;
  const auto take_format = [&](const std::string& word) {
    is_list = word == "0";
    return true;
  };
  bool is_good = words.take(std::regex("0|2"), "the format of the addresses, 0 to 2", take_format);
  // A base has its column also where no lane is active.
  if (is_good && !is_list && mask == 0)
    is_good = words.take(hexadecimal, "a hexadecimal address", take_hexadecimal);
  for (unsigned lane = 0; lane < kLanes && is_good; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    if (is_list || outcome.addresses.empty()) {
      is_good = words.take(hexadecimal, "a hexadecimal address", take_hexadecimal);
    } else {
      is_good = words.take(decimal, "the distance to the next lane's address", take_distance);
    }
    outcome.addresses.push_back(address);
  }
  outcome.end = words.at();
  if (is_good) return outcome;
  return {{}, words.at(), words.refusal};
}

// -- random columns ----------------------------------------------------------------------------------------

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}

  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool one_in(unsigned count) { return below(count) == 0; }
  std::string of(const std::string& characters, unsigned length) {
    std::string text(length, ' ');
    for (char& c : text) c = characters[below(static_cast<unsigned>(characters.size()))];
    return text;
  }
  std::uint32_t mask() {
    const auto bits = static_cast<std::uint32_t>(random_());
    return one_in(2) ? ~std::uint32_t{0} : one_in(2) ? bits : bits >> below(32);
  }

  /// The columns of a list or of distances: of one length or of any, now and then as no tracer writes them.
  std::string line(std::uint32_t mask) {
    const bool is_list = one_in(2);
    const bool is_odd = one_in(2);
    const unsigned usual = 1 + below(is_list ? 16 : 8);
    std::string text = is_list ? "0" : "2";
    for (unsigned i = 0; i < static_cast<unsigned>(std::popcount(mask)); ++i) {
      text += is_odd && one_in(40) ? std::string(below(3), ' ') + "  " : " ";
      const unsigned most = is_odd && one_in(20) ? 21 : usual;
      const unsigned length = one_in(3) ? 1 + below(most) : most;
      const bool has_prefix = !(is_odd && one_in(20));
      text += is_list || i == 0 ? (has_prefix ? "0x" : "") +
                                      of(is_odd ? "0123456789abcdefABCDEF" : "0123456789abcdef", length)
                                : (one_in(3) ? "-" : "") + of("0123456789", length);
    }
    text += one_in(5) ? "" : " 0 ";
    if (one_in(3)) damage(text);
    return text;
  }

 private:
  void damage(std::string& text) {
    const std::string strange = std::string(" -x0g/:@G`_,\t\r\x80\xb0\xff") + '\0';
    for (unsigned i = 1 + below(2); i != 0; --i) {
      const unsigned at = below(static_cast<unsigned>(text.size()));
      if (one_in(4)) return text.resize(at);
      if (one_in(3)) {
        text.insert(at, of(strange, 1));
      } else {
        text[at] = one_in(2) ? of(strange, 1)[0] : static_cast<char>(1 + below(255));
      }
      std::replace(text.begin(), text.end(), '\n', '?');
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("Addresses in columns are what a plain reference says, and the same lines are refused alike") {
  const std::uint32_t seed = test::drawn_seed();
  for (const std::int64_t target : test::compiled_targets()) {
    const test::OnlyTarget only(target);
    Draw draw(seed);
    for (unsigned round = 0; round < 3000; ++round) {
      const std::uint32_t mask = draw.mask();
      const std::string text = draw.line(mask);
      if (!text.starts_with("0 ") && !text.starts_with("2 ")) continue;  // the format is not what is tested
      const Outcome found = scanned(text, mask);
      const Outcome wanted = expected(text, mask);
      if (found == wanted) continue;
      FAIL("seed " << seed << ", target " << target << ", mask " << std::hex << mask << ", '" << text
                   << "'\n found  " << text_of(found) << "\n wanted " << text_of(wanted));
    }
  }
}

TEST_CASE("Vectors decode all that tracers write, and leave the rest") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  Draw draw(seed);
  for (const std::int64_t target : test::compiled_targets()) {
    const test::OnlyTarget only(target);
    for (unsigned digits = 1; digits <= 20; ++digits) {
      for (unsigned count = 4; count <= kLanes; ++count) {
        std::string list;
        std::string distances;
        for (unsigned i = 0; i < count; ++i) {
          list += fmt::format("0x{} ", draw.of("0123456789abcdefABCDEF", digits));
          distances += fmt::format("{}{} ", i % 3 == 0 ? "-" : "", draw.of("0123456789", digits));
        }
        Addr numbers[kLanes];
        std::int64_t signed_numbers[kLanes];
        const Columns of_list(list);
        const Columns of_distances(distances);
        const char* const list_end = decode_addresses(of_list.begin(), count, numbers);
        const char* const distances_end = decode_distances(of_distances.begin(), count, signed_numbers);
        INFO(list << distances);
        REQUIRE(list_end == (digits <= 16 ? of_list.begin() + list.size() : nullptr));
        REQUIRE(distances_end == (digits <= 8 ? of_distances.begin() + distances.size() : nullptr));
      }
    }
  }
}

}  // namespace heddle::trace
