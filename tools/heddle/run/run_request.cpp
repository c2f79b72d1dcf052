#include "tools/heddle/run/run_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/read_bytes.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/base/cuda_options.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/optional_word.h"
#include "tools/heddle/base/provenance.h"
#include "tools/heddle/run/gpu_options.h"
#include "tools/heddle/run/run_command.h"
#include "tools/heddle/run/run_outputs.h"
#include "tools/launch/arguments.h"

namespace heddle::command {

namespace {

constexpr std::string_view kExamples =
    "  heddle run vecadd\n"
    "  heddle run vecadd --gpu a100 --param n=1000000\n"
    "  heddle run vecadd --set l1.enabled=false --scheduler lrr\n"
    "  heddle run my_launch.yaml --sms 8\n"
    "  heddle run reduce_v1 reduce_v2 reduce_v3\n"
    "  heddle run vecadd --sweep gpu=v100,a100,h100 --sweep scheduler=gto,lrr\n"
    "  heddle run kernelslist.g --gpu v100 --kernels 3-7,12\n"
    "  heddle run vecadd --format json --output vecadd.json --save c=c.npy\n";

SaveRequest read_save(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size() || !text.ends_with(".npy")) {
    throw UsageError(fmt::format("--save {}: must be BUFFER=FILE.npy", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// How many elements of a buffer are printed if no range is given: the first ones.
constexpr std::uint64_t kUsualElements = 16;
constexpr std::uint64_t kMostElements = 1 << 20;

PrintRequest read_print(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos) return {text, 0, kUsualElements};
  const std::string range =
      text.ends_with(']') ? text.substr(open + 1, text.size() - open - 2) : std::string();
  const std::size_t colon = range.find(':');
  const auto from = count_in(range.substr(0, colon));
  const auto until = colon == std::string::npos ? from : count_in(range.substr(colon + 1));
  const std::uint64_t end = until.value_or(0) + (colon == std::string::npos ? 1 : 0);
  if (open == 0 || !from || !until || end <= *from || end - *from > kMostElements)
    throw UsageError(fmt::format("--print {}: must be BUFFER, BUFFER[I] or BUFFER[FROM:TO]", text));
  return {text.substr(0, open), *from, end};
}

void read_gpu(const OptionValues& values, RunRequest& request) {
  request.gpu = values["gpu"].as<std::string>();
  request.settings = gpu_settings(values);
  request.print_gpu = values.count("print-gpu") != 0;
  request.list_schedulers = text_of(values, "scheduler") == "list";
}

/// The ending of the kernel files that --code asks for.
std::optional<std::string> code_of(const OptionValues& values) {
  if (values.count("code") == 0) return std::nullopt;
  const std::string code = choice_of(values, "code", {"sass", "ptx", "cuda", "machine"});
  return code == "cuda" || code == "machine" ? ".cu" : '.' + code;
}

void read_overrides(const OptionValues& values, launch::LaunchOverrides& overrides) {
  overrides.grid = extents_of(values, "grid");
  overrides.block = extents_of(values, "block");
  overrides.ask_ptxas = text_of(values, "registers") == "ptxas";
  if (!overrides.ask_ptxas) overrides.registers = size_of(values, "registers");
  overrides.dynamic_shared_bytes = bytes_of(values, "shared");
  overrides.entry = text_of(values, "entry");
  overrides.params = overrides_of(values, "param");
  overrides.code = code_of(values);
  overrides.most_registers = most_registers_of(values);
  overrides.cuda = cuda_options_of(values);
  overrides.cuda.is_machine_code = text_of(values, "code") == "machine";
}

/// A launch file, or the text of one that --args makes.
void read_launches(const OptionValues& values, RunRequest& request) {
  const auto arguments = text_of(values, "args");
  if (!arguments) {
    request.launches = launches_of(values, "run");
    return;
  }
  const std::vector<std::string> files = list_of(values, "launch");
  if (files.size() != 1 || files[0].ends_with(".yaml"))
    throw UsageError("--args goes with one kernel file: a .cu, .ptx or .sass");
  request.launches = {"-"};
  request.overrides.standard_input_name = input_name(files[0]) + " --args";
  request.overrides.standard_input = launch::launch_text_of_arguments(
      files[0], *arguments, text_of(values, "grid").value_or(""), text_of(values, "block").value_or(""));
}

/// By default the journal is beside the report, if that is a file.
void read_journal(const OptionValues& values, RunRequest& request) {
  request.journal = text_of(values, "journal");
  if (request.journal == "") throw UsageError("--journal: must be the name of a file");
  if (!request.journal && request.output) request.journal = *request.output + ".journal";
  request.resume = values.count("resume") != 0;
}

void read_checkpoint(const OptionValues& values, RunRequest& request) {
  const auto path = text_of(values, "checkpoint");
  const auto every = text_of(values, "every");
  if (every && !path) throw UsageError("--every goes with --checkpoint FILE");
  if (!path) return;
  if (path->empty()) throw UsageError("--checkpoint: must be the name of a file");
  const auto time = read_duration(every.value_or("10min"), "--every");
  const std::string file = std::filesystem::absolute(*path).string();
  request.checkpoints = std::make_shared<Checkpoints>(CheckpointRequest{file, time, label_of_command()});
}

void read_report(const OptionValues& values, RunRequest& request) {
  request.format = choice_of(values, "format", {"text", "json", "csv"});
  request.output = output_of(values);
  request.plot = plot_of(values);
  for (const std::string& save : list_of(values, "save")) request.saves.push_back(read_save(save));
  for (const std::string& print : list_of(values, "print")) request.prints.push_back(read_print(print));
  read_journal(values, request);
  read_checkpoint(values, request);
  request.quiet = values.count("quiet") != 0;
  request.ascii = values.count("ascii") != 0;
  request.full = values.count("full") != 0;
}

constexpr Cycle kLongestTimeline = 10'000;

/// Reads FROM:TO, without the cycle TO.
std::optional<TimelineRequest> read_timeline(const OptionValues& values) {
  const auto text = text_of(values, "timeline");
  if (!text && (values.count("timeline-sm") != 0 || values.count("lanes") != 0))
    throw UsageError("--timeline-sm and --lanes go with --timeline");
  if (!text) return std::nullopt;
  TimelineRequest request;
  const std::size_t colon = text->find(':');
  const auto from = count_in(text->substr(0, colon));
  const auto until = count_in(colon == std::string::npos ? "" : text->substr(colon + 1));
  if (!from || !until || *until <= *from || *until - *from > kLongestTimeline) {
    throw UsageError(fmt::format(
        "--timeline {}: must be FROM:TO, two cycles of which the second is the greater, at most {} apart",
        *text, kLongestTimeline));
  }
  request.range.from = *from;
  request.range.until = *until;
  request.sm = size_of(values, "timeline-sm").value_or(0);
  request.lanes = values.count("lanes") != 0;
  return request;
}

std::optional<RecordRequest> read_record(const OptionValues& values) {
  const std::string form = choice_of(values, "record-as", {"zst", "xz", "gz", "plain"});
  const auto folder = text_of(values, "record");
  if (!folder && values.count("record-as") != 0) throw UsageError("--record-as goes with --record FOLDER");
  if (!folder) return std::nullopt;
  return RecordRequest{*folder, trace::compression_of('.' + form)};
}

KernelsRequest read_kernels(const OptionValues& values) {
  const auto one = number_of(values, "kernel", std::numeric_limits<std::uint64_t>::max());
  const auto several = text_of(values, "kernels");
  if (one && several) throw UsageError("--kernel and --kernels: only one of them can be given");
  if (one) return {"kernel", std::to_string(*one)};
  if (several && several->empty()) throw UsageError("--kernels: must be numbers of kernels, as 3-7,12");
  return {"kernels", several.value_or("")};
}

/// A file that a picture is written to.
std::optional<std::string> picture_of(const OptionValues& values, const std::string& option) {
  const auto file = text_of(values, option);
  if (file == "") throw UsageError(fmt::format("--{}: must be the name of a file", option));
  return file;
}

/// Nothing for all SMs.
std::optional<std::uint32_t> read_sms(const OptionValues& values) {
  if (text_of(values, "sms") == "all") return std::nullopt;
  const auto sms = size_of(values, "sms");
  if (sms == 0U) throw UsageError("--sms 0: must be at least 1, or all");
  return sms;
}

/// Empty if nothing is sampled.
std::string read_sample(const OptionValues& values) {
  return values.count("sample") == 0 ? std::string() : choice_of(values, "sample", {"blocks", "kernels"});
}

/// 0 if the option was not given.
unsigned jobs_of(const OptionValues& values) {
  constexpr std::uint32_t kMostJobs = 1024;
  const auto jobs = size_of(values, "jobs", kMostJobs);
  if (jobs == 0U) throw UsageError("--jobs 0: must be at least 1");
  return jobs.value_or(0);
}

void read_conditions(const OptionValues& values, RunRequest& request) {
  std::vector<std::string> baselines;
  for (const std::string& text : list_of(values, "fail-if")) {
    request.fail_if.push_back(conditions::read_fail_condition(text, "--fail-if"));
    if (const auto& baseline = request.fail_if.back().baseline) baselines.push_back(baseline->path);
  }
  if (!baselines.empty()) require_own_outputs(request, baselines);
}

void require_sense(const RunRequest& request) {
  if (request.print_gpu || request.list_schedulers) return;
  if (request.launches.empty()) throw UsageError("no launch file is given");
  if (request.timeline && (request.launches.size() > 1 || request.format != "text")) {
    throw UsageError("--timeline goes with one launch and the text report");
  }
  if (request.dependences && (request.launches.size() > 1 || request.format != "text"))
    throw UsageError("--dependences goes with one launch and the text report");
  if (request.has_pictures() && request.launches.size() > 1)
    throw UsageError("--html and --perfetto go with one launch");
  if (request.launches.size() > 1 && !request.saves.empty()) {
    throw UsageError("--save goes with one launch: several would write the same file");
  }
  if (!request.prints.empty() && (request.launches.size() > 1 || request.format != "text"))
    throw UsageError("--print goes with one launch and the text report");
  if (request.lines && request.launches.size() > 1) throw UsageError("--lines goes with one launch");
  if (request.record && request.sms) {
    throw UsageError("--record writes all blocks of a launch: --sms leaves some out");
  }
  if (request.samples_blocks && request.sms)
    throw UsageError("--sample blocks and --sms: only one of them can be given");
  if (request.samples_blocks && request.record)
    throw UsageError("--record writes all blocks of a launch: --sample blocks leaves some out");
  if (request.samples_blocks && (request.has_pictures() || request.timeline)) {
    throw UsageError(
        "--timeline, --html and --perfetto show a run as it goes: --sample blocks leaves some of it out");
  }
  if (request.samples_kernels && request.timeline)
    throw UsageError("--timeline goes with one kernel: --kernel N, without --sample, times it alone");
  if (request.resume && !request.journal && !request.checkpoints) {
    throw UsageError("--resume goes with --output FILE or --journal FILE, where runs that are done are kept, or with "
                     "--checkpoint FILE");
  }
  if (request.checkpoints && (request.launches.size() > 1 || request.record))
    throw UsageError("--checkpoint goes with one launch, trace or list of traces, without --record");
  if (request.record && request.resume)
    throw UsageError("--record is of all launches or of none: --resume has nothing to go on with");
}

/// Refuses options that apply to a single run, not to a sweep.
void require_one_point(const RunRequest& request) {
  if (!request.swept.empty() &&
      (request.checkpoints || request.timeline || request.dependences || request.lines || request.record || request.has_pictures() ||
       !request.saves.empty() || !request.prints.empty() || request.print_gpu))
    throw UsageError(
        "--checkpoint, --timeline, --dependences, --lines, --html, --perfetto, --record, --save, --print and --print-gpu go with "
        "one run, not with --sweep");
}

/// Which GPU is simulated.
void add_gpu_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("gpu", text_option("GPU|FILE")->default_value("h100"), "GPU to simulate; see heddle gpus");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU, as l1.latency=40");
  add("scheduler", text_option("POLICY|list"), "policy of the warp schedulers, or shows which there are");
  add("divergence", text_option("stack|barrier"),
      "how the lanes of a warp meet again: SIMT stack or convergence barriers");
  add("cold",
      "each launch is as a process's first: code, parameters and translations are in no cache of an SM");
  add("warp-size", text_option("16|32|64"),
      "lanes of a warp; an SM holds as many warps as before, a block no more than these");
  add("print-gpu", "prints the GPU as it would be simulated, and runs nothing");
}

/// What is launched, and with what.
void add_launch_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("param", list_option("NAME=VALUE"), "changes a value or a parameter of the launch");
  add("grid", text_option("X[xYxZ]"), "blocks of the grid");
  add("block", text_option("X[xYxZ]"), "threads of a block");
  add("registers", text_option("N|ptxas"),
      "registers that a thread is charged for, at least what the kernel uses; ptxas: what NVIDIA's assembler, if "
      "it is installed, gives a kernel from PTX or CUDA C++");
  add("shared", text_option("BYTES"), "dynamic shared memory of a block");
  add("entry", text_option("NAME"), "kernel of the launch's file, by its name or its source's");
  add("code", text_option("sass|ptx|cuda|machine"),
      "takes the file of this kind beside the launch's kernel: each example is there as .sass and as .cu; machine: the .cu as "
      "nvcc's machine code for the GPU, not as PTX");
  add_cuda_options(syntax);
  add("args", text_option("LIST"),
      "instead of a launch file: the arguments of the kernel in a .cu, .ptx or .sass file, as \"x=f32[1024]:random, y=f32[1024], 1024\"");
  add("kernel", text_option("N"), "of a list of traces, only kernel-N");
  add("kernels", text_option("A-B,C,..."), "of a list of traces, only these");
}

/// Several runs, and what is reported of them.
void add_report_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("sweep", list_option("KEY=V1,V2,..."),
      "a run for each value, of all sweeps with all others, a value or FROM:TO:STEP; KEY as gpu, scheduler, block, l1.latency, n; "
      "sms as --sms");
  add_plot_options(syntax);
  add_again(syntax);
  add("full", "shows all there is to say of a run, instead of a page");
  add("format", text_option("text|json|csv"), "form of the report");
  add("output,o", text_option("FILE"), "writes the report to a file: all of it, or nothing");
  add("journal", text_option("FILE"),
      "of several runs: keeps each that is done until the report is there; FILE.journal if --output FILE is "
      "given");
  add("resume", "goes on with the runs that the journal of an interrupted command has not, or from its checkpoint");
}

/// What else comes out of a run, and how it is made.
void add_run_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("save", list_option("BUFFER=FILE.npy"), "saves a buffer after the run");
  add("print", list_option("BUFFER[FROM:TO]"), "prints elements of a buffer after the run");
  add("record", text_option("DIR"),
      "writes each launch as a trace, as Accel-Sim reads them, with a list of them");
  add("record-as", text_option("zst|xz|gz|plain"), "how traces are compressed; Accel-Sim reads xz and plain");
  add("timeline", text_option("FROM:TO"), "shows what each warp did in each of these cycles, on one SM");
  add("timeline-sm", text_option("N"), "the SM of the timeline, of a sample the N-th; 0 if not given");
  add("lanes", "lists each issue of the timeline with its active lanes");
  add("lines", optional_word("cuda|ptx|ir"),
      "shows what each line of the source costs: of the CUDA C++, of its PTX, of the instructions; of what the kernel is "
      "written in if no word follows");
  add("callers", "gives the costs of inlined code to the line of the kernel that called it; with --lines");
  add("perfetto", text_option("FILE"),
      "draws the run over time for ui.perfetto.dev: the GPU, each SM, and the warps of SM 0 cycle by cycle");
  add("html", text_option("FILE"),
      "shows the run as a page for a browser: figures, ledgers, time, instructions, and the warps of SM 0");
  add("checkpoint", text_option("FILE"),
      "keeps the state of the run there from time to time, until it ends; the same command with --resume goes on from "
      "there, with the same output");
  add("every", text_option("TIME"), "how often: 90s, 10min, 2h; 10min if not given");
  add("max-cycles", text_option("N"), "ends a run that takes longer, as a fault");
  add("fail-if", list_option("'FIGURE > NUMBER [* FILE]'"),
      "ends with exit code 4 if that is true of a run: of a figure of the JSON report, as cycles, by >, >=, <, <=, == "
      "or !=; the file is an earlier JSON report, whose figure is meant");
  add("sms", text_option("K|all"),
      "simulates so many SMs, with their share of the blocks, of L2 and of DRAM, for the whole GPU");
  add("sample", text_option("blocks|kernels"),
      "blocks: times some blocks of a grid that runs in steady state for all; kernels: times some launches of a "
      "list of traces for all that are alike; both say how far off cycles may be");
  add("threads", text_option("N"), "works on so many threads, with the same output; all cores if not given");
  add("jobs", text_option("N"),
      "of several runs, makes so many side by side, which share the threads; one a thread if not given, as "
      "far as memory allows");
  add("dependences", "reports each value that machine code reads before it is there, by the GPU's latencies");
  add("every-cycle", "visits every cycle: slow, same figures");
  add("no-check", "leaves out the checks of the results");
  add("ascii", "draws bars without block elements");
  add("quiet,q", "no report but in the file of --output, and no progress");
}

}  // namespace

