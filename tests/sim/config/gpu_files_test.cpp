// The shipped GPU files, and that a file with any key wrong is refused.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sim/config/keys.h"
#include "sim/config/load.h"
#include "sim/config/print.h"
#include "sim/config/yaml_document.h"
#include "tests/sim/config/refusal.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::sim {

namespace {

const char* const kConfigs = HEDDLE_SOURCE_DIR "/configs";

/// Writes a document again, on one line each entry, with one key left out or renamed.
class Editor {
 public:
  Editor(std::string path, std::string new_name) : path_(std::move(path)), new_name_(std::move(new_name)) {}

  std::string edit(const YamlValue& value) const {
    if (value.is_list()) return "[" + entries(value) + "]";
    if (value.is_map()) return "{" + entries(value) + "}";
    return value.is_quoted() ? fmt::format("\"{}\"", value.text()) : value.text();
  }

 private:
  std::string entries(const YamlValue& value) const {
    std::string text;
    for (const YamlValue& entry : value.items()) {
      const bool is_edited = entry.path() == path_;
      if (is_edited && new_name_.empty()) continue;
      const std::string& key = is_edited ? new_name_ : entry.key();
      text += fmt::format("{}{}{},\n", key, value.is_map() ? ": " : "", edit(entry));
    }
    return text;
  }

