// A file beside the report of many runs: each run that is done is a line in it, written when it is done. So a
// command that is killed, however that happens, loses only the runs that were under way.
//
//   {"heddle_journal":1,"version":"0.1.0",...,"runs":400,"sum":"c9d8..."}       what the runs are of
//   {"run":1,"report":[{...}],"outcomes":[{...}],"sum":"07a1..."}               in any order
//
// "report" has the figures as `--format json` has them, for whoever watches; "outcomes" is what was counted,
// from which all forms of report are made again without loss.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/report/provenance.h"

namespace heddle::command {

/// A journal goes on only where all of this is as it was.
struct JournalHead {
  std::string version;                    ///< The program's,
  std::string program;                    ///< and the SHA-256 of its file; empty where that cannot be read.
  std::vector<std::string> command;       ///< The command line, as far as figures depend on it.
  std::vector<report::HashedFile> files;  ///< All that goes in.
  std::size_t runs = 0;                   ///< In all.
};

class Journal {
 public:
  enum class Mode { Begin, Resume };
  /// A run, counted from 0, and its outcomes.
  using Take = std::function<void(std::size_t run, const nlohmann::ordered_json& outcomes)>;

  /// Begins a journal; or, to resume, hands over the runs of one that is there already, if there is one, and
  /// goes on with it. A line that is not whole is dropped, and its run is one that is not done. Throws
  /// InputError where the file cannot be written, another process writes it, what it is of differs, or it is
  /// to begin and has runs in it that would be lost.
  Journal(const std::string& path, const JournalHead& head, Mode mode, const Take& take);
  /// A journal without runs goes.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// A run that is done. Throws InputError where it cannot be written.
  void add(std::size_t run, const nlohmann::ordered_json& report, const nlohmann::ordered_json& outcomes);
  /// The report has been handed over: the journal goes.
  void remove();

 private:
  void open();
  void begin(const JournalHead& head, Mode mode, const Take& take);
  void restart(const JournalHead& head);
  void write(const std::string& line);
  void sync_now_and_then();

  std::string path_;
  int descriptor_ = -1;
  std::size_t runs_ = 0;
  double synced_ = 0;  // seconds of a steady clock
};

}  // namespace heddle::command
