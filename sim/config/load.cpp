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

constexpr const char* kBaseFile = "base.yaml";

/// A file of this name that names no GPU, and extends none.
bool is_base(const fs::path& file) {
  if (file.filename() != kBaseFile || !is_file(file)) return false;
  const YamlValue root = YamlDocument::load(file.string()).root();
  return !root.find("name") && !root.find("extends");
}

/// A base that cannot be read is told of where it is used.
bool is_gpu(const fs::path& file) {
  try {
    return !is_base(file);
  } catch (const InputError&) {
    return false;
  }
}

/// Where GPU files are unless $HEDDLE_CONFIGS says where.
std::string installed_directory() {
  std::string near = directory_near_program();
  if (!near.empty()) return near;
  return !holds_gpus(HEDDLE_CONFIGS_DIR) && holds_gpus("configs") ? "configs" : HEDDLE_CONFIGS_DIR;
}

/// Heddle's own; empty if there is none.
fs::path installed_base() {
  fs::path file = fs::path(installed_directory()) / kBaseFile;
  return is_base(file) ? file : fs::path();
}

/// That of a folder of GPU files, or Heddle's own; empty if there is none at all.
fs::path base_file(const std::string& configs_directory) {
  fs::path file = fs::path(configs_directory) / kBaseFile;
  return is_base(file) ? file : installed_base();
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  return fs::weakly_canonical(a) == fs::weakly_canonical(b);
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
    const auto extends = document.root().find("extends");
    const bool is_whole = extends ? add_extended(file, *extends) : add_base(base_file(configs_directory_));
    layers_.add(document.root());
    return is_whole;
  }

  Layers& layers() { return layers_; }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  bool add_extended(const fs::path& file, const YamlValue& extends) {
    const std::optional<std::string> name = extends.as_string(problems_);
    if (!name) return false;
    const fs::path extended = find_extended(file.parent_path(), *name);
    const std::string refusal = refusal_of(*name, extended);
    if (refusal.empty()) return is_base(extended) ? add_base(extended) : add(extended);
    extends.error(problems_, refusal);
    return false;
  }

  /// Below another one lies Heddle's own, which may have keys that came later. Without one, all keys must be
  /// in the files: nothing is missing by itself.
  bool add_base(const fs::path& base) {
    if (base.empty()) return true;
    paths_.push_back(base.string());
    const fs::path installed = installed_base();
    if (!installed.empty() && !is_same_file(base, installed)) add_base(installed);
    layers_.add_base(YamlDocument::load(base.string()).root());
    return true;
  }

  [[nodiscard]] fs::path find_extended(const fs::path& beside, const std::string& name) const {
    const std::string file = name.ends_with(".yaml") ? name : name + ".yaml";
    if (is_file(beside / file)) return beside / file;
    if (!is_name(name)) return {};
    if (is_file(fs::path(configs_directory_) / file)) return fs::path(configs_directory_) / file;
    return file == kBaseFile ? base_file(configs_directory_) : fs::path();
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
    if (is_base(name_or_path)) throw InputError({name_or_path}, "this is what GPU files extend, and no GPU");
    return name_or_path;
  }
  fs::path file = fs::path(configs_directory) / (name_or_path + ".yaml");
  if (is_file(file) && !is_base(file)) return file;
  if (const auto known = known_as(name_or_path, configs_directory))
    return fs::path(configs_directory) / (*known + ".yaml");
  throw InputError({}, fmt::format("no GPU '{}' in {}; {}", name_or_path, configs_directory,
                                   suggestion(name_or_path, available_gpus(configs_directory))));
}

GpuSpec read(GpuFiles& files, bool is_whole, const Overrides& overrides, Diagnostics& problems) {
  for (const Override& override : overrides) files.layers().add_override(override);
  if (!is_whole) problems.throw_if_any();
  GpuSpec spec = files.layers().read();
  problems.throw_if_any();
  return spec;
}

}  // namespace

std::string default_configs_directory() {
  if (const char* chosen = std::getenv("HEDDLE_CONFIGS"); chosen != nullptr && *chosen != '\0') return chosen;
  return installed_directory();
}

GpuSpec load_gpu(const std::string& name_or_path, const Overrides& overrides,
                 const std::string& configs_directory) {
  Diagnostics problems;
  GpuFiles files(configs_directory, problems);
  const bool is_whole = files.add(find_gpu(name_or_path, configs_directory));
  return read(files, is_whole, overrides, problems);
}

GpuSpec load_gpu_text(const std::string& text, const std::string& name, const Overrides& overrides,
                      const std::string& configs_directory) {
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
    if (entry->path().extension() == ".yaml" && is_file(entry->path()) && is_gpu(entry->path()))
      names.push_back(entry->path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::sim
