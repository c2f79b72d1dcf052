// The lines of a journal.
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

/// The object as a line, with a sum over its bytes as the last member.
std::string sealed(const nlohmann::ordered_json& object);
/// The object of a line without its end; nothing where it is not as sealed() made it.
std::optional<nlohmann::ordered_json> unsealed(std::string_view line);

nlohmann::ordered_json head_to_json(const JournalHead& head);
/// Nothing where the value is the head of no journal.
std::optional<JournalHead> head_from_json(const nlohmann::ordered_json& json);
/// Whether this may be how a journal's first line begins.
bool may_be_head(std::string_view text);

/// Throws InputError with all that differs.
void require_same(const JournalHead& now, const JournalHead& then, const std::string& path);

/// Reads a journal line by line.
class JournalReader {
 public:
  /// Throws InputError if it cannot be read.
  explicit JournalReader(const std::string& path);

  /// The next line without its end; false at the end of the file, and at a line that has no end, which then
  /// is in rest(). Throws InputError where a line is longer than any that was written.
  bool next();
  [[nodiscard]] std::string_view line() const { return {buffer_.get(), length_}; }
  [[nodiscard]] std::string_view rest() const { return line(); }
  /// Where the last whole line ends.
  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  std::string path_;
  std::ifstream stream_;
  std::unique_ptr<char[]> buffer_;
  std::size_t length_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace heddle::command
