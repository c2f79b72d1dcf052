// Checks the results of zstd calls, which are either a size or an error code.
#pragma once

#include <fmt/format.h>
#include <zstd.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "isa/base/diagnostic.h"

namespace heddle::trace {

/// Returns the size. For an error, throws what `error` makes of zstd's error text.
template <typename MakeError>
std::size_t checked(std::size_t result, MakeError error) {
  if (ZSTD_isError(result) != 0) throw error(std::string_view(ZSTD_getErrorName(result)));
  return result;
}

/// The same with an InputError for a file or folder: "... cannot be compressed: not enough memory".
inline std::size_t checked(std::size_t result, const std::string& path, std::string_view what) {
  return checked(result, [&](std::string_view reason) {
    return InputError({path, 0, 0}, fmt::format("{}: {} (zstd)", what, reason));
  });
}

}  // namespace heddle::trace
