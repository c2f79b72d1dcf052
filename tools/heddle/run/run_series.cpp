#include "tools/heddle/run/run_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/thread_team.h"
#include "tools/heddle/base/interruption.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/progress.h"
#include "tools/heddle/journal/outcome_json.h"
#include "tools/report/json_object.h"

namespace heddle::command {

namespace {

using Json = nlohmann::ordered_json;

/// A finished run in the form that the report needs.
struct Made {
  std::vector<report::Summary> rows;
  std::vector<FailedRun> failed;
  std::string told;
};

/// Brings runs that finish in any order into the order of the report, and prints their messages in that
/// order.
class Gathered {
 public:
  explicit Gathered(std::size_t runs) : made_(runs), is_made_(runs) {}

  void put(std::size_t run, Made made) {
    made_[run] = std::move(made);
    is_made_[run] = true;
    ++done_;
  }
  [[nodiscard]] bool has(std::size_t run) const { return is_made_[run]; }
  [[nodiscard]] std::size_t done() const { return done_; }

  [[nodiscard]] bool has_next() const { return next_ < made_.size() && is_made_[next_]; }
  /// Takes all finished runs up to the first one that is missing.
  void take_in_order() {
    while (has_next()) take(next_++);
  }
  /// Takes all finished runs, even after missing ones.
  void take_rest() {
    for (; next_ < made_.size(); ++next_) {
      if (is_made_[next_]) take(next_);
    }
  }

  [[nodiscard]] const RunReport& report() {
    report_.failures = failures_.list();
    return report_;
  }
  [[nodiscard]] ExitCode exit_code() const { return failures_.exit_code(); }

 private:
  void take(std::size_t run) {
    Made& made = made_[run];
    if (!made.told.empty()) print_error(made.told);
    for (FailedRun& failed : made.failed) failures_.add(std::move(failed));
    std::move(made.rows.begin(), made.rows.end(), std::back_inserter(report_.runs));
    made = {};
  }

  std::vector<Made> made_;
  std::vector<bool> is_made_;
  std::size_t done_ = 0;
  std::size_t next_ = 0;
  RunReport report_;
  RunFailures failures_;
};

Json report_json(const Made& made) {
  Json rows = Json::array();
  for (const report::Summary& row : made.rows) rows.push_back(report::to_object(row));
  for (const FailedRun& failed : made.failed) rows.push_back(report::to_object(failed.failure));
  for (Json& row : rows) row.erase("provenance");  // the journal's head has it
  return rows;
}

class SeriesRunner {
 public:
  SeriesRunner(const RunRequest& request, const RunSeries& series)
      : request_(request), series_(series), gathered_(series.runs) {}

  int run() {
    open_journal();
    try {
      make_all();
      if (!gathered_.report().runs.empty()) deliver(request_, series_.report(gathered_.report()));
      if (request_.plot) write_plot(*request_.plot, gathered_.report().runs);
    } catch (...) {
      if (journal_ && gathered_.done() != 0) print_error(kept_text());
      throw;
    }
    if (journal_) journal_->remove();
    if (gathered_.exit_code() != kDone) return gathered_.exit_code();
    const auto& rows = gathered_.report().runs;
    return std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.all_checks_hold(); })
               ? decide_conditions(request_, rows)
               : kCheckFailed;
  }

 private:
  void open_journal();
  void restore(std::size_t run, const Json& outcomes);
  void make_all();
  void make(std::size_t run);
  void add(std::size_t run, const RunOutcomes& outcomes, bool is_new);
  [[noreturn]] static void fail(const std::string& path, std::size_t run);
  void say_last_words();
  [[nodiscard]] std::string kept_text() const;

  const RunRequest& request_;
  const RunSeries& series_;
  std::mutex mutex_;
  Gathered gathered_;
  std::optional<Journal> journal_;
  std::optional<RunsProgress> progress_;
  std::atomic<bool> stopped_ = false;  // an error that is not that of a single run
};

// -- what a journal has ---------------------------------------------------------------------------

void SeriesRunner::open_journal() {
  if (!request_.journal) return;
  const auto mode = request_.resume ? Journal::Mode::Resume : Journal::Mode::Begin;
  journal_.emplace(*request_.journal, series_.head(), mode,
                   [this](std::size_t run, const Json& outcomes) { restore(run, outcomes); });
}

