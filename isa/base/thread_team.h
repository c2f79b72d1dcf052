// A team of threads that share pieces of work again and again.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace heddle {

/// A team of `threads`, including the caller, or as many as the host can start. Pieces of work are mostly
/// short and follow each other closely, so an idle thread spins for a while before it sleeps.
class ThreadTeam {
 public:
  explicit ThreadTeam(unsigned threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(hands_.size()) + 1; }

  /// Does one piece of work. `following` is the piece that the same thread does next; no other thread touches
  /// it meanwhile. If there is none, `following` is at least the number of pieces.
  using Work = std::function<void(std::size_t piece, std::size_t following)>;

  /// Does all pieces from 0 to count - 1, in any order, on any thread, and returns when all are done. If some
  /// throw, the exception of the lowest piece is thrown at the end, so that it is the same with any number of
  /// threads.
  void run(std::size_t count, const Work& work);
  /// The same for pieces that take long. No piece is reserved for a thread that is busy with another, so
  /// there is never a `following` piece.
  void run_long(std::size_t count, const Work& work);

  /// Ends its threads, does the work on the caller's, and starts as many again.
  void without_threads(const std::function<void()>& work);

 private:
  void start_threads(unsigned count);
  void end_threads();
  void run_all(std::size_t count, const Work& work);
  void serve();
  void work_off();

  const Work* work_ = nullptr;
  std::size_t count_ = 0;
  bool looks_ahead_ = true;  // a thread reserves the following piece with each piece
  std::atomic<std::size_t> next_ = 0;
  std::atomic<unsigned> round_ = 0;    // counts the calls of run
  std::atomic<unsigned> working_ = 0;  // threads that have not finished the round
  std::atomic<bool> ended_ = false;
  std::vector<std::exception_ptr> failures_;  // by piece
  std::vector<std::jthread> hands_;
};

}  // namespace heddle
