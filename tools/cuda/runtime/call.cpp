#include "tools/cuda/runtime/call.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <string>

#include "isa/base/diagnostic.h"
#include "tools/cuda/runtime/check_report.h"
#include "tools/cuda/runtime/driver_error.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

void say(const char* function, cudaError_t code, const std::string& message) {
  if (message.empty()) return;
  const char* driver_function = HostThread::current().driver_function;
  std::string text =
      driver_function != nullptr
          ? fmt::format("heddle: {}: {}: {}", driver_function, name_of(result_of(code)), message)
          : fmt::format("heddle: {}: {}: {}", function, cudaGetErrorName(code), message);
  if (text.back() != '\n') text += '\n';
  std::fputs(text.c_str(), stderr);
}

/// The code of the exception that is being handled, of which standard error is told.
cudaError_t code_of_exception(const char* function) {
  const auto told = [function](cudaError_t code, const std::string& message) {
    say(function, code, message);
    return code;
  };
  try {
    throw;
  } catch (const Failure& failure) {
    return told(failure.code(), failure.what());
  } catch (const session::Error& error) {
    return told(code_of(error.kind()), error.what());
  } catch (const InputError& error) {
    return told(cudaErrorInvalidPtx, error.what());
  } catch (const std::bad_alloc&) {
    return told(cudaErrorMemoryAllocation, "the host's memory does not suffice");
  } catch (const std::exception& error) {
    return told(cudaErrorUnknown, error.what());
  }
}

cudaError_t answer(const char* function, const std::function<void()>& work) {
  HostThread& thread = HostThread::current();
  cudaError_t code = cudaSuccess;
  try {
    if (thread.is_in_callback)
      throw Failure(cudaErrorNotPermitted, "what a stream calls cannot call CUDA's functions");
    if (Turn::is_mine())
      throw Failure(cudaErrorNotPermitted, "a signal has interrupted one of CUDA's functions: its handler can call none");
    const Turn turn(Process::get().mutex);
    if (Process::get().is_lost_by_fork())
      throw Failure(cudaErrorInitializationError, "CUDA was used before fork(), and cannot be used after it");
    work();
  } catch (...) {
    code = code_of_exception(function);
  }
  // cudaErrorNotReady is an answer and no error.
  if (code != cudaSuccess && code != cudaErrorNotReady && thread.driver_function == nullptr)
    thread.last_error = code;
  return code;
}

/// Does the work unless a kernel failed before. If one fails now, that is remembered.
void work_on(Gpu& gpu, const char* function, const std::function<void(Gpu&)>& work) {
  if (gpu.sticky) throw Failure(*gpu.sticky);
  try {
    work(gpu);
  } catch (const stream::KernelFault& fault) {
    const std::string text = note_fault(gpu, fault);
    say(function, *gpu.sticky, text);
    throw Failure(*gpu.sticky);
  }
}

}  // namespace

cudaError_t call(const char* function, const std::function<void(Process&)>& work) {
  return answer(function, [&] { work(Process::get()); });
}

cudaError_t gpu_call(const char* function, const std::function<void(Gpu&)>& work) {
  return chosen_call(
      function, [](const Gpu&) { return false; }, work);
}

cudaError_t chosen_call(const char* function, const std::function<bool(const Gpu&)>& has,
                        const std::function<void(Gpu&)>& work) {
  return answer(function, [&] {
    HostThread& thread = HostThread::current();
    Process& process = Process::get();
    Gpu& gpu = process.gpu_that(has, thread.gpu);
    if (thread.driver_function == nullptr) {
      thread.has_used_runtime = true;
      process.used_by_runtime.insert(thread.gpu);
    }
    work_on(gpu, function, work);
  });
}

}  // namespace heddle::cudart
