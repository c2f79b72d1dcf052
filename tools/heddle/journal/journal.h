// A journal: a file beside the report of many runs with a line for each finished run, written when the run is
// done. So a command that is killed in any way loses only the unfinished runs.
//
//   {"heddle_journal":1,"version":"0.1.0",...,"runs":400,"sum":"c9d8..."}       the head
//   {"run":1,"report":[{...}],"outcomes":[{...}],"sum":"07a1..."}               in any order
//
// "report" has the figures as `--format json` prints them, for people who watch; "outcomes" has the counters,
// from which all forms of the report can be made again without loss.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/report/provenance.h"

namespace heddle::command {

/// The head of a journal. A command resumes a journal only if all of this is the same.
struct JournalHead {
  std::string version;                    ///< Version of the program.
  std::string program;                    ///< SHA-256 of the program's file; empty if it cannot be read.
  std::vector<std::string> command;       ///< The part of the command line on which figures depend.
  std::vector<report::HashedFile> files;  ///< All input files.
  std::size_t runs = 0;                   ///< Total number of runs.
};

/// An open journal.
class Journal {
 public:
  /// Whether to start a new journal or to continue one.
  enum class Mode { Begin, Resume };
  /// Receives a run, counted from 0, and its outcomes.
  using Take = std::function<void(std::size_t run, const nlohmann::ordered_json& outcomes)>;

  /// Begins a journal, or resumes one: then `take` receives the runs of an existing journal, and new runs are
  /// appended. An incomplete line is dropped, and its run counts as not done. Throws InputError if the file
  /// cannot be written, if another process writes it, if the head differs, or if a new journal would
  /// overwrite finished runs.
  Journal(const std::string& path, const JournalHead& head, Mode mode, const Take& take);
  /// Removes a journal without runs.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Appends a finished run. Throws InputError if it cannot be written.
  void add(std::size_t run, const nlohmann::ordered_json& report, const nlohmann::ordered_json& outcomes);
  /// Removes the journal, after the report was written.
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
  double synced_ = 0;  // last sync in seconds of a steady clock
};

}  // namespace heddle::command
