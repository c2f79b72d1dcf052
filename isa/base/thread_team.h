// Threads that do a piece of work side by side, again and again.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace heddle {

/// `threads` in all, the caller among them, or as many as the host starts. Pieces of work mostly are short,
/// and follow one another closely: who waits for the next one looks for it a while before it sleeps.
class ThreadTeam {
 public:
  explicit ThreadTeam(unsigned threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(hands_.size()) + 1; }

  /// A piece of work, and the one that the same thread does next, which nobody else touches meanwhile; none
  /// if that is no less than the number of pieces.
  using Work = std::function<void(std::size_t piece, std::size_t following)>;

  /// Does each piece below `count`, in any order, on any thread, and returns when all are done. Where some
  /// throw, the exception of the lowest is thrown then, so that it is the same with any number of threads.
  void run(std::size_t count, const Work& work);
  /// The same of pieces that take long: none is kept for a thread that is still at another one, so that
  /// `following` is none.
  void run_long(std::size_t count, const Work& work);

 private:
  void run_all(std::size_t count, const Work& work);
  void serve();
  void work_off();

  const Work* work_ = nullptr;
  std::size_t count_ = 0;
  bool looks_ahead_ = true;  // a thread takes the following piece with each
  std::atomic<std::size_t> next_ = 0;
  std::atomic<unsigned> round_ = 0;    // counts the calls of run
  std::atomic<unsigned> working_ = 0;  // hands that are not done with the round
  std::atomic<bool> ended_ = false;
  std::vector<std::exception_ptr> failures_;  // by piece
  std::vector<std::jthread> hands_;
};

}  // namespace heddle
