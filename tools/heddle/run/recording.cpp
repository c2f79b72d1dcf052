#include "tools/heddle/run/recording.h"

#include <fmt/format.h>

namespace heddle::command {

namespace {

constexpr std::string_view kListName = "kernelslist.g";
/// Launches of one command find caches empty, so the list says so. Other readers ignore the line.
constexpr std::string_view kColdCaches = "FlushCaches\n";

}  // namespace

Recording::Recording(RecordRequest request)
    : request_(std::move(request)), until_then_(nearest_folder(request_.folder)) {
  const MadeFolders tried(request_.folder);
  require_writable(fmt::format("{}/{}", request_.folder, kListName));
}

NewFile& Recording::new_file(const std::string& name) {
  return files_.emplace_back(fmt::format("{}/{}", request_.folder, name), until_then_);
}

void Recording::add(trace::RecordingKernel& kernel) {
  ++kernels_;
  const std::string_view ending = trace::ending_of(request_.compression);
  const std::string name = fmt::format("kernel-{}.traceg{}", kernels_, ending);
  const std::string facts_name = fmt::format("kernel-{}.facts{}", kernels_, ending);
  const auto sink = [this](const NewFile& file) {
    return trace::open_sink({file.temporary(), file.path()}, request_.compression);
  };
  const auto lines = sink(new_file(name));
  const auto facts = sink(new_file(facts_name));
  kernel.write(kernels_, facts_name, *lines, *facts);
  if (kernels_ > 1) list_ += kColdCaches;
  list_ += name + '\n';
}

void Recording::keep() {
  folders_.emplace(request_.folder);
  new_file(std::string(kListName)).write(list_);
  for (NewFile& file : files_) file.keep();
}

}  // namespace heddle::command
