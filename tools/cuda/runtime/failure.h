// What a call of the API cannot do: one of CUDA's codes, and a sentence for people.
#pragma once

#include <stdexcept>
#include <string>

#include "isa/stream/kernel_fault.h"
#include "sim/session/error.h"
#include "tools/cuda/runtime/api.h"

namespace heddle::cudart {

/// The call answers with the code. The message goes to standard error; if it is empty, nothing does.
class Failure : public std::runtime_error {
 public:
  explicit Failure(cudaError_t code, const std::string& message = "")
      : std::runtime_error(message), code_(code) {}

  [[nodiscard]] cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// CUDA's code for what the session refuses.
cudaError_t code_of(session::ErrorKind kind);

/// CUDA's code for what a kernel did, as far as the GPU would tell it from others.
cudaError_t code_of(stream::FaultKind kind);

/// Throws cudaErrorInvalidValue, with the message, unless it holds.
void require(bool holds, const std::string& message);

}  // namespace heddle::cudart