Syntax run_syntax() {
  Syntax syntax = make_syntax(
      "heddle run LAUNCH.yaml|EXAMPLE|-... [OPTIONS]\n"
      "       heddle run kernelslist.g|TRACE [OPTIONS]",
      "Simulates each launch, checks its results, and reports where every slot of the GPU went.\n"
      "Several launches, or the points of a sweep, make a table with a line for each. An example that came\n"
      "with Heddle is found by its name, see heddle examples; - is a launch file on standard input. Kernel\n"
      "traces of Accel-Sim (.traceg, plain or compressed, .tracez), or a list of them, are replayed: each\n"
      "kernel gets a report, and the list.",
      "launch", kExamples);
  add_gpu_options(syntax);
  add_launch_options(syntax);
  add_report_options(syntax);
  add_run_options(syntax);
  return syntax;
}

RunRequest read_run_request(const OptionValues& values) {
  RunRequest request;
  read_gpu(values, request);
  read_overrides(values, request.overrides);
  read_launches(values, request);
  read_report(values, request);
  request.timeline = read_timeline(values);
  request.lines = read_lines(values);
  request.record = read_record(values);
  request.perfetto = picture_of(values, "perfetto");
  request.html = picture_of(values, "html");
  request.kernels = read_kernels(values);
  request.max_cycles = number_of(values, "max-cycles", kNever - 1);
  request.threads = threads_of(values);
  request.jobs = jobs_of(values);
  request.sms = read_sms(values);
  request.samples_kernels = read_sample(values) == "kernels";
  request.samples_blocks = read_sample(values) == "blocks";
  request.dependences = values.count("dependences") != 0;
  request.every_cycle = values.count("every-cycle") != 0;
  request.check = values.count("no-check") == 0;
  read_conditions(values, request);
  require_sense(request);
  return request;
}

