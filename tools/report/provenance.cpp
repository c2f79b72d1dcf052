#include "tools/report/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heddle::report {

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain = "_./-=:,+@%^";
  const auto is_plain = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

std::string Provenance::command_text() const {
  std::string text;
  for (const std::string& word : command) text += fmt::format("{}{}", text.empty() ? "" : " ", shell_quoted(word));
  return text;
}

std::string Provenance::changes_text() const {
  std::string text;
  for (const auto& [key, value] : gpu_changes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value);
  return text;
}

void Provenance::add_files(const std::vector<HashedFile>& others) {
  for (const HashedFile& file : others) {
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
}

}  // namespace heddle::report
