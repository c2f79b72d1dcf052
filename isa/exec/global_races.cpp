#include "isa/exec/global_races.h"

#include <algorithm>

#include "isa/ir/system_variables.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

namespace {

constexpr unsigned kWordBytes = 4;

bool is_fence(const ir::Instruction& instruction) {
  switch (instruction.opcode) {
    case ir::Opcode::MembarScGpu:
    case ir::Opcode::MembarAllGpu:
    case ir::Opcode::MembarScSys:
    case ir::Opcode::MembarAllSys:
      return true;
    default:
      return false;
  }
}

/// What CUDA's own functions keep, which order it among themselves. A second module's has a number behind its
/// name.
bool is_of_system(const Buffer& buffer) {
  constexpr std::string_view kNames[] = {ir::kOutputVariable, ir::kHeapVariable, ir::kHeapBuffer,
                                         ir::kLaunchesVariable};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return buffer.name().starts_with(name); });
}

}  // namespace

void GlobalRaces::begin_launch(const ir::Kernel& kernel) {
  ++launches_;
  is_on_ = std::ranges::none_of(kernel.instructions, is_fence);
  is_strong_.clear();
  for (const ir::Instruction& each : kernel.instructions)
    is_strong_.push_back(each.modifiers.has(ir::Modifier::StrengthStrong));
}

GlobalRaces::Word& GlobalRaces::word_at(Addr address) {
  const Addr page = address / (kPageWords * kWordBytes);
  if (last_ == nullptr || last_address_ != page) {
    std::unique_ptr<Page>& found = pages_[page];
    if (!found) found = std::make_unique<Page>();
    last_ = found.get();
    last_address_ = page;
  }
  if (last_->launch != launches_) {
    last_->words.fill({});
    last_->launch = launches_;
  }
  return last_->words[address / kWordBytes % kPageWords];
}

void GlobalRaces::access(const WatchedAccess& access, const Buffer& buffer, const Report& report) {
  if (!is_on_ || is_of_system(buffer)) return;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Addr first = access.addresses[lane];
    for (unsigned offset = 0; offset < access.bytes; offset += kWordBytes)
      access_word(access, lane, first + offset, offset, std::min(kWordBytes, access.bytes - offset), buffer,
                  report);
  });
}

void GlobalRaces::access_word(const WatchedAccess& access, unsigned lane, Addr address, unsigned offset,
                              unsigned count, const Buffer& buffer, const Report& report) {
  Word& word = word_at(address);
  const bool is_atomic = access.action == ir::Action::Atomic;
  const auto bytes = static_cast<std::uint8_t>(((1U << count) - 1) << address % kWordBytes);
  const Visit now{access.block, {access.pc, access.thread(lane)}, bytes, is_atomic || is_strong_[access.pc]};
  const auto meets = [&](const Visit& before) {
    return (before.bytes & bytes) != 0 && before.block != now.block && !(before.is_strong && now.is_strong);
  };
  const auto tell = [&](stream::FindingKind kind, const Visit& before) {
    report(kind, lane, {before.who, static_cast<BlockId>(before.block)}, address);
  };
  if (access.action == ir::Action::Load) {
    if (meets(word.writer)) tell(stream::FindingKind::ReadAfterWrite, word.writer);
    if (word.reader.bytes == 0 || word.reader.block == now.block) note(word.reader, now);
    return;
  }
  const auto changes = [&] {
    const std::byte* there = buffer.bytes().data() + (address - buffer.address());
    for (unsigned i = 0; i < count; ++i)
      if (access.stored_byte(lane, offset + i) != there[i]) return true;
    return false;
  };
  // Who writes what is there already changes nothing for anybody.
  if (!is_atomic && !changes()) return;
  if (meets(word.writer)) {
    tell(stream::FindingKind::WriteAfterWrite, word.writer);
  } else if (meets(word.reader)) {
    tell(stream::FindingKind::WriteAfterRead, word.reader);
  }
  note(word.writer, now);
}

void GlobalRaces::note(Visit& kept, const Visit& now) {
  const bool goes_on = kept.bytes != 0 && kept.block == now.block;
  const std::uint8_t before = goes_on ? kept.bytes : std::uint8_t{0};
  const bool is_strong = now.is_strong && (!goes_on || kept.is_strong);
  kept = now;
  kept.bytes = static_cast<std::uint8_t>(before | now.bytes);
  kept.is_strong = is_strong;
}

}  // namespace heddle::exec
