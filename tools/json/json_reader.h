// Reads JSON documents from other programs member by member. All mistakes are reported at once like in other
// input files, with their path in the document ("kernels[0].grid").
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

/// Throws InputError if the text of the file `path` is not JSON.
Json parse_json(const std::string& text, const std::string& path);

/// Null if this is not an object or has no such key.
const Json* look_up(const Json& object, const char* key);

/// Reads members by name. A missing member or one of another type is a problem. `path` is the path of the
/// object, followed by a point unless it is the document.
class JsonReader {
 public:
  /// Both arguments must outlive this.
  JsonReader(const std::string& file, Diagnostics& problems) : file_(file), problems_(problems) {}

  std::string text(const Json& object, const char* key, const std::string& path);
  /// A whole number up to `most`.
  std::optional<std::uint64_t> whole(const Json& object, const char* key, const std::string& path,
                                     std::uint64_t most = std::numeric_limits<std::uint32_t>::max());
  std::optional<double> number(const Json& object, const char* key, const std::string& path);
  /// A number from 0 to `most`.
  std::optional<double> amount(const Json& object, const char* key, const std::string& path, double most);
  /// True if it is missing.
  bool flag(const Json& object, const char* key, const std::string& path);
  std::optional<Dim3> extents(const Json& object, const char* key, const std::string& path);

  /// The kinds of inner values.
  enum class Part { List, Object };
  /// Null if the member is missing or is not of this kind.
  const Json* part(const Json& object, const char* key, const std::string& path, Part kind);

  /// Reports misspelt and other unknown keys.
  void allow_only(const std::vector<std::string>& known, const Json& object, const std::string& path);

 private:
  const Json* find(const Json& object, const char* key, const std::string& path);
  void complain(const std::string& path, const char* key, const std::string& allowed, const Json& found);

  const std::string& file_;
  Diagnostics& problems_;
};

}  // namespace heddle
