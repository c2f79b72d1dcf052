#include "tools/heddle/run/replay_sample.h"

#include <algorithm>
#include <map>
#include <utility>

#include "isa/base/student_t.h"
#include "isa/base/thread_team.h"
#include "sim/trace/read/instruction_count.h"
#include "sim/trace/read/trace_reader.h"
#include "tools/heddle/run/replay_list.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/sample/launch_sample.h"

namespace heddle::command {

namespace {

sample::LaunchTraits read_traits(const std::string& path) {
  const trace::TraceHeader header = trace::open_trace(path)->header();
  return {header.kernel,
          header.grid,
          header.block,
          header.registers,
          header.shared_bytes,
          trace::count_instructions(path),
          false};
}

/// Traces are read side by side, each once.
std::vector<sample::LaunchTraits> traits_of(const std::vector<TracedKernel>& kernels, unsigned threads) {
  std::map<std::string, sample::LaunchTraits> by_path;
  for (const TracedKernel& kernel : kernels) by_path[kernel.path];
  std::vector<std::pair<const std::string, sample::LaunchTraits>*> files;
  for (auto& file : by_path) files.push_back(&file);
  ThreadTeam(threads).run_long(
      files.size(), [&](std::size_t i, std::size_t) { files[i]->second = read_traits(files[i]->first); });
  std::vector<sample::LaunchTraits> traits;
  for (const TracedKernel& kernel : kernels) {
    traits.push_back(by_path.at(kernel.path));
    traits.back().finds_empty_l2 = kernel.finds_empty_l2;
  }
  return traits;
}

/// Replays launches of a list, never the same twice in one round.
class SampleReplay {
 public:
  SampleReplay(const RunRequest& request, const sim::GpuSpec& spec, const std::vector<TracedKernel>& kernels,
               const WatchRun* watch)
      : request_(request),
        kernels_(kernels),
        list_(request, spec, watch),
        sample_(traits_of(kernels, request.threads)) {}

  RunOutcomes run() {
    for (auto round = sample_.next_round(); !round.empty(); round = sample_.next_round()) {
      if (!time(round)) return {std::move(*failed_)};
    }
    return outcomes();
  }

 private:
  bool time(const std::vector<std::size_t>& round);
  const CountedRun* replay(std::size_t launch, RunOutcome& outcome);
  RunOutcomes outcomes();

  const RunRequest& request_;
  const std::vector<TracedKernel>& kernels_;
  ReplayedDevice list_;
  sample::LaunchSample sample_;
  std::map<std::size_t, RunOutcome> timed_;
  std::map<std::size_t, report::WarmUp> warm_ups_;  // by the launch that follows
  std::optional<RunOutcome> failed_;
};

/// Null if the launch fails.
const CountedRun* SampleReplay::replay(std::size_t launch, RunOutcome& outcome) {
  const TracedKernel& kernel = kernels_[launch];
  outcome = outcome_of(request_, kernel.path, [&] { return list_.replay(kernel); });
  const auto* run = std::get_if<CountedRun>(&outcome.run);
  if (run == nullptr) failed_ = outcome;
  return run;
}

/// False if one fails.
bool SampleReplay::time(const std::vector<std::size_t>& round) {
  std::size_t next = 0;  // the first launch of which nothing has happened in this round
  for (const std::size_t launch : round) {
    const bool warms_up = launch > next && !kernels_[launch].finds_empty_l2;
    for (; next < launch; ++next) {
      list_.prepare(kernels_[next]);
      if (!warms_up || next + 1 != launch) continue;
      RunOutcome outcome;
      const CountedRun* const run = replay(next, outcome);
      if (run == nullptr) return false;
      warm_ups_[launch] = {static_cast<std::uint32_t>(sample_.group_of(next) + 1), run->result.cycles};
    }
    list_.prepare(kernels_[launch]);
    const CountedRun* const run = replay(launch, timed_[launch]);
    if (run == nullptr) return false;
    sample_.add(launch, run->result.cycles);
    next = launch + 1;
  }
  return true;
}

RunOutcomes SampleReplay::outcomes() {
  const auto stand_ins = sample_.stand_ins();
  RunOutcomes outcomes;
  for (auto& [launch, outcome] : timed_) {
    const std::size_t group = sample_.group_of(launch);
    report::StandsFor stands_for;
    stands_for.group = static_cast<std::uint32_t>(group + 1);
    stands_for.members = sample_.groups()[group].size();
    stands_for.is_first = sample_.is_first(launch);
    for (const std::size_t each : stand_ins.at(launch)) stands_for.launches.push_back(kernels_[each].number);
    if (const auto warm_up = warm_ups_.find(launch); warm_up != warm_ups_.end())
      stands_for.warm_up = warm_up->second;
    std::get<CountedRun>(outcome.run).info.stands_for = std::move(stands_for);
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace

RunOutcomes replay_sample(const RunRequest& request, const sim::GpuSpec& spec,
                          const std::vector<TracedKernel>& kernels, const WatchRun* watch) {
  return SampleReplay(request, spec, kernels, watch).run();
}

std::optional<report::ListSample> list_sample_of(std::span<const report::Summary> kernels) {
  if (kernels.empty() || !kernels[0].info.stands_for) return std::nullopt;
  report::ListSample sample;
  std::vector<std::uint64_t> members;
  std::vector<sample::LaunchTiming> timed;
  std::vector<sample::LaunchTiming> warm_ups;
  for (const report::Summary& kernel : kernels) {
    const report::StandsFor& stands_for = kernel.info.stands_for.value();
    const std::size_t group = stands_for.group - 1;
    members.resize(std::max(members.size(), group + 1));
    members[group] = stands_for.members;
    timed.push_back({group, stands_for.is_first, kernel.cycles});
    if (const auto& warm_up = stands_for.warm_up)
      warm_ups.push_back({warm_up->group - std::size_t{1}, false, warm_up->cycles});
    sample.launches += stands_for.launches.size();
  }
  const sample::ListUncertainty uncertainty = sample::uncertainty_of(members, timed, warm_ups);
  sample.timed = kernels.size();
  sample.warm_ups = warm_ups.size();
  sample.groups = members.size();
  sample.confidence = kConfidence;
  sample.from_scatter = uncertainty.sampling;
  sample.from_l2 = uncertainty.l2;
  return sample;
}

}  // namespace heddle::command