void SeriesRunner::restore(std::size_t run, const Json& json) {
  RunOutcomes outcomes;
  try {
    outcomes = outcomes_from_json(json, series_.gpu(run));
  } catch (const std::exception& error) {
    throw InputError({*request_.journal, 0, 0},
                     fmt::format("run {} is not as heddle writes it: {}", run + 1, error.what()));
  }
  // The present command line may ask for another form of report.
  for (RunOutcome& outcome : outcomes) {
    auto& provenance = std::holds_alternative<CountedRun>(outcome.run)
                           ? std::get<CountedRun>(outcome.run).info.provenance
                           : std::get<FailedRun>(outcome.run).failure.provenance;
    provenance.command.resize(2);
    provenance.command.insert(provenance.command.end(), request_.command.begin(), request_.command.end());
  }
  add(run, outcomes, false);
}

// -- making them ----------------------------------------------------------------------------------

void SeriesRunner::make_all() {
  if (!request_.quiet && is_terminal(stderr))
    progress_.emplace(series_.runs, gathered_.done(), steady_clock(), print_progress);
  std::vector<std::size_t> left;
  for (std::size_t run = 0; run < series_.runs; ++run) {
    if (!gathered_.has(run)) left.push_back(run);
  }
  const Interruption interruption([this](int) { say_last_words(); });
  const auto jobs = static_cast<unsigned>(std::min<std::size_t>(request_.jobs, left.size()));
  ThreadTeam(std::max(jobs, 1U)).run_long(left.size(), [&](std::size_t i, std::size_t) { make(left[i]); });
  if (progress_) progress_->close();
}

void SeriesRunner::make(std::size_t run) {
  if (stopped_) return;
  try {
    WatchRun watch;
    if (progress_) watch = progress_->watch(series_.name(run));
    const RunOutcomes outcomes = series_.make(run, watch);
    const std::lock_guard lock(mutex_);
    add(run, outcomes, true);
    if (progress_) progress_->run_done();
  } catch (...) {
    stopped_ = true;
    throw;
  }
}

void SeriesRunner::add(std::size_t run, const RunOutcomes& outcomes, bool is_new) {
  Made made;
  made.rows = series_.rows(run, outcomes);
  for (const RunOutcome& outcome : outcomes) {
    made.told += outcome.told;
    if (const auto* failed = std::get_if<FailedRun>(&outcome.run)) made.failed.push_back(*failed);
  }
  if (journal_ && is_new) journal_->add(run, report_json(made), outcomes_to_json(outcomes));
  const bool tells = !made.told.empty() || !made.failed.empty();
  gathered_.put(run, std::move(made));
  if (tells && progress_) {
    progress_->tell([this] { gathered_.take_in_order(); });
  } else {
    gathered_.take_in_order();
  }
}

// -- when they are interrupted --------------------------------------------------------------------

/// The lock is never released, because the process ends.
void SeriesRunner::say_last_words() {
  mutex_.lock();
  if (progress_) progress_->close();
  if (journal_) {
    print_error(fmt::format("interrupted: {}", kept_text()));
    if (gathered_.done() == 0) journal_->remove();
    return;
  }
  gathered_.take_rest();
  if (!gathered_.report().runs.empty()) deliver(request_, series_.report(gathered_.report()));
  print_error(
      fmt::format("interrupted: {} of {} runs are done; with --output FILE or --journal FILE they are "
                  "kept, and --resume goes on\n",
                  gathered_.done(), series_.runs));
}

/// The message includes the command line to continue with.
std::string SeriesRunner::kept_text() const {
  report::Provenance typed;
  typed.command = {"heddle", "run"};
  typed.command.insert(typed.command.end(), request_.typed.begin(), request_.typed.end());
  if (!request_.resume)
    typed.command.insert(std::find(typed.command.begin(), typed.command.end(), "--"), "--resume");
  return fmt::format("{} of {} runs are done, and kept in {}; to go on:\n  {}\n", gathered_.done(),
                     series_.runs, journal_->path(), typed.command_text());
}

}  // namespace

int run_series(const RunRequest& request, const RunSeries& series) {
  return SeriesRunner(request, series).run();
}

}  // namespace heddle::command
