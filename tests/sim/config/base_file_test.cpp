// base.yaml: what holds where no GPU file says otherwise.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
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

const std::string kConfigs = HEDDLE_SOURCE_DIR "/configs";

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// tiny.yaml as files were before there was a base: it stands by itself.
std::string tiny_alone() {
  return std::regex_replace(text_of(kConfigs + "/tiny.yaml"), std::regex("extends: base\n"), "");
}

/// Without the lines that match.
std::string without(const std::string& text, const std::string& lines) {
  return std::regex_replace(text, std::regex(lines), "");
}

std::string told_of(const test::ScratchFolder& scratch, const std::string& gpu) {
  std::string text;
  for (const Diagnostic& d : refusal([&] { load_gpu(gpu, {}, scratch.path()); })) {
    text += fmt::format("{}:{}:{}: {}\n", d.where.file.substr(scratch.path().size() + 1), d.where.line,
                        d.where.column, d.message);
  }
  return text;
}

}  // namespace

TEST_CASE("a GPU file that extends nothing has what base.yaml says where it says nothing") {
  const test::ScratchFolder scratch;
  const GpuSpec tiny = load_gpu("tiny", {}, kConfigs);
  const std::string text = tiny_alone();
  REQUIRE(text.find("extends") == std::string::npos);
  CHECK(load_gpu(scratch.write("mine.yaml", text), {}, kConfigs) == tiny);
  // In a folder of GPU files without a base, too: Heddle's own is taken.
  CHECK(load_gpu("mine", {}, scratch.path()) == tiny);
  scratch.write("base.yaml", "l1: {replacement: fifo}\nl2: {replacement: random}\n");
  CHECK(load_gpu("mine", {}, scratch.path()).l1.replacement == "fifo");
  const std::string own = scratch.write(
      "own.yaml", std::regex_replace(text, std::regex("\nl1:\n"), "\nl1:\n  replacement: srrip\n"));
  CHECK(load_gpu(own, {}, scratch.path()).l1.replacement == "srrip");
  CHECK(load_gpu(own, {}, scratch.path()).l2.replacement == "random");
  CHECK(load_gpu(own, {}, scratch.path()).dram.order == tiny.dram.order);  // of Heddle's base
  CHECK(gpu_files(own, scratch.path()) ==
        std::vector<std::string>{own, scratch.path("base.yaml"), kConfigs + "/base.yaml"});
  CHECK(load_gpu(own, {"l2.replacement=tree_plru"}, scratch.path()).l2.replacement == "tree_plru");
  CHECK(load_gpu(scratch.write("v.yaml", "extends: own\nl2: {replacement: lru}\n"), {}, scratch.path())
            .l2.replacement == "lru");
}

TEST_CASE("every GPU file of Heddle's extends base.yaml in the end, which is no GPU") {
  const std::vector<std::string> names = available_gpus(kConfigs);
  CHECK(std::find(names.begin(), names.end(), "base") == names.end());
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::vector<std::string> files = gpu_files(name, kConfigs);
    REQUIRE(files.size() >= 2);
    CHECK(files.back() == kConfigs + "/base.yaml");
    const YamlDocument last = YamlDocument::load(files[files.size() - 2]);
    REQUIRE(last.root().find("extends").has_value());
    CHECK(last.root().find("extends")->text() == "base");
  }
  const auto by_name = refusal([] { load_gpu("base", {}, kConfigs); });
  REQUIRE(by_name.size() == 1);
  CHECK(by_name[0].message.find("no GPU 'base'") == 0);
  const auto by_path = refusal([] { load_gpu(kConfigs + "/base.yaml", {}, kConfigs); });
  REQUIRE(by_path.size() == 1);
  CHECK(by_path[0].message.find("no GPU") != std::string::npos);
}

TEST_CASE("a file called base.yaml that has a name is a GPU as others are") {
  const test::ScratchFolder scratch;
  GpuSpec mine = load_gpu("tiny", {"sms=7"}, kConfigs);
  mine.name = "base";
  scratch.write("base.yaml", to_yaml(mine));
  CHECK(available_gpus(scratch.path()) == std::vector<std::string>{"base"});
  CHECK(load_gpu("base", {}, scratch.path()) == mine);
  scratch.write("variant.yaml", "extends: base\nsms: 9\n");
  CHECK(load_gpu("variant", {}, scratch.path()).sms == 9);
  // What it leaves out comes from Heddle's base.
  scratch.write("base.yaml", std::regex_replace(tiny_alone(), std::regex("name: tiny"), "name: base"));
  CHECK(load_gpu("variant", {}, scratch.path()).l1.replacement ==
        load_gpu("tiny", {}, kConfigs).l1.replacement);
}

