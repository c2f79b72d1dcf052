#include "tools/cuda/ptx_cache.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "isa/base/new_file.h"
#include "isa/base/read_file.h"

namespace heddle::cuda {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string sha256(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("libcrypto cannot compute SHA-256");
  std::string digits;
  for (unsigned i = 0; i < length; ++i) digits += fmt::format("{:02x}", digest[i]);
  return digits;
}

}  // namespace

std::string cache_folder() {
  if (environment("HEDDLE_CACHE") == "off") return {};
  // The XDG base directory specification: a relative path is to be ignored.
  if (const std::string folder = environment("XDG_CACHE_HOME"); folder.starts_with('/'))
    return folder + "/heddle";
  const std::string home = environment("HOME");
  return home.empty() ? std::string() : home + "/.cache/heddle";
}

PtxCache::PtxCache(const std::string& key) {
  if (const std::string folder = cache_folder(); !folder.empty())
    path_ = fmt::format("{}/{}.ptx", folder, sha256(key));
}

std::optional<std::string> PtxCache::find() const {
  std::error_code unreadable;
  if (path_.empty() || !std::filesystem::is_regular_file(path_, unreadable)) return std::nullopt;
  try {
    return read_file(path_);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void PtxCache::store(const std::string& ptx) const {
  if (path_.empty()) return;
  try {
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    NewFile file(path_);
    file.write(ptx);
    file.keep();
  } catch (const InputError&) {  // the next run compiles again
  } catch (const std::filesystem::filesystem_error&) {
  }
}

}  // namespace heddle::cuda
