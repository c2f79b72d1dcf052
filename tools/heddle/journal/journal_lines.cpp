#include "tools/heddle/journal/journal_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "tools/heddle/base/file_hash.h"
#include "tools/heddle/journal/text_json.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kForm = 1;
constexpr std::string_view kHeadBegins = "{\"heddle_journal\":";
constexpr std::string_view kSumBegins = ",\"sum\":\"";
constexpr std::string_view kSumEnds = "\"}";
constexpr std::size_t kSumDigits = 16;

std::string sum_of(std::string_view text) { return sha256_of_text(std::string(text)).substr(0, kSumDigits); }

std::string command_text(const JournalHead& head) {
  report::Provenance provenance;
  provenance.command = head.command;
  return provenance.command_text();
}

std::string hash_of(const JournalHead& head, const std::string& path) {
  const auto found = std::find_if(head.files.begin(), head.files.end(),
                                  [&](const report::HashedFile& file) { return file.path == path; });
  return found == head.files.end() ? std::string() : found->sha256;
}

}  // namespace

std::string sealed(const Json& object) {
  std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  const std::string sum = sum_of(text);
  return fmt::format("{}{}{}{}\n", text, kSumBegins, sum, kSumEnds);
}

std::optional<Json> unsealed(std::string_view line) {
  constexpr std::size_t kSeal = kSumBegins.size() + kSumDigits + kSumEnds.size();
  if (line.size() < kSeal || line.substr(line.size() - kSeal, kSumBegins.size()) != kSumBegins)
    return std::nullopt;
  const std::string_view text = line.substr(0, line.size() - kSeal);
  if (line.substr(text.size() + kSumBegins.size(), kSumDigits) != sum_of(text)) return std::nullopt;
  Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  return object;
}

Json head_to_json(const JournalHead& head) {
  Json command = Json::array();
  for (const std::string& word : head.command) command.push_back(text_to_json(word));
  Json files = Json::array();
  for (const report::HashedFile& file : head.files)
    files.push_back({{"path", text_to_json(file.path)}, {"sha256", file.sha256}});
  return {{"heddle_journal", kForm}, {"version", head.version}, {"program", head.program},
          {"command", command},      {"files", files},          {"runs", head.runs}};
}

std::optional<JournalHead> head_from_json(const Json& json) {
  try {
    if (json.at("heddle_journal") != kForm) return std::nullopt;
    JournalHead head{json.at("version"), json.at("program"), {}, {}, json.at("runs")};
    for (const Json& word : json.at("command")) head.command.push_back(text_from_json(word));
    for (const Json& file : json.at("files"))
      head.files.push_back({text_from_json(file.at("path")), file.at("sha256")});
    return head;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

bool may_be_head(std::string_view text) {
  return text.substr(0, kHeadBegins.size()) == kHeadBegins.substr(0, text.size());
}

void require_same(const JournalHead& now, const JournalHead& then, const std::string& path) {
  Diagnostics problems;
  const auto differs = [&](const std::string& what) { problems.add({path, 0, 0}, what); };
  if (now.version != then.version) {
    differs(
        fmt::format("was begun by heddle {}, and cannot be gone on with by {}", then.version, now.version));
  } else if (now.program != then.program) {
    differs("was begun by another build of heddle, whose figures may differ");
  }
  if (now.command != then.command) {
    differs(fmt::format("was begun by '{}', and cannot be gone on with by '{}'", command_text(then),
                        command_text(now)));
  }
  for (const report::HashedFile& file : then.files) {
    const std::string hash = hash_of(now, file.path);
    if (hash.empty() && now.command == then.command) {
      differs(fmt::format("was begun with {}, which is not read any more", file.path));
    } else if (!hash.empty() && hash != file.sha256) {
      problems.add({file.path, 0, 0}, fmt::format("has changed since {} was begun (SHA-256 {}, then {})",
                                                  path, hash, file.sha256));
    }
  }
  problems.throw_if_any();
}

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 30;

}  // namespace

// Only the used part of the buffer takes memory.
JournalReader::JournalReader(const std::string& path)
    : path_(path), stream_(open_file(path)), buffer_(std::make_unique_for_overwrite<char[]>(kLongestLine)) {}

bool JournalReader::next() {
  stream_.getline(buffer_.get(), static_cast<std::streamsize>(kLongestLine));
  length_ = static_cast<std::size_t>(stream_.gcount());
  if (stream_.eof()) return false;
  if (stream_.fail())
    throw InputError({path_, 0, 0},
                     fmt::format("has a line of more than {} bytes: it is no journal", length_));
  end_ += length_;
  --length_;  // without the newline, which is counted but not kept
  return true;
}

}  // namespace heddle::command
