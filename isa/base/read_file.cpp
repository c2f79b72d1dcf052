#include "isa/base/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle {

std::ifstream open_file(const std::string& path, Pipes pipes) {
  namespace fs = std::filesystem;
  if (path.empty()) throw InputError({}, "the name of a file is empty");
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) throw InputError({path}, "no such file");
  if (fs::is_directory(status)) throw InputError({path}, "is a directory, not a file");
  const bool is_pipe = pipes == Pipes::Read && fs::is_fifo(status);
  if (!fs::is_regular_file(status) && !is_pipe) throw InputError({path}, "not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path}, fmt::format("cannot be opened: {}", std::strerror(errno)));
  return file;
}

std::string read_file(const std::string& path, Pipes pipes, std::uint64_t most_bytes) {
  std::ifstream file = open_file(path, pipes);
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  while (file && text.size() <= most_bytes) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw InputError({path}, "cannot be read");
  if (text.size() > most_bytes)
    throw InputError({path}, fmt::format("larger than the {} bytes that are taken", most_bytes));
  return text;
}

std::string_view without_byte_order_mark(std::string_view text, const std::string& file) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw InputError({file, 0, 0}, "the file is in UTF-16; save it as UTF-8");
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace heddle
