#include "tools/cuda/runtime/program_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"
#include "isa/text/disassemble.h"
#include "tools/cuda/runtime/launch_log.h"
#include "tools/history/lane_recorder.h"
#include "tools/page/html_page.h"
#include "tools/report/verdict.h"

namespace heddle::cudart {

namespace {

using Json = nlohmann::ordered_json;

report::SourceText text_of(const std::string& name) {
  try {
    return report::source_text(name, read_file(name));
  } catch (const InputError&) {  // it was compiled elsewhere
    return {name, {}};
  }
}

/// The lines that the instructions stand on; nothing if none is known.
std::vector<report::LineProfile> sources_of(const ir::Kernel& kernel, const std::vector<std::string>& files) {
  report::LineProfile profile;
  profile.level = report::SourceLevel::Cuda;
  std::vector<bool> is_used(files.size());
  bool is_any = false;
  for (const ir::SourcePlace& place : kernel.sources) {
    const bool is_known = place.line != 0 && place.file < files.size();
    profile.places.push_back(is_known ? sim::LinePlace{place.file, place.line} : sim::LinePlace{});
    if (is_known) is_any = is_used[place.file] = true;
  }
  if (!is_any || profile.places.size() != kernel.instructions.size()) return {};
  for (std::size_t i = 0; i < files.size(); ++i)
    profile.files.push_back(is_used[i] ? text_of(files[i]) : report::SourceText{files[i], {}});
  return {std::move(profile)};
}

template <std::size_t Count>
void erase(Json& data, const std::string_view (&members)[Count]) {
  for (const std::string_view member : members) data.erase(std::string(member));
}

/// What the command line of the program was: "./app --size 1000".
std::string program_of(const report::Provenance& provenance) {
  constexpr std::size_t kLongest = 200;
  const auto& words = provenance.command;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  std::string program =
      fmt::format("{}", fmt::join(dashes == words.end() ? dashes : dashes + 1, words.end(), " "));
  if (program.size() > kLongest) program.resize(kLongest);
  return program.empty() ? "a program" : program;
}

Json object_of(const KernelTotals& kernel) {
  const double time = kernel.time_us > 0 ? kernel.time_us : 1;
  return {{"name", kernel.label},
          {"calls", kernel.calls},
          {"timed", kernel.timed},
          {"time_us", kernel.all_us()},
          {"longest_us", kernel.longest_us},
          {"achieved_occupancy", kernel.achieved_occupancy / time},
          {"verdict", kernel.verdict}};
}

}  // namespace

/// Which addresses the lanes of a launch named.
class ProgramPage::Lanes final : public session::LaunchLayer {
 public:
  stream::KernelSource& over(stream::KernelSource& kernel) override { return recorder_.emplace(kernel); }
  void ended() override { accesses = recorder_->take(); }

  std::vector<history::LaneAccess> accesses;

 private:
  std::optional<history::LaneRecorder> recorder_;
};

ProgramPage::Open::Open() = default;

// -- launches ---------------------------------------------------------------------------------------------

void ProgramPage::attach(session::Device& device) {
  next_.reset();
  open_.clear();
  first_open_ = 0;
  device.observe(this);
}

void ProgramPage::prepare(const ir::Kernel& kernel, const std::vector<std::string>& files,
                          const sim::GpuSpec& gpu, session::LaunchConfig& config) {
  next_.emplace();
  std::uint32_t& count = detailed_[kernel.name];
  if (count == kDetailedLaunches || detail_bytes_ >= kMostDetailBytes) return;
  ++count;
  next_->recorder.emplace(gpu.sms);
  next_->launch_cycles = gpu.dispatch.kernel_launch;
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) next_->code.push_back(text::disassemble(kernel, pc));
  next_->sources = sources_of(kernel, files);
  config.by_instruction = true;
  if (config.layer) return;  // a recording has its place
  next_->lanes = std::make_shared<Lanes>();
  config.layer = next_->lanes;
}

void ProgramPage::launched() { open_.push_back(*std::exchange(next_, std::nullopt)); }

