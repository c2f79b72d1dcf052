// Handles Ctrl-C and SIGTERM: finished work is kept, and the user gets a message.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace heddle::command {

/// While this object lives, SIGINT and SIGTERM do not end the process at once. `last_words` is called with
/// the signal's number on a separate thread while the others go on; then the process ends with exit code 128
/// + number, like in a shell. Threads that were started before still receive signals in the usual way. A
/// signal that the process was started to ignore, for example by nohup, stays ignored.
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
