#include "isa/exec/block_team.h"

#include <algorithm>
#include <exception>

namespace heddle::exec {

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kPiecesAThread = 8;  // lest one waits for another
// An atomic that waits costs as much as so many instructions, and acts on one thread.
constexpr std::uint64_t kInstructionsForAnAtomic = 50;
// A warp that reads what another thread is about to write may loop for ever.
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 26;

/// Whether an atomic tells the kernel what others have done before it.
bool has_ordered_atomics(const DecodedLaunch& launch) {
  return std::ranges::any_of(launch.instructions, [](const Decoded& op) {
    if (op.action != ir::Action::Atomic || op.space == stream::MemorySpace::Shared) return false;
    return (op.out_rows != 0 && !op.out_is_lost) || op.writes_predicates;
  });
}

}  // namespace

FunctionalCounts BlockTeam::run(LiveKernel& kernel) {
  const std::string& name = kernel.shape().kernel;
  const BlockId blocks = kernel.shape().blocks();
  const bool may_be_shared = team_.threads() > 1 && !has_ordered_atomics(kernel.decoded());
  BlockRunner alone(kernel, kAll);
  BlockId next = 0;
  while (next < blocks && alone.counts().warp_instructions < rounds_.few_instructions) alone.run(next++);
  const std::uint64_t a_block = 1 + alone.counts().warp_instructions / std::max<BlockId>(next, 1);
  const BlockId in_a_round =
      std::max<BlockId>(team_.threads() * rounds_.instructions / a_block, team_.threads());
  FunctionalCounts counts;
  while (may_be_shared && blocks - next > 1 && !runs_alone(name)) {
    const BlockId end = std::min(blocks, next + in_a_round);
    if (!run_round(kernel, next, end)) break;
    take_counts(name, counts);
    next = end;
  }
  workers_.clear();
  while (next < blocks) alone.run(next++);
  counts += alone.counts();
  return counts;
}

void BlockTeam::take_counts(const std::string& kernel, FunctionalCounts& counts) {
  std::uint64_t atomics = 0;
  std::uint64_t instructions = 0;
  for (const Worker& worker : workers_) {
    instructions += worker.runner->counts().warp_instructions;
    counts += worker.runner->counts();
    worker.runner->clear_counts();
    atomics += worker.transaction->atomics();
  }
  if (atomics * kInstructionsForAnAtomic > instructions) alone_.insert(kernel);
}

bool BlockTeam::run_round(LiveKernel& kernel, BlockId begin, BlockId end) {
  begin_round(kernel);
  const BlockId pieces = std::min<BlockId>(end - begin, kPiecesAThread * team_.threads());
  const auto from = [&](BlockId piece) { return begin + (end - begin) * piece / pieces; };
  // A worker's pieces come in their order: what it has written it may read.
  team_.run_long(workers_.size(), [&](std::size_t worker, std::size_t) {
    for (BlockId piece = next_piece_++; piece < pieces && !has_failed_; piece = next_piece_++)
      run_piece(workers_[worker], from(piece), from(piece + 1));
  });
  if (has_failed_ || have_conflict()) {
    for (const auto& transaction : transactions_) transaction->roll_back();
    alone_.insert(kernel.shape().kernel);
    return false;
  }
  commit_atomics();
  return true;
}

void BlockTeam::begin_round(LiveKernel& kernel) {
  while (transactions_.size() < team_.threads())
    transactions_.push_back(
        std::make_unique<Transaction>(owners_, static_cast<unsigned>(transactions_.size())));
  if (workers_.empty()) {
    for (const auto& transaction : transactions_) {
      workers_.push_back({transaction.get(), std::make_unique<BlockRunner>(kernel, kMostInstructions, nullptr,
                                                                           transaction.get())});
    }
  }
  owners_.begin_round();
  for (const auto& transaction : transactions_) transaction->begin_round();
  next_piece_ = 0;
  has_failed_ = false;
}

/// What goes wrong here, a fault of the kernel above all, is seen again when the blocks are executed one
/// after another.
void BlockTeam::run_piece(Worker& worker, BlockId begin, BlockId end) {
  try {
    for (BlockId block = begin; block < end && !has_failed_; ++block) {
      worker.transaction->begin_block(block);
      worker.runner->run(block);
    }
  } catch (const TransactionConflict&) {
    has_failed_ = true;
  } catch (const std::exception&) {
    has_failed_ = true;
  }
}

bool BlockTeam::have_conflict() const {
  return std::ranges::any_of(transactions_,
                             [this](const auto& each) { return each->conflicts_with(transactions_); });
}

void BlockTeam::commit_atomics() {
  for (const auto& transaction : transactions_) atomics_.push_back(transaction->take_atomics());
  write_commit_.commit(atomics_, team_);
  for (std::size_t i = 0; i < transactions_.size(); ++i)
    transactions_[i]->give_back_atomics(std::move(atomics_[i]));
  atomics_.clear();
}

}  // namespace heddle::exec
