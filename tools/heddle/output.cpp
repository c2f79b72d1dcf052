#include "tools/heddle/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"

namespace heddle::command {

void write_output(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw InputError({"standard output", 0, 0}, fmt::format("the file cannot be written: {}", std::strerror(errno)));
  }
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void write_file(const std::string& path, std::string_view text) {
  NewFile file(path);
  file.write(text);
  file.keep();
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool wants_colour(std::FILE* stream) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return is_terminal(stream) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace heddle::command
