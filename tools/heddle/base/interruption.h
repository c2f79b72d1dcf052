// Ctrl-C, and the signal that ends a process politely: what is done is not lost, and the person is told.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace heddle::command {

/// While it lives, SIGINT and SIGTERM do not end the process at once: `last_words` is called with the
/// signal's number, on a thread of its own, while the others go on, and then the process ends with exit code
/// 128 and that number, as a shell has it. Threads that are started before get the signals as usual. A signal
/// that the process was started to ignore, as by nohup, stays ignored.
class Interruption {
 public:
  explicit Interruption(std::function<void(int)> last_words);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  void wait() const;

  std::function<void(int)> last_words_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace heddle::command
