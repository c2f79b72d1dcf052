#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

cudaError_t code_of(session::ErrorKind kind) {
  switch (kind) {
    case session::ErrorKind::OutOfMemory:
      return cudaErrorMemoryAllocation;
    case session::ErrorKind::InvalidConfiguration:
      return cudaErrorInvalidConfiguration;
    case session::ErrorKind::OutOfResources:
      return cudaErrorLaunchOutOfResources;
    case session::ErrorKind::Unsupported:
      return cudaErrorNoKernelImageForDevice;
    case session::ErrorKind::InvalidPointer:
    case session::ErrorKind::InvalidArguments:
    case session::ErrorKind::NotTimed:
      break;
  }
  return cudaErrorInvalidValue;
}

cudaError_t code_of(stream::FaultKind kind) {
  switch (kind) {
    case stream::FaultKind::OutOfBounds:
    case stream::FaultKind::UseAfterFree:
      return cudaErrorIllegalAddress;
    case stream::FaultKind::Misaligned:
      return cudaErrorMisalignedAddress;
    case stream::FaultKind::ControlFlow:
      return cudaErrorInvalidPc;
    case stream::FaultKind::Deadlock:
    case stream::FaultKind::CycleLimit:
      return cudaErrorLaunchTimeout;
    case stream::FaultKind::UnwrittenRegister:
    case stream::FaultKind::Barrier:
    case stream::FaultKind::Lanes:
    case stream::FaultKind::Trap:
    case stream::FaultKind::Other:
      break;
  }
  return cudaErrorLaunchFailure;
}

void require(bool holds, const std::string& message) {
  if (!holds) throw Failure(cudaErrorInvalidValue, message);
}

}  // namespace heddle::cudart
