#include "tools/heddle/base/interruption.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace heddle::command {

namespace {

constexpr int kAsked[] = {SIGINT, SIGTERM};
constexpr int kEnd = SIGUSR1;  // tells only the waiting thread to end
constexpr int kSignalled = 128;

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t asked_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : kAsked) {
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  }
  return signals;
}

sigset_t end_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, kEnd);
  return signals;
}

}  // namespace

Interruption::Interruption(std::function<void(int)> last_words) : last_words_(std::move(last_words)) {
  const sigset_t signals = asked_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // The signal is blocked before the thread starts, because it may be sent before the thread has run a step.
  const sigset_t end = end_signal();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &end, &before);
  thread_ = std::thread([this] { wait(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Interruption::~Interruption() {
  ended_ = true;
  pthread_kill(thread_.native_handle(), kEnd);
  thread_.join();
  const sigset_t signals = asked_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void Interruption::wait() const {
  sigset_t signals = asked_signals();
  sigaddset(&signals, kEnd);
  int signal = 0;
  if (sigwait(&signals, &signal) != 0 || ended_) return;
  try {
    last_words_(signal);
  } catch (...) {  // the failure cannot be reported any more
  }
  _exit(kSignalled + signal);
}

}  // namespace heddle::command
