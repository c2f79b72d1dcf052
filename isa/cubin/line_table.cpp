#include "isa/cubin/line_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "isa/cubin/relocations.h"

namespace heddle::cubin {

namespace {

constexpr std::string_view kLines = ".debug_line";
constexpr std::uint64_t kMostLines = 0xffffffff;

/// Reads one number after another.
class Cursor {
 public:
  Cursor(const ByteView& bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  void go_to(std::uint64_t at) { at_ = at; }

  std::uint8_t u8() { return bytes_.u8(at_++); }
  std::uint16_t u16() { return bytes_.u16(moved(2)); }
  std::uint32_t u32() { return bytes_.u32(moved(4)); }
  std::uint64_t u64() { return bytes_.u64(moved(8)); }

  std::uint64_t unsigned_leb() { return leb().value; }
  std::int64_t signed_leb() {
    const Leb read = leb();
    const bool is_negative = read.bits < kWordBits && (read.value >> (read.bits - 1) & 1) != 0;
    return static_cast<std::int64_t>(is_negative ? read.value | ~std::uint64_t{0} << read.bits : read.value);
  }

  std::string_view name() {
    const std::string_view text = bytes_.name(at_);
    at_ += text.size() + 1;
    return text;
  }

 private:
  static constexpr unsigned kWordBits = 64;
  struct Leb {
    std::uint64_t value = 0;
    unsigned bits = 0;
  };

  Leb leb() {
    constexpr std::uint8_t kMore = 0x80;
    Leb read;
    for (std::uint8_t byte = kMore; (byte & kMore) != 0; read.bits += 7) {
      byte = u8();
      if (read.bits < kWordBits) read.value |= std::uint64_t{byte & 0x7fU} << read.bits;
    }
    return read;
  }

  std::uint64_t moved(std::uint64_t bytes) { return std::exchange(at_, at_ + bytes); }

  ByteView bytes_;
  std::uint64_t at_;
};

/// What stands in front of a unit's program.
struct Header {
  std::uint8_t bytes_per_address = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::vector<std::uint8_t> operands;  // of each standard opcode, from 1 on
  std::vector<std::uint32_t> files;    // the unit's files, from 1 on: their places in Image::files
};

/// A row of the table: from this address on, instructions are of this line.
struct Row {
  std::uint64_t address = 0;
  ir::SourcePlace place;
};

class LineReader {
 public:
  LineReader(const Elf& elf, const Section& section, Image& image)
      : image_(image), bytes_(section.bytes), cursor_(section.bytes, 0) {
    for_each_relocation(elf, kLines, [&](const Relocation& each) {
      if (each.symbol.section < elf.sections.size())
        targets_[each.at] = elf.sections[each.symbol.section].name;
    });
  }

  void read() {
    while (cursor_.at() + 4 <= bytes_.size()) {
      const std::uint64_t length = cursor_.u32();
      const std::uint64_t end = cursor_.at() + length;
      if (length > bytes_.size() - cursor_.at())
        bytes_.fail(cursor_.at(), "a line table goes beyond the end of its section");
      if (read_header()) run(end);
      cursor_.go_to(end);
    }
  }

 private:
  /// False: a version that is not known.
  bool read_header() {
    const std::uint16_t version = cursor_.u16();
    constexpr std::uint16_t kOldest = 2, kNewest = 4;
    if (version < kOldest || version > kNewest) return false;
    const std::uint64_t header_bytes = cursor_.u32();
    const std::uint64_t program = cursor_.at() + header_bytes;
    header_ = {};
    header_.bytes_per_address = cursor_.u8();
    if (version == kNewest) cursor_.u8();  // operations of an instruction
    cursor_.u8();                          // whether rows begin statements
    header_.line_base = static_cast<std::int8_t>(cursor_.u8());
    header_.line_range = cursor_.u8();
    const std::uint8_t opcodes = cursor_.u8();
    if (header_.line_range == 0) bytes_.fail(cursor_.at(), "a line table has a range of 0 lines");
    for (unsigned i = 1; i < opcodes; ++i) header_.operands.push_back(cursor_.u8());
    read_files();
    cursor_.go_to(program);
    return true;
  }

  void read_files() {
    std::vector<std::string> folders;
    for (std::string_view name = cursor_.name(); !name.empty(); name = cursor_.name())
      folders.emplace_back(name);
    for (std::string_view name = cursor_.name(); !name.empty(); name = cursor_.name()) {
      const std::uint64_t folder = cursor_.unsigned_leb();
      cursor_.unsigned_leb();  // when it was written
      cursor_.unsigned_leb();  // its bytes
      const bool is_in_folder = folder >= 1 && folder <= folders.size() && !name.starts_with('/');
      header_.files.push_back(
          number_of(is_in_folder ? folders[folder - 1] + '/' + std::string(name) : std::string(name)));
    }
  }

  std::uint32_t number_of(const std::string& file) {
    const auto found = std::ranges::find(image_.files, file);
    if (found != image_.files.end()) return static_cast<std::uint32_t>(found - image_.files.begin());
    image_.files.push_back(file);
    return static_cast<std::uint32_t>(image_.files.size() - 1);
  }