TEST_CASE("what is wrong in base.yaml is told at its place") {
  const test::ScratchFolder scratch;
  scratch.write("mine.yaml", tiny_alone());
  scratch.write("base.yaml", "l1:\n  replacement: fifoo\nl2:\n  replacement: lru\n");
  CHECK(told_of(scratch, "mine") ==
        "base.yaml:2:16: there is no replacement policy 'fifoo' (l1.replacement); did you mean 'fifo'?\n");
  scratch.write("base.yaml", "l1:\n  replacement: lru\n  replacemend: lru\nl2: {replacement: lru}\n");
  CHECK(told_of(scratch, "mine") ==
        "base.yaml:3:3: unknown key 'replacemend' in 'l1'; did you mean 'replacement'?\n");
  scratch.write("base.yaml", "- a\n");
  CHECK(told_of(scratch, "mine").find("base.yaml:1:1: this must be a map (key: value); found a list\n") == 0);
  scratch.write("base.yaml", "l1: {replacement: lru}\nl2: {replacement: lru, request_latency: 1000}\n");
  scratch.write("mine.yaml", without(tiny_alone(), "  request_latency: 10\n"));
  CHECK(told_of(scratch, "mine").find("base.yaml:2:41: 'l2.request_latency' must be at most") == 0);
}

// A part of a group in the base does not stand for the group: the file has forgotten it.
TEST_CASE("a group is missing unless the file or the base has all of it") {
  const test::ScratchFolder scratch;
  const std::string policies = "l1: {replacement: lru}\nl2: {replacement: lru}\n";
  scratch.write("base.yaml", policies);
  scratch.write("mine.yaml", without(tiny_alone(), "\nl1:\n(  .*\n)*"));
  CHECK(told_of(scratch, "mine") == "mine.yaml:4:1: key 'l1' is missing\n");
  // All keys of one, and a class of instructions that GPUs do not have unless they say so.
  scratch.write("base.yaml", policies +
                                 "cold: {enabled: false, constant_latency: 7, translation_latency: 8, "
                                 "page_bytes: 4 KiB}\nsm: {instructions: {tensor_1688_f32: none}}\n");
  scratch.write("mine.yaml", without(tiny_alone(), "\ncold:\n(  .*\n)*|    tensor_1688_f32:.*\n"));
  const GpuSpec mine = load_gpu("mine", {}, scratch.path());
  CHECK(mine.cold.constant_latency == 7);
  CHECK(mine.sm.timing(ir::TimingClass::Tensor1688F32).is_absent());
  CHECK(load_gpu("mine", {"cold.page_bytes=64KiB"}, scratch.path()).cold.page_bytes == 64 * 1024);
}

TEST_CASE("each policy of a GPU file is refused by name and place where it does not exist") {
  const test::ScratchFolder scratch;
  std::size_t policies = 0;
  for (const KeyInfo& key : gpu_keys()) {
    if (key.policies == nullptr) continue;
    ++policies;
    CAPTURE(key.path);
    const std::size_t dot = key.path.find('.');
    const std::string file = scratch.write(
        "v.yaml",
        fmt::format("extends: tiny\n{}:\n  {}: zzz\n", key.path.substr(0, dot), key.path.substr(dot + 1)));
    const auto list = refusal([&] { load_gpu(file, {}, kConfigs); });
    REQUIRE(list.size() == 1);
    CHECK(list[0].where.file == file);
    CHECK(list[0].where.line == 3);
    CHECK(list[0].message.find(fmt::format("'zzz' ({}); known are ", key.path)) != std::string::npos);
    for (const PolicyName& policy : key.policies->names()) {
      CHECK(list[0].message.find(fmt::format("'{}'", policy.name)) != std::string::npos);
      CHECK_FALSE(policy.summary.empty());
      CHECK_NOTHROW(load_gpu("tiny", {fmt::format("{}={}", key.path, policy.name)}, kConfigs));
    }
  }
  CHECK(policies >= 4);
}

}  // namespace heddle::sim