void ProgramPage::ended(session::Device& device, session::LaunchId launch, std::uint64_t number,
                        std::size_t kernel, const report::Summary& summary) {
  Open open = std::move(open_.front());
  open_.pop_front();
  ++first_open_;
  if (number > kMostRows) {
    ++rows_left_out_;
    return;
  }
  const double begin_us = static_cast<double>(device.begin_of(launch)) / summary.clock_mhz;
  std::string row = page::script_text({{"number", number},
                                       {"kernel", kernel},
                                       {"begin_us", begin_us},
                                       {"cycles", summary.cycles},
                                       {"time_us", summary.time_us},
                                       {"achieved_occupancy", summary.achieved_occupancy},
                                       {"issue_efficiency", summary.issue_efficiency},
                                       {"divergence_utilization", summary.divergence_utilization},
                                       {"verdict", report::judge(summary).kind}});
  report::Summary told = summary;
  told.info.provenance = provenance_;
  std::string view =
      open.recorder && detail_bytes_ < kMostDetailBytes ? detail(open, device, launch, told) : "";
  if (view.empty() && figure_bytes_ < kMostFigureBytes) {
    view = figures(device, told);
    figure_bytes_ += view.size();
  }
  if (!view.empty()) {
    row.pop_back();
    row += fmt::format(",\"view\":{}}}", view);
  }
  rows_ += fmt::format("{}{}", rows_.empty() ? "" : ",\n", row);
}

std::string ProgramPage::detail(Open& open, session::Device& device, session::LaunchId launch,
                                const report::Summary& summary) {
  // A launch that waited for room began before its first block told of it: these cycles are not in its
  // history.
  const Cycle waited = open.since.value_or(0) - std::min(open.since.value_or(0), device.begin_of(launch));
  history::RunHistory history = open.recorder->take(summary.cycles - std::min(summary.cycles, waited));
  if (open.lanes) history.accesses = std::move(open.lanes->accesses);
  const sim::GpuSpec& gpu = device.gpu();
  Json data = page::page_data({summary, history, std::move(open.code), device.result(launch).by_pc,
                               std::move(open.sources), gpu.l1.sector_bytes, &gpu.occupancy});
  keep_shared(data);
  erase(data, page::kSharedMembers);
  std::string text = page::script_text(data);
  if (text.size() > kMostLaunchBytes) {
    data.erase("watched");
    text = page::script_text(data);
  }
  if (text.size() > kMostLaunchBytes) return "";
  detail_bytes_ += text.size();
  return text;
}

std::string ProgramPage::figures(session::Device& device, const report::Summary& summary) {
  Json data = page::page_data({summary, {}, {}, {}, {}, device.gpu().l1.sector_bytes, nullptr});
  keep_shared(data);
  erase(data, page::kSharedMembers);
  erase(data, page::kDetailMembers);
  return page::script_text(data);
}

void ProgramPage::keep_shared(const Json& data) {
  if (!shared_.empty()) return;
  for (const std::string_view member : page::kSharedMembers)
    shared_ += fmt::format(",\n\"{}\":{}", member, page::script_text(data.at(std::string(member))));
}

std::string ProgramPage::text(const std::vector<KernelTotals>& kernels, double clock_us) const {
  if (rows_.empty()) return "";
  const std::string name = program_of(provenance_);
  const Json program = {{"name", name},
                        {"clock_us", clock_us},
                        {"detailed", kDetailedLaunches},
                        {"rows_left_out", rows_left_out_}};
  Json list = Json::array();
  for (const KernelTotals& kernel : kernels) list.push_back(object_of(kernel));
  return page::html_page(
      name, fmt::format("{{\"page_version\":2,\n\"program\":{},\n\"kernels\":{}{},\n\"launches\":[{}]}}",
                        page::script_text(program), page::script_text(list), shared_, rows_));
}

// -- what is heard ----------------------------------------------------------------------------------------

ProgramPage::Open* ProgramPage::told(std::uint32_t grid) {
  if (grid < first_open_ || grid - first_open_ >= open_.size()) return nullptr;
  Open& open = open_[grid - first_open_];
  return open.recorder ? &open : nullptr;
}

template <typename Event>
void ProgramPage::hear(Event event, void (history::HistoryRecorder::*take)(const Event&)) {
  Open* open = told(event.grid);
  if (open == nullptr) return;
  if (!open->since) open->since = event.cycle - std::min(event.cycle, open->launch_cycles);
  event.cycle -= *open->since;
  ((*open->recorder).*take)(event);
}

void ProgramPage::warp_issued(const sim::WarpIssued& event) {
  hear(event, &history::HistoryRecorder::warp_issued);
}

void ProgramPage::warp_stalled(const sim::WarpStalled& event) {
  sim::WarpStalled heard = event;
  if (const Open* open = told(event.grid); open != nullptr && open->since) {
    heard.from -= *open->since;
    heard.until -= *open->since;
  }
  hear(heard, &history::HistoryRecorder::warp_stalled);
}

void ProgramPage::block_started(const sim::BlockStarted& event) {
  hear(event, &history::HistoryRecorder::block_started);
}

void ProgramPage::block_ended(const sim::BlockEnded& event) {
  hear(event, &history::HistoryRecorder::block_ended);
}

void ProgramPage::memory_served(const sim::MemoryServed& event) {
  hear(event, &history::HistoryRecorder::memory_served);
}

}  // namespace heddle::cudart
