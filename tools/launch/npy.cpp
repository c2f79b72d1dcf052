#include "tools/launch/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "isa/base/read_file.h"

namespace heddle::launch {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeaderBytes = 64 * 1024;

/// A position in the header.
class HeaderCursor {
 public:
  HeaderCursor(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& message) const { fail_at(at_, message); }

  [[noreturn]] void fail_at(std::size_t offset, const std::string& message) const {
    throw InputError({file_, 0, 0}, fmt::format("byte {}: {}", offset, message));
  }

  [[nodiscard]] std::size_t offset() const { return at_; }

  /// The next bytes as an unsigned number, lowest first.
  std::uint32_t number(unsigned bytes, std::string_view what) {
    if (bytes_.size() - at_ < bytes) fail(fmt::format("the file ends before {}", what));
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
      value |= std::uint32_t{static_cast<unsigned char>(bytes_[at_ + i])} << 8 * i;
    at_ += bytes;
    return value;
  }

  void limit_to(std::size_t end) { bytes_ = bytes_.substr(0, end); }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  void skip_blanks() {
    while (left() != 0 && (bytes_[at_] == ' ' || bytes_[at_] == '\n')) ++at_;
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!bytes_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail(fmt::format("'{}' must stand here", token));
  }

  std::string quoted() {
    skip_blanks();
    const char quote = left() != 0 ? bytes_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("text in quotes must stand here");
    const std::size_t end = bytes_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("the quoted text has no end");
    std::string text(bytes_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return text;
  }

  std::uint64_t size() {
    skip_blanks();
    const std::size_t begin = at_;
    std::uint64_t value = 0;
    for (; left() != 0 && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_) {
      if (value > (std::uint64_t{1} << 58)) fail_at(begin, "the extent is too large");
      value = value * 10 + static_cast<std::uint64_t>(bytes_[at_] - '0');
    }
    if (at_ == begin) fail("an extent (a whole number) must stand here");
    return value;
  }

 private:
  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
};

ElementType read_descr(HeaderCursor& cursor) {
  cursor.skip_blanks();
  const std::size_t begin = cursor.offset();
  const std::string descr = cursor.quoted();
  const auto type = find_npy_type(descr == "<u1" ? "|u1" : descr);
  if (!type) {
    cursor.fail_at(begin, fmt::format("elements of type {:?} are not supported; these are: {}", descr,
                                      npy_type_names()));
  }
  return *type;
}

bool read_fortran_order(HeaderCursor& cursor) {
  if (cursor.take("True")) return true;
  if (!cursor.take("False")) cursor.fail("True or False must stand here");
  return false;
}

std::vector<std::uint64_t> read_shape(HeaderCursor& cursor) {
  constexpr std::size_t kMostDimensions = 64;
  std::vector<std::uint64_t> shape;
  cursor.expect("(");
  while (!cursor.take(")")) {
    if (shape.size() == kMostDimensions) cursor.fail("there are more than 64 dimensions");
    shape.push_back(cursor.size());
    if (!cursor.take(",")) {
      cursor.expect(")");
      break;
    }
  }
  return shape;
}

std::uint64_t product(const std::vector<std::uint64_t>& shape, const HeaderCursor& cursor) {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) {
    if (count > (std::uint64_t{1} << 60) / extent)
      cursor.fail("the array has more elements than any file holds");
    count *= extent;
  }
  return count;
}

/// Parses the Python dictionary of the header.
NpyHeader read_dictionary(HeaderCursor& cursor) {
  NpyHeader header;
  std::optional<ElementType> type;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
  cursor.expect("{");
  while (!cursor.take("}")) {
    const std::size_t begin = cursor.offset();
    const std::string key = cursor.quoted();
    cursor.expect(":");
    if (key == "descr" && !type) {
      type = read_descr(cursor);
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = read_fortran_order(cursor);
    } else if (key == "shape" && !shape) {
      shape = read_shape(cursor);
    } else {
      cursor.fail_at(begin, fmt::format("key {:?} is unknown or stands here again", key));
    }
    if (!cursor.take(",")) {
      cursor.expect("}");
      break;
    }
  }
  if (!type || !fortran_order || !shape)
    cursor.fail("the header must have 'descr', 'fortran_order' and 'shape'");
  if (*fortran_order && shape->size() > 1)
    cursor.fail("Fortran order is not supported; save the array in C order");
  return {*type, *shape, product(*shape, cursor), 0};
}

std::string make_header(ElementType type, std::uint64_t count) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kBeforeDictionary = 10;
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", info(type).npy, count);
  const std::size_t used = kBeforeDictionary + dictionary.size() + 1;
  dictionary += std::string((kAlignment - used % kAlignment) % kAlignment, ' ') + '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> start, std::uint64_t file_bytes,
                           const std::string& file) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  HeaderCursor cursor(text, file);
  if (!text.starts_with(kMagic) || !cursor.take(kMagic))
    cursor.fail_at(0, "this is no .npy file: it does not begin with \\x93NUMPY");
  const std::uint32_t major = cursor.number(1, "the version");
  if (major < 1 || major > 3) cursor.fail(fmt::format("version {} of .npy is not known; 1 to 3 are", major));
  cursor.number(1, "the version");
  const std::uint32_t length = cursor.number(major == 1 ? 2 : 4, "the length of the header");
  if (length > cursor.left())
    cursor.fail(fmt::format("the header of {} bytes is cut off, or too long", length));
  cursor.limit_to(cursor.offset() + length);
  const std::size_t data_offset = cursor.offset() + length;

  NpyHeader header = read_dictionary(cursor);
  cursor.skip_blanks();
  if (cursor.left() != 0) cursor.fail("only blanks may follow the header's '}'");
  header.data_offset = data_offset;
  const std::uint64_t wanted = header.count * info(header.type).bytes;
  if (file_bytes - data_offset != wanted) {
    cursor.fail_at(data_offset, fmt::format("the shape needs {} bytes of elements, the file has {}", wanted,
                                            file_bytes - data_offset));
  }
  return header;
}

NpyHeader read_npy_header(const std::string& path) {
  std::ifstream file = open_file(path);
  std::vector<char> start(kMostHeaderBytes);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  const std::uint64_t bytes = std::max<std::uint64_t>(std::filesystem::file_size(path), start.size());
  return parse_npy_header(std::as_bytes(std::span(start)), bytes, path);
}

void read_npy_elements(const std::string& path, const NpyHeader& header, std::span<std::byte> elements) {
  std::ifstream file = open_file(path);
  file.seekg(static_cast<std::streamoff>(header.data_offset));
  file.read(reinterpret_cast<char*>(elements.data()), static_cast<std::streamsize>(elements.size()));
  if (static_cast<std::size_t>(file.gcount()) != elements.size()) {
    throw InputError({path, 0, 0}, "the file ended before its last element");
  }
}

void write_npy(const std::string& path, ElementType type, std::span<const std::byte> elements) {
  NewFile file(path);
  file.write(make_header(type, elements.size() / info(type).bytes));
  file.write(elements);
  file.keep();
}

}  // namespace heddle::launch
