#include <fmt/format.h>

#include "sim/trace/read/trace_reader.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/trace/trace_files.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

/// How many mistakes there are; each is told at once.
class Checker {
 public:
  void check(const std::string& path) {
    try {
      const trace::KernelsList list = list_of_traces(path);
      note_passed_over(path, list);
      for (const trace::ListEntry& entry : list.entries) {
        if (entry.kind == trace::ListEntry::Kind::Kernel) check_trace(entry.path);
      }
    } catch (const InputError& error) {
      tell(error);
    }
  }

  [[nodiscard]] std::uint64_t mistakes() const { return mistakes_; }

 private:
  void check_trace(const std::string& path) {
    const std::uint64_t before = mistakes_;
    std::uint64_t blocks = 0;
    std::uint64_t lines = 0;
    try {
      const auto reader = trace::open_trace(path, [&](const Diagnostic& diagnostic) {
        ++mistakes_;
        print_error(to_text(diagnostic));
      });
      for (auto event = reader->next(); event != trace::TraceReader::Event::End; event = reader->next()) {
        blocks += event == trace::TraceReader::Event::Block ? 1 : 0;
        lines += event == trace::TraceReader::Event::Line ? 1 : 0;
      }
    } catch (const InputError& error) {
      tell(error);
    }
    const std::uint64_t found = mistakes_ - before;
    write_output(fmt::format("{}: {}, {}: {}\n", path, report::counted(blocks, "block"),
                             report::counted(lines, "instruction"),
                             found == 0 ? "well-formed" : report::counted(found, "mistake")));
  }

  void tell(const InputError& error) {
    mistakes_ += error.list().size();
    print_error(error.what());
  }

  std::uint64_t mistakes_ = 0;
};

}  // namespace

int trace_check_command(const Arguments& arguments) {
  const Syntax syntax = make_syntax(
      "heddle trace check FILE...",
      "Lists every malformed line of traces, and what does not fit their launches: blocks and warps\n"
      "that are missing or stand twice, lanes that do not exist, threads that never exit. Ends with\n"
      "exit code 2 if there is anything to list.",
      "trace",
      "  heddle trace check kernel-1.traceg.xz\n"
      "  heddle trace check kernelslist.g\n");
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  Checker checker;
  for (const std::string& path : require_traces(list_of(*values, "trace"))) checker.check(path);
  return checker.mistakes() == 0 ? kDone : kInputWrong;
}

}  // namespace heddle::command
