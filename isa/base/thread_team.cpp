#include "isa/base/thread_team.h"

#include <system_error>

namespace heddle {

namespace {

// A thread spins for a while before it sleeps: waking it can take as long as the serial work between two
// rounds.
constexpr unsigned kLooks = 4096;   // some microseconds
constexpr unsigned kYields = 4096;  // some milliseconds, in which other threads can have the processor

/// Returns when `value` differs from `old`.
void await_change(const std::atomic<unsigned>& value, unsigned old) {
  for (unsigned look = 0; look < kLooks + kYields; ++look) {
    if (value.load(std::memory_order_acquire) != old) return;
    if (look >= kLooks) std::this_thread::yield();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(unsigned threads) {
  if (threads > 1) start_threads(threads - 1);
}

ThreadTeam::~ThreadTeam() { end_threads(); }

void ThreadTeam::start_threads(unsigned count) {
  hands_.reserve(count);
  try {
    while (hands_.size() < count) hands_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {  // the host starts no more threads
  }
}

void ThreadTeam::end_threads() {
  ended_ = true;
  ++round_;
  round_.notify_all();
  hands_.clear();
  ended_ = false;
  round_ = 0;
}

void ThreadTeam::without_threads(const std::function<void()>& work) {
  const unsigned count = threads() - 1;
  end_threads();
  work();
  start_threads(count);
}

void ThreadTeam::run(std::size_t count, const Work& work) {
  looks_ahead_ = true;
  run_all(count, work);
}

void ThreadTeam::run_long(std::size_t count, const Work& work) {
  looks_ahead_ = false;
  run_all(count, work);
}

void ThreadTeam::run_all(std::size_t count, const Work& work) {
  work_ = &work;
  count_ = count;
  failures_.assign(count, nullptr);
  next_ = 0;
  working_ = static_cast<unsigned>(hands_.size());
  ++round_;
  round_.notify_all();
  work_off();
  for (unsigned left = working_; left != 0; left = working_) await_change(working_, left);
  for (const std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

void ThreadTeam::serve() {
  for (unsigned round = 0;;) {
    await_change(round_, round);
    ++round;
    if (ended_) return;
    work_off();
    if (--working_ == 0) working_.notify_all();
  }
}

void ThreadTeam::work_off() {
  for (std::size_t piece = next_++; piece < count_;) {
    const std::size_t following = looks_ahead_ ? next_++ : count_;
    try {
      (*work_)(piece, following);
    } catch (...) {
      failures_[piece] = std::current_exception();
    }
    piece = looks_ahead_ ? following : next_++;
  }
}

}  // namespace heddle
