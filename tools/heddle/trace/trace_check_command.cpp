#include <fmt/format.h>

#include "sim/trace/replay/trace_check.h"
#include "tools/heddle/base/options.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/trace/trace_command.h"
#include "tools/heddle/trace/trace_files.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

/// Prints each mistake at once and counts them.
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
    trace::TraceSize size;
    try {
      size = trace::check_trace(path, [&](const Diagnostic& diagnostic) {
        ++mistakes_;
        print_error(to_text(diagnostic));
      });
    } catch (const InputError& error) {
      tell(error);
    }
    const std::uint64_t found = mistakes_ - before;
    write_output(fmt::format("{}: {}, {}: {}\n", path, report::counted(size.blocks, "block"),
                             report::counted(size.lines, "instruction"),
                             found == 0 ? "well-formed" : report::counted(found, "mistake")));
  }

  void tell(const InputError& error) {
    mistakes_ += error.list().size();
    print_error(error.what());
  }

  std::uint64_t mistakes_ = 0;
};

}  // namespace

Syntax trace_check_syntax() {
  Syntax syntax = make_syntax(
      "heddle trace check FILE...",
      "Lists every malformed line of traces, and what no GPU could replay: blocks and warps that are\n"
      "missing or stand twice, lanes that do not exist or have exited, threads that never exit,\n"
      "addresses that are none, what Heddle recorded beside a trace and does not fit it. Ends with exit\n"
      "code 2 if there is anything to list.",
      "trace",
      "  heddle trace check kernel-1.traceg.xz\n"
      "  heddle trace check kernelslist.g\n");
  return syntax;
}

int trace_check_command(const Arguments& arguments) {
  const Syntax syntax = trace_check_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  Checker checker;
  for (const std::string& path : require_traces(list_of(*values, "trace"))) checker.check(path);
  return checker.mistakes() == 0 ? kDone : kInputWrong;
}

}  // namespace heddle::command