namespace {

/// Options for how runs are made and where results go. They do not change the report.
constexpr std::string_view kOnlyHow[] = {
    "threads", "jobs",   "every-cycle", "output", "journal",     "resume",   "quiet", "save",
    "print",   "record", "record-as",   "plot",   "plot-figure", "perfetto", "html",  "fail-if",
    "checkpoint", "every"};

/// Options for the look of the report. They do not change its contents.
constexpr std::string_view kOnlyForm[] = {"format", "ascii", "full"};

/// Inserts the swept values after all options, so that they override these, but before operands after "--".
Arguments with_point(Arguments arguments, const SweepPoint& point) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  arguments.insert(end, point.arguments.begin(), point.arguments.end());
  return arguments;
}

}  // namespace

std::vector<RunRequest> read_run_requests(const Syntax& syntax, const Arguments& arguments) {
  const OptionValues values = parse(syntax, arguments);
  const std::string standard_input = standard_input_of(list_of(values, "launch"));
  const Arguments command = essential_arguments(syntax, arguments, kOnlyHow);
  const Arguments subject = essential_arguments(syntax, command, kOnlyForm);
  std::vector<RunRequest> requests;
  for (const SweepPoint& point : sweep_points(list_of(values, "sweep"))) {
    require_free(point, values);
    requests.push_back(say_as_written(
        point.wordings, [&] { return read_run_request(parse(syntax, with_point(arguments, point))); }));
    Wordings& wordings = requests.back().wordings;
    wordings.insert(wordings.end(), point.wordings.begin(), point.wordings.end());
    if (values.count("args") == 0) {
      requests.back().overrides.standard_input = standard_input;
    } else if (list_of(values, "launch") == std::vector{std::string(kStandardInput)}) {
      requests.back().overrides.kernel_text = standard_input;
    }
    requests.back().command = command;
    requests.back().subject = subject;
    requests.back().typed = arguments;
    requests.back().swept = point.values;
    require_one_point(requests.back());
  }
  if (requests.size() == 1 && requests[0].plot)
    throw UsageError("--plot goes with --sweep of two values or more");
  return requests;
}

}  // namespace heddle::command
