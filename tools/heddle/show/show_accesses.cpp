// heddle show coalescing and heddle show banks: both are of one access of a warp.
#include <fmt/format.h>

#include <optional>

#include "isa/text/disassemble.h"
#include "sim/config/load.h"
#include "tools/heddle/show/chosen_warp.h"
#include "tools/heddle/show/show_command.h"
#include "tools/heddle/show/shown_run.h"
#include "tools/show/coalescing.h"

namespace heddle::command {

namespace {

/// What the two pictures differ in.
struct AccessPicture {
  std::string_view command;
  const char* example;
  stream::MemorySpace space;
  const char* memory;  ///< "global memory"
  std::uint64_t (*cost)(const show::Access&, const sim::GpuSpec&);
  show::Picture (*draw)(const show::ShownAccesses&, const sim::GpuSpec&);
};

constexpr AccessPicture kCoalescing = {"show coalescing", "strided_copy",   stream::MemorySpace::Global,
                                       "global memory",   show::sectors_of, show::coalescing_picture};
constexpr AccessPicture kBanks = {"show banks",    "shared_stride", stream::MemorySpace::Shared,
                                  "shared memory", show::passes_of, show::banks_picture};

void add_access_options(Syntax& syntax) {
  add_show_options(syntax, "h100");
  add_warp_options(syntax);
  syntax.options.add_options()(
      "access", text_option("N"),
      "the access that is drawn, by its number in the table; the dearest if not given");
}

show::ShownAccesses accesses_of(ShowRequest& request, const AccessPicture& picture, const sim::GpuSpec& spec,
                                const ChosenWarp& chosen) {
  const std::string& path = request.launches[0];
  launch::LaunchFile file = launch::load_launch(path, launch::for_gpu(request.overrides, spec));
  add_inputs(request, file, spec);
  std::optional<show::AccessRecorder> recorder;
  const auto cost = [&](const show::Access& access) { return picture.cost(access, spec); };
  watched(file, spec, {}, [&](exec::LiveKernel& kernel) {
    require_warp(chosen, file, kernel.shape());
    return &recorder.emplace(kernel, chosen.block, chosen.warp, picture.space, cost);
  });
  const ir::Kernel kernel = file.launch.kernel;
  return {short_name(path),
          spec.name,
          chosen.block,
          chosen.warp,
          spec.occupancy.warp_size,
          recorder->accesses(),
          [kernel](Pc pc) { return text::disassemble(kernel, pc); }};
}

int show_accesses(const AccessPicture& picture, const Syntax& syntax, const Arguments& arguments) {
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  ShowRequest request = show_request_of(syntax, *values, arguments, picture.command, picture.example);
  if (request.launches.size() > 1)
    throw UsageError(fmt::format("{} shows one launch at a time", picture.command));
  const ChosenWarp chosen = chosen_warp_of(*values);
  const auto access = size_of(*values, "access");
  const sim::GpuSpec spec = sim::load_gpu(request.gpu, request.settings);
  show::ShownAccesses shown = accesses_of(request, picture, spec, chosen);
  if (shown.accesses.empty()) {
    throw UsageError(fmt::format("warp {} of block {} of {} does not access {}", chosen.warp, chosen.block,
                                 shown.launch, picture.memory));
  }
  if (access && *access >= shown.accesses.size())
    throw UsageError(
        fmt::format("--access {}: there are {}, counted from 0", *access, shown.accesses.size()));
  shown.chosen = access.value_or(static_cast<std::uint32_t>(show::dearest(shown.accesses)));
  deliver_picture(request, picture.draw(shown, spec));
  return kDone;
}

}  // namespace

Syntax show_coalescing_syntax() {
  Syntax syntax = make_syntax(
      "heddle show coalescing [EXAMPLE|LAUNCH.yaml] [--access N]",
      "Shows which sectors of global memory the lanes of a warp touch with one access: the dearest, or that with "
      "the number. The example is strided_copy.",
      "launch",
      "  heddle show coalescing --param n=1024 --param stride=1\n"
      "  heddle show coalescing --param n=1024 --param stride=8 --svg sectors.svg\n");
  add_access_options(syntax);
  return syntax;
}

Syntax show_banks_syntax() {
  Syntax syntax = make_syntax(
      "heddle show banks [EXAMPLE|LAUNCH.yaml] [--access N]",
      "Shows which banks of shared memory the lanes of a warp need for one access, and which have to be read "
      "more than once: the dearest access, or that with the number. The example is shared_stride.",
      "launch",
      "  heddle show banks --param blocks=1 --param stride=2\n"
      "  heddle show banks --param blocks=1 --param stride=32 --svg banks.svg\n");
  add_access_options(syntax);
  return syntax;
}

int show_coalescing_command(const Arguments& arguments) {
  return show_accesses(kCoalescing, show_coalescing_syntax(), arguments);
}

int show_banks_command(const Arguments& arguments) {
  return show_accesses(kBanks, show_banks_syntax(), arguments);
}

}  // namespace heddle::command
