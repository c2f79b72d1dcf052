#include "tools/heddle/base/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"

namespace heddle::command {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::string read_standard_input() {
  std::string text;
  std::vector<char> piece(std::size_t{1} << 16);
  while (text.size() <= kMostBytes) {
    const std::size_t got = std::fread(piece.data(), 1, piece.size(), stdin);
    text.append(piece.data(), got);
    if (got < piece.size()) break;
  }
  const SourceLocation where{input_name("-"), 0, 0};
  if (std::ferror(stdin) != 0)
    throw InputError(where, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (text.size() > kMostBytes)
    throw InputError(where, fmt::format("larger than the {} bytes that are taken", kMostBytes));
  return text;
}

}  // namespace

std::string read_input(const std::string& path) {
  return path == kStandardInput ? read_standard_input() : read_file(path, Pipes::Read);
}

std::string standard_input_of(const std::vector<std::string>& paths) {
  const bool is_read = std::find(paths.begin(), paths.end(), kStandardInput) != paths.end();
  return is_read ? read_standard_input() : std::string();
}

std::string input_name(const std::string& path) { return path == kStandardInput ? "<stdin>" : path; }

}  // namespace heddle::command
