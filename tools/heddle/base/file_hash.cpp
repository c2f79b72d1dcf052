#include "tools/heddle/base/file_hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"

namespace heddle::command {

namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(std::string_view bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }

  [[nodiscard]] std::string digits() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
    unsigned length = 0;
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1);
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  static void require(bool done) {
    if (!done) throw std::runtime_error("libcrypto cannot compute SHA-256");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_of_file(const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    throw InputError({path, 0, 0}, fmt::format("the file cannot be opened: {}", std::strerror(errno)));
  Sha256 hash;
  std::vector<char> piece(kPiece);
  while (const std::size_t length = std::fread(piece.data(), 1, piece.size(), file.get()))
    hash.add({piece.data(), length});
  if (std::ferror(file.get()) != 0)
    throw InputError({path, 0, 0}, fmt::format("the file cannot be read: {}", std::strerror(errno)));
  return hash.digits();
}

std::string sha256_of_text(const std::string& text) {
  Sha256 hash;
  hash.add(text);
  return hash.digits();
}

}  // namespace heddle::command
