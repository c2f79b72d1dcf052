#include "tools/heddle/occupancy/occupancy_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "isa/base/diagnostic.h"
#include "sim/config/compute_capabilities.h"
#include "sim/config/load.h"
#include "sim/occupancy/refusals.h"
#include "tools/heddle/base/input.h"
#include "tools/heddle/base/provenance.h"
#include "tools/launch/parameters.h"
#include "tools/occupancy/machine_code.h"

namespace heddle::command {

namespace {

using occupancy::CompiledKernel;
using occupancy::Question;

constexpr const char* kDefaultGpu = "h100";

/// The dynamic shared memory of a block in bytes, by an expression such as "16 * block".
class SharedExpression {
 public:
  explicit SharedExpression(const std::string& text) : text_(text) {
    try {
      interpreter_.set_number("block", std::int64_t{0});
      expression_ = interpreter_.compile(text);
    } catch (const launch::ExpressionError& error) {
      throw UsageError(fmt::format("--smem-of-block {}: {}", text, error.what()));
    }
  }

  std::uint32_t of(std::uint32_t threads) {
    try {
      interpreter_.set_number("block", std::int64_t{threads});
      const auto bytes = launch::to_integer(interpreter_.evaluate(expression_));
      if (bytes && *bytes >= 0 && *bytes <= std::numeric_limits<std::int32_t>::max()) {
        return static_cast<std::uint32_t>(*bytes);
      }
    } catch (const launch::ExpressionError& error) {
      throw UsageError(
          fmt::format("--smem-of-block {}, for a block of {}: {}", text_, threads, error.what()));
    }
    throw UsageError(fmt::format("--smem-of-block {}, for a block of {}: must be a whole number of bytes",
                                 text_, threads));
  }

