// A source before another one: every question comes to the one behind.
#include "isa/stream/forwarding_source.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/stream/host_prefetchable.h"
#include "isa/stream/spin_watchable.h"
#include "tests/support/catch.h"
#include "tests/support/plain_source.h"

namespace heddle::stream {
namespace {

class NotingSource final : public WarpSource, public SpinWatchable, public HostPrefetchable {
 public:
  explicit NotingSource(std::vector<std::string>& asked) : asked_(asked) {}

  void start_block(BlockId, std::span<const WarpSlot>, std::span<const StaticOp*>) override {
    note("start_block");
  }
  const WarpStep& issue(WarpSlot, Cycle) override {
    note("issue");
    return step_;
  }
  void end_block(std::span<const WarpSlot>) override { note("end_block"); }
  [[nodiscard]] std::string describe(WarpSlot) const override {
    note("describe");
    return "here";
  }

  [[nodiscard]] const HostPrefetchable* host_prefetchable() const override { return this; }
  void host_prefetch(WarpSlot, PrefetchStep) const override { note("host_prefetch"); }

  [[nodiscard]] SpinWatchable* spin_watch() override { return this; }
  [[nodiscard]] bool seems_to_spin(WarpSlot) const override {
    note("seems_to_spin");
    return true;
  }
  void watch_spin(WarpSlot) override { note("watch_spin"); }
  [[nodiscard]] std::optional<bool> spins(WarpSlot) const override {
    note("spins");
    return std::nullopt;
  }
  void end_watch() override { note("end_watch"); }
  [[nodiscard]] std::uint64_t barrier_arrivals() const override {
    note("barrier_arrivals");
    return 3;
  }
  [[nodiscard]] std::uint64_t changes() const override {
    note("changes");
    return 4;
  }
  [[nodiscard]] std::string describe_spin(WarpSlot) const override {
    note("describe_spin");
    return "round";
  }

 private:
  void note(const char* question) const { asked_.emplace_back(question); }

  std::vector<std::string>& asked_;
  WarpStep step_;
};

class PlainForwarding final : public ForwardingSource {
 public:
  explicit PlainForwarding(std::unique_ptr<WarpSource> behind) : ForwardingSource(std::move(behind)) {}
};

TEST_CASE("a source that forwards hands on each question, also those that a source need not answer") {
  std::vector<std::string> asked;
  PlainForwarding before(std::make_unique<NotingSource>(asked));
  WarpSource& source = before;
  const std::array<WarpSlot, 1> slots = {0};
  std::array<const StaticOp*, 1> first = {nullptr};
  source.start_block(0, slots, first);
  source.issue(0, 0);
  REQUIRE(source.host_prefetchable() != nullptr);
  source.host_prefetchable()->host_prefetch(0, PrefetchStep::Object);
  SpinWatchable* watchable = source.spin_watch();
  REQUIRE(watchable != nullptr);
  CHECK(watchable->seems_to_spin(0));
  watchable->watch_spin(0);
  CHECK(watchable->spins(0) == std::nullopt);
  watchable->end_watch();
  CHECK(watchable->barrier_arrivals() == 3);
  CHECK(watchable->changes() == 4);
  source.end_block(slots);
  CHECK(source.describe(0) == "here");
  CHECK(watchable->describe_spin(0) == "round");
  CHECK(asked == std::vector<std::string>{"start_block", "issue", "host_prefetch", "seems_to_spin",
                                          "watch_spin", "spins", "end_watch", "barrier_arrivals", "changes",
                                          "end_block", "describe", "describe_spin"});
}

TEST_CASE("a source that forwards offers no more than the one behind") {
  PlainForwarding before(std::make_unique<PlainSource>());
  CHECK(before.spin_watch() == nullptr);
  CHECK(before.host_prefetchable() == nullptr);
}

}  // namespace
}  // namespace heddle::stream
