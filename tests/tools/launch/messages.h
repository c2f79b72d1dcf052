// What is said to a person whose launch is wrong, as tests look at it.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "tests/support/catch.h"

namespace heddle::launch {

/// What the call throws, or "no error".
template <typename Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

inline void check_says(const std::string& message, std::string_view fragment) {
  INFO("message:  " << message);
  INFO("fragment: " << fragment);
  CHECK(message.find(fragment) != std::string::npos);
}

}  // namespace heddle::launch
