#include "tools/cuda/runtime/process.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>

#include "isa/base/diagnostic.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/program_end.h"

namespace heddle::cudart {

namespace {

/// What the environment names and cannot be used is no mistake of the program's device code.
template <typename Make>
auto usable(const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw Failure(cudaErrorInitializationError, error.what());
  }
}

}  // namespace

HostThread& HostThread::current() {
  thread_local HostThread thread;
  return thread;
}

Process& Process::get() {
  static Process* const process = new Process();  // never deleted: see above
  return *process;
}

Process::Process() : made_by_(::getpid()) {
  ::pthread_atfork(nullptr, nullptr, &Process::note_fork);
  std::atexit([] { get().finish(); });
}

int Process::end_code() {
  for (const auto& gpu : gpus_) {
    if (gpu) has_found_ |= finish_gpu(*gpu, *settings_);
  }
  const int code = finish_program(logs_, *settings_);
  return has_found_ ? kFaultFound : code;
}

void Process::finish() {
  if (Turn::is_mine()) return finish_within_call();
  const std::lock_guard lock(mutex);
  if (is_lost_by_fork_ || ::getpid() != made_by_) return;
  int code = 0;
  if (settings_) {
    if (settings_->wants_end()) code = end_code();
    for (const auto& gpu : gpus_) {
      if (gpu) tell_notes(*gpu);
    }
  } else {
    code = finish_without_gpu();
  }
  if (code == 0) return;
  // No handler of the program's can change its exit code any more.
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(code);
}

/// A GPU stands where its simulation was interrupted: nothing can be asked of it, and what it waits for does not come.
void Process::finish_within_call() const {
  if (!settings_ || !settings_->wants_end() || ::getpid() != made_by_) return;
  std::fputs("heddle: the program ended within a call of CUDA: there are no figures of it, and no checks\n", stderr);
  std::fflush(nullptr);
  if (settings_->wants_totals()) ::_exit(kEndFailed);
}

void Process::note_fork() {
  Process& process = get();
  // Another thread of the parent may have held it, and does not exist here.
  new (&process.mutex) std::mutex;
  process.is_lost_by_fork_ =
      std::ranges::any_of(process.gpus_, [](const auto& gpu) { return gpu != nullptr; });
}

const Settings& Process::settings() {
  if (!settings_) settings_ = usable([] { return Settings::from_environment(); });
  return *settings_;
}

int Process::gpu_count() { return static_cast<int>(settings().gpus); }

Gpu& Process::gpu(int index) {
  if (index < 0 || index >= gpu_count())
    throw Failure(
        cudaErrorInvalidDevice,
        fmt::format("there is no GPU {}; HEDDLE_GPUS says how many there are, {}", index, gpu_count()));
  gpus_.resize(static_cast<std::size_t>(gpu_count()));
  logs_.resize(gpus_.size());
  std::unique_ptr<Gpu>& gpu = gpus_[static_cast<std::size_t>(index)];
  std::unique_ptr<LaunchLog>& log = logs_[static_cast<std::size_t>(index)];
  if (gpu) return *gpu;
  return *usable([&]() -> Gpu* {
    if (!log) log = std::make_unique<LaunchLog>(settings(), settings().load());
    gpu = std::make_unique<Gpu>(index, settings(), registry, *log, host_clock_);
    return gpu.get();
  });
}

Gpu& Process::gpu_that(const std::function<bool(const Gpu&)>& has, int otherwise) {
  for (const auto& each : gpus_) {
    if (each && has(*each)) return *each;
  }
  return gpu(otherwise);
}

std::optional<cudaError_t> Process::sticky_of(int index) const {
  const auto at = static_cast<std::size_t>(index);
  return at < gpus_.size() && gpus_[at] ? gpus_[at]->sticky : std::nullopt;
}

void Process::reset(int index) {
  const auto at = static_cast<std::size_t>(index);
  if (at >= gpus_.size() || !gpus_[at]) return;
  has_found_ |= finish_gpu(*gpus_[at], settings());
  tell_notes(*gpus_[at]);
  gpus_[at]->output.print();
  gpus_[at]->launches.forget_open();
  peers.forget(*gpus_[at]);
  gpus_[at].reset();
  // With its clock the only one begins anew; others go on.
  if (std::ranges::none_of(gpus_, [](const auto& gpu) { return gpu != nullptr; })) host_clock_ = 0;
}

}  // namespace heddle::cudart
