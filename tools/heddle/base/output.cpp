#include "tools/heddle/base/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "tools/report/text_columns.h"

namespace heddle::command {

void write_output(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw InputError({"standard output", 0, 0},
                     fmt::format("the file cannot be written: {}", std::strerror(errno)));
  }
}

void print_error(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    shown += report::printable(text.substr(0, end));
    if (end < text.size()) shown += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  print_progress(shown);
}

std::string fault_text(const stream::KernelFault& fault) { return fmt::format("fault: {}\n", fault.what()); }

void print_progress(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void write_file(const std::string& path, std::string_view text) {
  NewFile file(path);
  file.write(text);
  file.keep();
}

void deliver(std::string_view text, const std::optional<std::string>& file) {
  if (file) {
    write_file(*file, text);
  } else {
    write_output(text);
  }
}

void require_own_places(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  const auto place_of = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  std::set<std::filesystem::path> read;
  for (const std::string& input : inputs) read.insert(place_of(input));
  std::set<std::filesystem::path> written;
  Diagnostics problems;
  for (const std::string& output : outputs) {
    const std::filesystem::path place = place_of(output);
    if (read.contains(place))
      problems.add({output, 0, 0}, "this file is read here, so that it cannot be written, too");
    if (!written.insert(place).second) problems.add({output, 0, 0}, "two outputs cannot go into one file");
  }
  problems.throw_if_any();
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool wants_colour(std::FILE* stream) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return is_terminal(stream) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace heddle::command
