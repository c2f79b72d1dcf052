#include "isa/exec/paths.h"

namespace heddle::exec {

Paths::Paths(Divergence divergence) {
  if (divergence == Divergence::Barriers) books_.emplace<ConvergenceBarriers>();
}

void Paths::start(LaneMask lanes, Pc pc) {
  running_ = {pc, kNowhere, lanes, lanes};
  std::visit([](auto& books) { books.start(); }, books_);
}

void Paths::split(std::span<const BranchTarget> targets, Pc reconvergence) {
  std::visit([&](auto& books) { books.split(running_, targets, reconvergence); }, books_);
}

void Paths::diverge(LaneMask taken, Pc target, Pc fall_through, Pc reconvergence) {
  const BranchTarget others{fall_through, running_.lanes & ~taken};
  std::visit([&](auto& books) { books.diverge(running_, others, {target, taken}, reconvergence); }, books_);
}

void Paths::exit(LaneMask lanes) {
  running_.live &= ~lanes;
  running_.lanes &= ~lanes;
  if (running_.live == 0) return;  // and nobody waits; start() clears the books
  std::visit([&](auto& books) { books.exit(running_, lanes); }, books_);
}

void Paths::arrive() {
  std::visit([&](auto& books) { books.arrive(running_); }, books_);
}

bool Paths::is_same(const Paths& other) const {
  if (!(running_ == other.running_)) return false;
  const auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  const auto* others = std::get_if<ConvergenceBarriers>(&other.books_);
  if (barriers != nullptr && others != nullptr) return barriers->is_same(*others);
  const auto* stack = std::get_if<SimtStack>(&books_);
  const auto* other_stack = std::get_if<SimtStack>(&other.books_);
  return stack != nullptr && other_stack != nullptr && *stack == *other_stack;
}

bool Paths::have_all_had_turns(std::uint64_t before) const {
  const auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  if (barriers == nullptr || active() == live()) return true;
  return barriers->turns() - before > barriers->ready();
}

std::uint64_t Paths::turns() const {
  const auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  return barriers == nullptr ? 0 : barriers->turns();
}

bool Paths::may_let_go() const {
  const auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  return barriers != nullptr && barriers->may_let_go();
}

std::vector<Wait> Paths::waits() const {
  return std::visit([&](const auto& books) { return books.waits(running_); }, books_);
}

std::size_t Paths::records() const {
  return std::visit([](const auto& books) { return books.records(); }, books_);
}

void Paths::arm(unsigned name, LaneMask lanes) {
  if (auto* barriers = std::get_if<ConvergenceBarriers>(&books_)) barriers->arm(name, lanes);
}

void Paths::leave(unsigned name, LaneMask lanes) {
  if (auto* barriers = std::get_if<ConvergenceBarriers>(&books_)) barriers->leave(name, lanes);
}

void Paths::save(unsigned name, LaneMask lanes, std::uint32_t* kept) {
  if (auto* barriers = std::get_if<ConvergenceBarriers>(&books_)) barriers->save(name, lanes, kept);
}

LaneMask Paths::restore(unsigned name, LaneMask lanes, const std::uint32_t* kept) {
  auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  return barriers == nullptr ? 0 : barriers->restore(name, lanes, kept);
}

void Paths::sync(unsigned name, LaneMask lanes, Pc next) {
  auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  if (barriers == nullptr) return advance(next);
  barriers->sync(running_, name, lanes, next);
}

void Paths::gather(LaneMask members, LaneMask lanes, Pc at, Pc next) {
  auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  if (barriers == nullptr) return advance(next);
  barriers->gather(running_, {at, members}, lanes, next);
}

bool Paths::yield() {
  auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  return barriers != nullptr && barriers->yield(running_);
}

bool Paths::yield_by_instruction() {
  auto* barriers = std::get_if<ConvergenceBarriers>(&books_);
  return barriers != nullptr && barriers->yield_by_instruction(running_);
}

}  // namespace heddle::exec