  void begin_sequence() {
    address_ = 0;
    file_ = line_ = 1;
    column_ = 0;
    rows_.clear();
    function_ = {};
  }

  void run(std::uint64_t end) {
    begin_sequence();
    while (cursor_.at() < end) {
      const std::uint8_t opcode = cursor_.u8();
      if (opcode > header_.operands.size()) {
        run_special(static_cast<std::uint8_t>(opcode - header_.operands.size() - 1));
      } else if (opcode == 0) {
        run_extended();
      } else {
        run_standard(opcode);
      }
    }
  }

  void run_special(std::uint8_t adjusted) {
    address_ += std::uint64_t{adjusted} / header_.line_range * header_.bytes_per_address;
    line_ += static_cast<std::uint64_t>(header_.line_base + adjusted % header_.line_range);
    add_row();
  }

  void run_standard(std::uint8_t opcode) {
    enum : std::uint8_t {
      Copy = 1,
      AdvancePc,
      AdvanceLine,
      SetFile,
      SetColumn,
      ConstAddPc = 8,
      FixedAdvancePc
    };
    constexpr std::uint8_t kLastSpecial = 255;
    switch (opcode) {
      case Copy:
        add_row();
        break;
      case AdvancePc:
        address_ += cursor_.unsigned_leb() * header_.bytes_per_address;
        break;
      case AdvanceLine:
        line_ += static_cast<std::uint64_t>(cursor_.signed_leb());
        break;
      case SetFile:
        file_ = cursor_.unsigned_leb();
        break;
      case SetColumn:
        column_ = cursor_.unsigned_leb();
        break;
      case ConstAddPc:
        address_ +=
            (kLastSpecial - header_.operands.size() - 1) / header_.line_range * header_.bytes_per_address;
        break;
      case FixedAdvancePc:
        address_ += cursor_.u16();
        break;
      default:
        for (unsigned i = 0; i < header_.operands[opcode - 1U]; ++i) cursor_.unsigned_leb();
    }
  }

  /// What compilers of NVIDIA's add, of inlined calls, is passed over.
  void run_extended() {
    enum : std::uint8_t { EndSequence = 1, SetAddress };
    const std::uint64_t length = cursor_.unsigned_leb();
    const std::uint64_t begin = cursor_.at();
    if (length == 0) return;
    if (begin > bytes_.size() || length > bytes_.size() - begin)
      bytes_.fail(begin, "an operation of a line table goes beyond the end of its section");
    const std::uint8_t opcode = cursor_.u8();
    if (opcode == SetAddress) {
      const auto target = targets_.find(cursor_.at());
      function_ = target == targets_.end() ? std::string_view() : target->second;
      address_ = cursor_.u64();
    } else if (opcode == EndSequence) {
      end_sequence();
    }
    cursor_.go_to(begin + length);
  }

  /// Addresses of a sequence ascend.
  void add_row() {
    if (!rows_.empty() && address_ < rows_.back().address)
      bytes_.fail(cursor_.at(), "the addresses of a line table descend");
    const bool is_known = file_ >= 1 && file_ <= header_.files.size() && line_ - 1 < kMostLines;
    rows_.push_back(
        {address_, is_known ? ir::SourcePlace{header_.files[file_ - 1], static_cast<std::uint32_t>(line_),
                                              static_cast<std::uint32_t>(column_)}
                            : ir::SourcePlace{}});
  }

  /// A row holds up to the next one. Each function has one sequence.
  void end_sequence() {
    rows_.push_back({address_, {}});
    const auto function = std::ranges::find_if(image_.functions, [&](const Function& each) {
      return function_.starts_with(kCodePrefix) && function_.substr(kCodePrefix.size()) == each.name;
    });
    if (function != image_.functions.end() && function->places.empty()) place(*function);
    begin_sequence();
  }

  void place(Function& function) {
    const std::uint64_t end = function.code.size() * ir::kInstructionBytes;
    function.places.resize(function.code.size());
    for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
      for (std::uint64_t at = rows_[i].address; at < std::min(rows_[i + 1].address, end);
           at += ir::kInstructionBytes)
        function.places[at / ir::kInstructionBytes] = rows_[i].place;
    }
  }

  Image& image_;
  ByteView bytes_;
  Cursor cursor_;
  std::map<std::uint64_t, std::string_view> targets_;  // the sections to which addresses in the table belong
  Header header_;
  std::uint64_t address_ = 0;
  std::uint64_t file_ = 1;
  std::uint64_t line_ = 1;  // modulo 2^64, as it counts down, too
  std::uint64_t column_ = 0;
  std::string_view function_;  // its section
  std::vector<Row> rows_;
};

}  // namespace

void read_line_table(const Elf& elf, Image& image) {
  const Section* section = elf.find(kLines);
  if (section != nullptr) LineReader(elf, *section, image).read();
}

}  // namespace heddle::cubin
