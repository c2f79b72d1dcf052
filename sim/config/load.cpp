#include "sim/config/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "isa/base/diagnostic.h"
#include "isa/base/file_kind.h"
#include "sim/config/layers.h"
#include "sim/config/suggest.h"
#include "sim/config/yaml_document.h"

namespace heddle::sim {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

/// h100 is the GPU that every set of configurations has.
bool holds_gpus(const fs::path& directory) { return is_file(directory / "h100.yaml"); }

/// Seen from a build folder in a checkout, and from the bin folder of an installation. No further up: what
/// lies there belongs to others.
std::string directory_near_program() {
  constexpr int kLevels = 3;
  std::error_code failure;
  fs::path above = fs::read_symlink("/proc/self/exe", failure).parent_path();
  for (int level = 0; level < kLevels; ++level, above = above.parent_path()) {
    if (holds_gpus(above / "configs")) return above / "configs";
    if (holds_gpus(above / "share/heddle/configs")) return above / "share/heddle/configs";
  }
  return {};
}

bool is_name(const std::string& name_or_path) {
  return name_or_path.find('/') == std::string::npos && !name_or_path.ends_with(".yaml");
}

/// A GPU's file and all that it extends, laid over one another.
class GpuFiles {
 public:
  GpuFiles(std::string configs_directory, Diagnostics& problems)
      : configs_directory_(std::move(configs_directory)), problems_(problems), layers_(problems) {}

  /// False if a file that is extended was not found: then most keys are missing.
  bool add(const fs::path& file) {
    const YamlDocument document = YamlDocument::load(file.string());
    paths_.push_back(file.string());
    chain_.push_back(fs::weakly_canonical(file));
    return add(document, file);
  }

  /// The same of a document that stands in the place of such a file.
  bool add(const YamlDocument& document, const fs::path& file) {
    const auto base = document.root().find("extends");
    const bool is_whole = !base || add_base(file, *base);
    layers_.add(document.root());
    return is_whole;
  }

  Layers& layers() { return layers_; }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  bool add_base(const fs::path& file, const YamlValue& extends) {
    const std::optional<std::string> name = extends.as_string(problems_);
    if (!name) return false;
    const fs::path base = find_base(file.parent_path(), *name);
    const std::string refusal = refusal_of(*name, base);
    if (refusal.empty()) return add(base);
    extends.error(problems_, refusal);
    return false;
  }

  [[nodiscard]] fs::path find_base(const fs::path& beside, const std::string& name) const {
    const std::string file = name.ends_with(".yaml") ? name : name + ".yaml";
    if (is_file(beside / file)) return beside / file;
    if (is_name(name) && is_file(fs::path(configs_directory_) / file))
      return fs::path(configs_directory_) / file;
    return {};
  }

  /// Why the file `base`, which `name` means, cannot be extended; nothing if it can.
  [[nodiscard]] std::string refusal_of(const std::string& name, const fs::path& base) const {
    constexpr std::size_t kMostBases = 32;
    if (base.empty()) {
      return fmt::format("no GPU file '{}' to extend, neither beside this file nor in {}; {}", name,
                         configs_directory_, suggestion(name, available_gpus(configs_directory_)));
    }
    if (std::find(chain_.begin(), chain_.end(), fs::weakly_canonical(base)) != chain_.end())
      return fmt::format("'extends' goes in a circle: {} extends itself", base.string());
    if (chain_.size() > kMostBases) return fmt::format("more than {} files extend one another", kMostBases);
    return {};
  }

  std::string configs_directory_;
  Diagnostics& problems_;
  Layers layers_;
  std::vector<fs::path> chain_;
  std::vector<std::string> paths_;
};

/// The GPU whose name has the same letters and digits.
std::optional<std::string> known_as(const std::string& name, const std::string& configs_directory) {
  for (const std::string& known : available_gpus(configs_directory)) {
    if (letters_of(known) == letters_of(name)) return known;
  }
  return std::nullopt;
}

fs::path find_gpu(const std::string& name_or_path, const std::string& configs_directory) {
  if (!is_name(name_or_path)) {
    require_role_of_file(FileRole::Gpu, name_or_path);
    return name_or_path;
  }
  fs::path file = fs::path(configs_directory) / (name_or_path + ".yaml");
  if (is_file(file)) return file;
  if (const auto known = known_as(name_or_path, configs_directory))
    return fs::path(configs_directory) / (*known + ".yaml");
  throw InputError({}, fmt::format("no GPU '{}' in {}; {}", name_or_path, configs_directory,
                                   suggestion(name_or_path, available_gpus(configs_directory))));
}

GpuSpec read(GpuFiles& files, bool is_whole, const std::vector<std::string>& overrides,
             Diagnostics& problems) {
  for (const std::string& override : overrides) files.layers().add_override(override);
  if (!is_whole) problems.throw_if_any();
  GpuSpec spec = files.layers().read();
  problems.throw_if_any();
  return spec;
}

}  // namespace

std::string default_configs_directory() {
  if (const char* chosen = std::getenv("HEDDLE_CONFIGS"); chosen != nullptr && *chosen != '\0') return chosen;
  std::string near = directory_near_program();
  if (!near.empty()) return near;
  return !holds_gpus(HEDDLE_CONFIGS_DIR) && holds_gpus("configs") ? "configs" : HEDDLE_CONFIGS_DIR;
}

GpuSpec load_gpu(const std::string& name_or_path, const std::vector<std::string>& overrides,
                 const std::string& configs_directory) {
  Diagnostics problems;
  GpuFiles files(configs_directory, problems);
  const bool is_whole = files.add(find_gpu(name_or_path, configs_directory));
  return read(files, is_whole, overrides, problems);
}

GpuSpec load_gpu_text(const std::string& text, const std::string& name,
                      const std::vector<std::string>& overrides, const std::string& configs_directory) {
  Diagnostics problems;
  GpuFiles files(configs_directory, problems);
  const bool is_whole = files.add(YamlDocument::parse(text, name), name);
  return read(files, is_whole, overrides, problems);
}

std::vector<std::string> gpu_files(const std::string& name_or_path, const std::string& configs_directory) {
  Diagnostics problems;
  GpuFiles files(configs_directory, problems);
  files.add(find_gpu(name_or_path, configs_directory));
  problems.throw_if_any();
  return files.paths();
}

std::vector<std::string> available_gpus(const std::string& configs_directory) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(configs_directory, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().extension() == ".yaml" && is_file(entry->path())) names.push_back(entry->path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::sim