 private:
  std::string text_;
  launch::Interpreter interpreter_;
  launch::Expression expression_;
};

/// What all questions of the request have in common.
Question common_question(const OccupancyRequest& request) {
  Question question = request.question;
  question.provenance = request.provenance;
  return question;
}

/// The compiler's output decides. Flags are used only for what it does not say.
Question question_of(const OccupancyRequest& request, const CompiledKernel& kernel,
                     const report::HashedFile& file) {
  Question question = common_question(request);
  question.provenance.add_files({file});
  if (question.device.name.empty()) question.device = occupancy::device_of_version(kernel.architecture);
  question.kernel = kernel.name;
  question.resources.registers_per_thread = kernel.registers;
  question.resources.static_shared = kernel.static_shared;
  if (!request.has_barriers) question.resources.barriers = kernel.barriers.value_or(1);
  question.compiled = {kernel.mangled, kernel.architecture, kernel.stack_bytes, kernel.spill_stores,
                       kernel.spill_loads};
  question.where = kernel.where;
  return question;
}

bool is_for(const CompiledKernel& kernel, const occupancy::Device& device) {
  return sim::compute_capability_version(kernel.architecture) == device.compute_capability;
}

/// The kernels with the text of --kernel in their names.
std::vector<CompiledKernel> named_kernels(const OccupancyRequest& request, const std::string& text) {
  const std::string name = input_name(*request.ptxas);
  std::vector<CompiledKernel> kernels = occupancy::read_compiled(text, name);
  if (!request.kernel) return kernels;
  std::erase_if(kernels, [&](const CompiledKernel& kernel) {
    return kernel.name.find(*request.kernel) == std::string::npos &&
           kernel.mangled.find(*request.kernel) == std::string::npos;
  });
  if (kernels.empty()) {
    throw InputError({input_name(*request.ptxas), 0, 0},
                     fmt::format("no kernel has '{}' in its name", *request.kernel));
  }
  return kernels;
}

struct Chosen {
  std::vector<CompiledKernel> kernels;
  std::vector<Diagnostic> notes;  // about these kernels, and about those that are left out
};

/// A note about a kernel that is left out.
Diagnostic left_out(const CompiledKernel& kernel, std::string_view why) {
  return {kernel.where, fmt::format("kernel '{}' is left out: {}", kernel.name, why), {}};
}

/// Each kernel on its own GPU, if that is known.
Chosen kernels_for_all(const std::vector<CompiledKernel>& kernels) {
  Chosen chosen;
  for (const CompiledKernel& kernel : kernels) {
    if (kernel.architecture.empty()) {
      chosen.notes.push_back(left_out(kernel, "it is not said which GPU it is for; --gpu or --cc says so"));
      continue;
    }
    try {
      occupancy::device_of_version(kernel.architecture);
      chosen.kernels.push_back(kernel);
    } catch (const InputError& error) {
      chosen.notes.push_back(left_out(kernel, error.list().front().message));
    }
  }
  if (chosen.kernels.empty()) throw InputError(chosen.notes);
  return chosen;
}

/// If no kernel is for the device, all are used, with a note.
Chosen kernels_for_others(const occupancy::Device& device, const std::vector<CompiledKernel>& kernels) {
  const CompiledKernel& first = kernels.front();
  const std::string found = first.architecture.empty()
                                ? "it is not said which GPU the kernels are for"
                                : fmt::format("kernels are for {}", first.architecture);
  const std::string note =
      fmt::format("{}: compiled for compute capability {}, they may take other registers and bytes", found,
                  device.compute_capability);
  return {kernels, {{first.where, note, {}}}};
}

/// A fat binary has each kernel for several architectures. Uses those for the chosen device, if there are
/// any.
Chosen kernels_for(const occupancy::Device& device, const std::vector<CompiledKernel>& kernels) {
  Chosen chosen;
  for (const CompiledKernel& kernel : kernels) {
    if (is_for(kernel, device)) chosen.kernels.push_back(kernel);
  }
  if (chosen.kernels.empty()) return kernels_for_others(device, kernels);
  for (const CompiledKernel& kernel : kernels) {
    const auto is_same = [&](const CompiledKernel& other) { return other.mangled == kernel.mangled; };
    if (std::none_of(chosen.kernels.begin(), chosen.kernels.end(), is_same))
      chosen.notes.push_back(
          left_out(kernel, fmt::format("it is for {}, others are for compute capability {}",
                                       kernel.architecture, device.compute_capability)));
  }
  return chosen;
}

Chosen chosen_kernels(const OccupancyRequest& request, const std::string& text) {
  const std::vector<CompiledKernel> kernels = named_kernels(request, text);
  const occupancy::Device& device = request.question.device;
  return device.name.empty() ? kernels_for_all(kernels) : kernels_for(device, kernels);
}

Question question_of(const OccupancyRequest& request, const std::string& path) {
  Question question = common_question(request);
  choose_device(request, question);
  launch::LaunchOverrides overrides = request.overrides;
  overrides.compute_capability =
      sim::compute_capability_number(question.device.compute_capability, load::kUsualCapability);
  const launch::LaunchFile file = launch::load_launch(path, overrides, launch::Contents::Checked);
  question.provenance.parameters = launch::parameters_of(file);
  if (path == kStandardInput) {
    add_standard_input(question.provenance, request.overrides.standard_input);
  } else {
    add_file(question.provenance, path);
  }
  for (const std::string& source : file.sources) add_file(question.provenance, source);
  question.kernel = file.launch.kernel.name;
  question.grid = file.launch.grid;
  question.resources.block = file.launch.block;
  question.resources.registers_per_thread =
      std::max(file.launch.registers_per_thread, file.launch.kernel.registers);
  question.resources.static_shared = file.launch.kernel.static_shared_bytes;
  question.resources.dynamic_shared = file.launch.dynamic_shared_bytes;
  if (!request.has_barriers) question.resources.barriers = file.launch.kernel.barriers;
  return question;
}

/// Completes a question without a block size by the suggested one and its shared memory.
void complete(const OccupancyRequest& request, Question& question) {
  if (!request.question.has_block) {
    question.resources.block = {suggest(request, question).threads, 1, 1};
    question.is_block_suggested = true;
  }
  if (!request.shared_of_block) return;
  const auto threads = static_cast<std::uint32_t>(question.resources.block.count());
  question.resources.dynamic_shared = SharedExpression(*request.shared_of_block).of(threads);
}

Gathered questions_of_ptxas(const OccupancyRequest& request) {
  const std::string text = read_input(*request.ptxas);
  report::Provenance made;
  add_input(made, *request.ptxas, text);
  const Chosen chosen = chosen_kernels(request, text);
  Gathered gathered{{}, chosen.notes};
  Diagnostics problems;
  for (const CompiledKernel& kernel : chosen.kernels) {
    try {
      gathered.questions.push_back(question_of(request, kernel, made.files[0]));
      complete(request, gathered.questions.back());
    } catch (const InputError& error) {
      problems.add(error, kernel.where);
    }
  }
  problems.throw_if_any();
  return gathered;
}

}  // namespace

void choose_device(const OccupancyRequest& request, Question& question) {
  if (!request.question.device.name.empty()) return;
  const sim::GpuSpec spec = sim::load_gpu(kDefaultGpu, {});
  question.device = occupancy::device_of(spec);
  add_gpu(question.provenance, kDefaultGpu, spec, false);
}

sim::BlockSuggestion suggest(const OccupancyRequest& request, const Question& question) {
  std::optional<SharedExpression> expression;
  sim::SharedOfBlock shared_of_block;
  if (request.shared_of_block) {
    expression.emplace(*request.shared_of_block);
    shared_of_block = [&expression](std::uint32_t threads) { return expression->of(threads); };
  }
  sim::BlockSuggestion found =
      sim::suggest_block(question.device.limits, question.resources, request.most_threads, shared_of_block);
  if (found.threads > 0) return found;
  // If not even the smallest block fits, no other block does.
  sim::KernelResources least = question.resources;
  least.block = {1, 1, 1};
  if (shared_of_block) least.dynamic_shared = shared_of_block(1);
  Diagnostics problems;
  for (const std::string& reason : sim::refusals(question.device.limits, least)) {
    problems.add({}, fmt::format("no block size can run: {}", reason));
  }
  if (problems.empty()) problems.add({}, "no block size can run");
  throw InputError(problems.list());
}

Gathered gather_questions(const OccupancyRequest& request) {
  if (request.ptxas) return questions_of_ptxas(request);
  Gathered gathered;
  std::vector<Question>& questions = gathered.questions;
  for (const std::string& path : request.launches) questions.push_back(question_of(request, path));
  if (!questions.empty()) return gathered;
  questions.push_back(common_question(request));
  choose_device(request, questions.back());
  complete(request, questions.back());
  return gathered;
}

}  // namespace heddle::command
