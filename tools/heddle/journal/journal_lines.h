// Reads and writes the lines of a journal.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tools/heddle/journal/journal.h"

namespace heddle::command {

/// The object as a line, with a checksum of its bytes as the last member.
std::string sealed(const nlohmann::ordered_json& object);
/// The object of a line without its newline. Nothing if the line was not made by sealed() or is damaged.
std::optional<nlohmann::ordered_json> unsealed(std::string_view line);

nlohmann::ordered_json head_to_json(const JournalHead& head);
/// Nothing if the value is not the head of a journal.
std::optional<JournalHead> head_from_json(const nlohmann::ordered_json& json);
/// Whether the text could be the beginning of a journal's first line.
bool may_be_head(std::string_view text);

/// Throws InputError, which lists all differences.
void require_same(const JournalHead& now, const JournalHead& then, const std::string& path);

/// Reads a journal line by line.
class JournalReader {
 public:
  /// Throws InputError if the file cannot be read.
  explicit JournalReader(const std::string& path);

  /// Reads the next line without its newline. False at the end of the file, and at an incomplete line, which
  /// rest() then returns. Throws InputError if a line is longer than any journal's.
  bool next();
  [[nodiscard]] std::string_view line() const { return {buffer_.get(), length_}; }
  [[nodiscard]] std::string_view rest() const { return line(); }
  /// Offset of the end of the last complete line.
  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  std::string path_;
  std::ifstream stream_;
  std::unique_ptr<char[]> buffer_;
  std::size_t length_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace heddle::command