  std::string path_;
  std::string new_name_;
};

/// Whether base.yaml has it.
bool may_be_left_out(const std::string& path) {
  std::optional<YamlValue> value = YamlDocument::load(std::string(kConfigs) + "/base.yaml").root();
  for (std::size_t begin = 0; value && begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    value = value->find(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return value && !value->is_map();
}

/// What is said about all of tiny with the key of this path renamed, or left out for an empty name.
std::vector<Diagnostic> refusal_of_edit(const std::string& path, const std::string& new_name) {
  const test::ScratchFolder scratch;
  const YamlDocument tiny = YamlDocument::parse(to_yaml(load_gpu("tiny", {}, kConfigs)), "tiny");
  const std::string file = scratch.write("edited.yaml", Editor(path, new_name).edit(tiny.root()));
  return refusal([&] { load_gpu(file, {}, kConfigs); });
}

bool says(const std::vector<Diagnostic>& list, const std::string& message) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Diagnostic& d) { return d.message.find(message) != std::string::npos; });
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string missing(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return fmt::format("key '{}' is missing", path);
  return fmt::format("key '{}' is missing in '{}'", last_part(path), path.substr(0, dot));
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// How many fields a struct has, by how many values it can be made of.
template <typename Spec, typename... Fields>
constexpr std::size_t field_count();

struct Anything {
  template <typename Field>
  operator Field() const;  // NOLINT: converts to whatever the field is
};

template <typename Spec, typename... Fields>
constexpr std::size_t field_count() {
  if constexpr (requires { Spec{Fields{}..., Anything{}}; }) {
    return field_count<Spec, Fields..., Anything>();
  } else {
    return sizeof...(Fields);
  }
}

std::size_t keys_in(const std::string& group) {
  const std::string prefix = group.empty() ? "" : group + ".";
  const std::vector<KeyInfo> keys = gpu_keys();
  return static_cast<std::size_t>(std::count_if(keys.begin(), keys.end(), [&](const KeyInfo& key) {
    return key.path.starts_with(prefix) && key.path.find('.', prefix.size()) == std::string::npos;
  }));
}

}  // namespace

TEST_CASE("every GPU file loads, is called as its file, prints, and loads back the same") {
  const test::ScratchFolder scratch;
  const std::vector<std::string> names = available_gpus(kConfigs);
  CHECK(names == std::vector<std::string>{"a100", "a40", "amd_like", "b200", "h100", "h100-base", "h100-pcie",
                                          "h200", "l4", "l40", "p100", "rtx3080", "rtx4090", "rtx5090", "t4",
                                          "textbook", "tiny", "v100"});
  for (const std::string& name : names) {
    CAPTURE(name);
    const GpuSpec spec = load_gpu(name, {}, kConfigs);
    CHECK(spec.name == name);
    CHECK_FALSE(spec.description.empty());
    const std::string printed = to_yaml(spec);
    const GpuSpec again = load_gpu(scratch.write(name + ".yaml", printed), {}, kConfigs);
    CHECK(again == spec);
    CHECK(to_yaml(again) == printed);
  }
}

TEST_CASE("text of all kinds survives printing") {
  const test::ScratchFolder scratch;
  for (const char* text :
       {"null", "~", "1e5", "true", "a: b", "# no comment", "say \"this\" \\ that", "- x", "Größe"}) {
    CAPTURE(text);
    GpuSpec spec = load_gpu("tiny", {}, kConfigs);
    spec.description = text;
    CHECK(load_gpu(scratch.write("t.yaml", to_yaml(spec)), {}, kConfigs) == spec);
  }
}

TEST_CASE("the files say what the GPUs are known for") {
  const GpuSpec h100 = load_gpu("h100", {}, kConfigs);
  CHECK(h100.sms == 132);
  CHECK(h100.clock_mhz == 1980.0);
  CHECK(h100.occupancy.shared_bytes == 228 * 1024);
  CHECK(h100.occupancy.carveouts.size() == 10);
  CHECK(h100.l2.bytes == 50u << 20);
  CHECK(h100.sm.guard_latency == 13);
  CHECK(h100.sm.bypass ==
        BypassSpec{.fma_alu = 1, .wide = 0, .fp16 = 2, .fp64 = 2, .special = 0, .tensor = 3, .memory = 1});
  // 128 single-precision lanes an SM: 4 sub-partitions with two pipes that each take a warp of 32 every 2
  // cycles.
  const ClassSpec& fp32 = h100.sm.timing(ir::TimingClass::Fp32);
  CHECK(h100.sm.sub_partitions * fp32.pipes.size() * 32 / fp32.interval == 128);
  const GpuSpec a100 = load_gpu("a100", {}, kConfigs);
  const ClassSpec& a100_fp32 = a100.sm.timing(ir::TimingClass::Fp32);
  CHECK(a100.sm.sub_partitions * a100_fp32.pipes.size() * 32 / a100_fp32.interval == 64);
  CHECK(a100.l2.slices * a100.l2.sectors_per_cycle * a100.l1.sector_bytes == 5120);
  const GpuSpec v100 = load_gpu("v100", {}, kConfigs);
  CHECK(v100.l2.slices * v100.l2.sectors_per_cycle * v100.l1.sector_bytes == 2048);
  CHECK(v100.occupancy.shared_reserved == 0);
}

TEST_CASE("every field of the GPU's structs has a key") {
  CHECK(keys_in("") == field_count<GpuSpec>());
  CHECK(keys_in("occupancy") == field_count<OccupancySpec>());
  CHECK(keys_in("sm") == field_count<SmSpec>());
  CHECK(keys_in("sm.instructions") == ir::kTimingClasses);
  CHECK(keys_in("sm.instructions.fp32") == field_count<ClassSpec>());
  CHECK(keys_in("sm.constant") == field_count<ConstantSpec>());
  CHECK(keys_in("sm.instruction_cache") == field_count<InstructionCacheSpec>());
  CHECK(keys_in("sm.register_file") == field_count<RegisterFileSpec>());
  CHECK(keys_in("sm.tensor") == field_count<TensorSpec>());
  CHECK(keys_in("sm.mio") == field_count<MioSpec>());
  CHECK(keys_in("sm.shared") == field_count<SharedMemorySpec>());
  CHECK(keys_in("sm.barrier") == field_count<BarrierSpec>());
  CHECK(keys_in("l1") == field_count<L1Spec>());
  CHECK(keys_in("l2") == field_count<L2Spec>());
  CHECK(keys_in("dram") == field_count<DramSpec>());
  CHECK(keys_in("dispatch") == field_count<DispatchSpec>());
  CHECK(keys_in("cold") == field_count<ColdSpec>());
}

TEST_CASE("each key left out of a good file is refused by name unless the base has it") {
  REQUIRE(refusal_of_edit("no such key", "").empty());
  for (const KeyInfo& key : gpu_keys()) {
    CAPTURE(key.path);
    const auto list = refusal_of_edit(key.path, "");
    REQUIRE(list.empty() == may_be_left_out(key.path));
    if (list.empty()) continue;
    CHECK(says(list, missing(key.path)));
    CHECK(list[0].where.line > 0);
    // Without sm.pipes each class's pipes are unknown, too; otherwise nothing else is wrong.
    CHECK((list.size() == 1 || key.path == "sm.pipes"));
  }
}

TEST_CASE("each key renamed in a good file is refused as unknown, and as missing unless the base has it") {
  for (const KeyInfo& key : gpu_keys()) {
    CAPTURE(key.path);
    const auto list = refusal_of_edit(key.path, "zz_key");
    CHECK(says(list, "unknown key 'zz_key'"));
    if (may_be_left_out(key.path)) {
      CHECK(list.size() == 1);
      continue;
    }
    CHECK(says(list, missing(key.path)));
    CHECK((list.size() == 2 || key.path == "sm.pipes"));
  }
}

TEST_CASE("each slip of one letter in a key is answered with the key") {
  for (const KeyInfo& key : gpu_keys()) {
    const std::string name = last_part(key.path);
    if (name.size() < 4) continue;
    CAPTURE(key.path);
    CHECK(says(refusal_of_edit(key.path, name + "q"), fmt::format("did you mean '{}'?", name)));
  }
}

TEST_CASE("each number is refused just outside its range and with other things in its place") {
  for (const KeyInfo& key : gpu_keys()) {
    const std::size_t to = key.allowed.find(" to ");
    if (to == std::string::npos) continue;
    const double least = std::stod(key.allowed);
    const double most = std::stod(key.allowed.substr(to + 4));
    for (const std::string& value :
         {fmt::format("{}", least - 1), fmt::format("{}", most + 1), std::string("x"), std::string("[1]"),
          std::string("{a: 1}"), std::string()}) {
      CAPTURE(key.path, value);
      const auto list = refusal([&] { load_gpu("tiny", {key.path + "=" + value}, kConfigs); });
      REQUIRE(list.size() == 1);
      CHECK(says(list, fmt::format("'{}' must be a", key.path)));
    }
  }
}

TEST_CASE("the README of the GPU files has each key as it is described, and each class") {
  const std::string readme = read_text(std::string(kConfigs) + "/README.md");
  for (KeyInfo& key : gpu_keys()) {
    if (key.is_group) continue;
    if (key.path.starts_with("sm.instructions.")) key.path = "sm.instructions.CLASS." + last_part(key.path);
    CAPTURE(key.path);
    CHECK(readme.find(fmt::format("| `{}` | {} | {} |\n", key.path, key.allowed, key.doc)) !=
          std::string::npos);
  }
  for (const ir::TimingClassInfo& info : ir::kTimingClassTable) {
    CAPTURE(info.key);
    CHECK(readme.find(fmt::format("| `{}` | {} |\n", info.key, info.summary)) != std::string::npos);
  }
  for (const std::string& name : available_gpus(kConfigs)) {
    CHECK(readme.find(fmt::format("| `{}.yaml` |", name)) != std::string::npos);
  }
}

}  // namespace heddle::sim
