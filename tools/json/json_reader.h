// JSON documents that others have written, read member by member: what is wrong is told as in other input
// files, all at once, with its path in the document ("kernels[0].grid").
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/base/dim3.h"

namespace heddle {

using Json = nlohmann::json;

/// Throws InputError if the text of the file `path` is none.
Json parse_json(const std::string& text, const std::string& path);

/// Null if this is no object, or has no such key.
const Json* look_up(const Json& object, const char* key);

/// Reads members by name; what is missing or of another kind is a problem. `path` is that of the object, with
/// a point behind it unless it is the document.
class JsonReader {
 public:
  /// Both outlive it.
  JsonReader(const std::string& file, Diagnostics& problems) : file_(file), problems_(problems) {}

  std::string text(const Json& object, const char* key, const std::string& path);
  /// Whole, and at most that.
  std::optional<std::uint64_t> whole(const Json& object, const char* key, const std::string& path,
                                     std::uint64_t most = std::numeric_limits<std::uint32_t>::max());
  std::optional<double> number(const Json& object, const char* key, const std::string& path);
  /// Not negative, and at most that.
  std::optional<double> amount(const Json& object, const char* key, const std::string& path, double most);
  /// True if it is not there.
  bool flag(const Json& object, const char* key, const std::string& path);
  std::optional<Dim3> extents(const Json& object, const char* key, const std::string& path);

  enum class Part { List, Object };
  /// Null if it is not there, or no object or list as it must be.
  const Json* part(const Json& object, const char* key, const std::string& path, Part kind);

  /// What is misspelt is not passed over.
  void allow_only(const std::vector<std::string>& known, const Json& object, const std::string& path);

 private:
  const Json* find(const Json& object, const char* key, const std::string& path);
  void complain(const std::string& path, const char* key, const std::string& allowed, const Json& found);

  const std::string& file_;
  Diagnostics& problems_;
};

}  // namespace heddle
