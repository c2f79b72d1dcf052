// What is said about GPU files and overrides that are wrong, and where.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sim/config/load.h"
#include "sim/config/print.h"
#include "tests/sim/config/refusal.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::sim {

namespace {

const std::string kConfigs = HEDDLE_SOURCE_DIR "/configs";

std::string tiny_text() {
  std::ostringstream text;
  text << std::ifstream(kConfigs + "/tiny.yaml").rdbuf();
  return text.str();
}

/// One change to tiny.yaml. '@' in the new text marks where the message is to point, and is taken out.
struct BadFile {
  std::string old_text;
  std::string new_text;
  std::string message;
  std::size_t problems = 1;
};

/// The place of '@' in the text, from which it is removed.
SourceLocation take_mark(std::string& text) {
  const std::size_t mark = text.find('@');
  text.erase(mark, 1);
  const std::size_t line_begin = mark == 0 ? 0 : text.rfind('\n', mark - 1) + 1;
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), '\n') + 1;
  return {"", static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(mark - line_begin + 1)};
}

std::string place_and_message(const Diagnostic& diagnostic) {
  return fmt::format("{}:{}: {}", diagnostic.where.line, diagnostic.where.column, diagnostic.message);
}

void check_bad_file(const BadFile& bad) {
  CAPTURE(bad.new_text, bad.message);
  std::string text = tiny_text();
  const std::size_t at = text.find(bad.old_text);
  REQUIRE(at != std::string::npos);
  text.replace(at, bad.old_text.size(), bad.new_text);
  const SourceLocation where = take_mark(text);
  const test::ScratchFolder scratch;
  const std::string file = scratch.write("bad.yaml", text);
  const auto list = refusal([&] { load_gpu(file, {}, kConfigs); });
  std::string found;
  for (const Diagnostic& diagnostic : list) found += place_and_message(diagnostic) + "\n";
  CAPTURE(found);
  CHECK(list.size() == bad.problems);
  CHECK(std::all_of(list.begin(), list.end(), [&](const Diagnostic& d) { return d.where.file == file; }));
  CHECK(found.find(fmt::format("{}:{}: {}", where.line, where.column, bad.message)) != std::string::npos);
}

/// All messages about overrides of tiny.
std::string override_refusal(const Overrides& overrides) {
  std::string text;
  for (const Diagnostic& d : refusal([&] { load_gpu("tiny", overrides, kConfigs); })) text += to_text(d);
  return text;
}

/// What is said about the file first.yaml of these files.
std::string extends_refusal(const std::vector<std::pair<std::string, std::string>>& files) {
  const test::ScratchFolder scratch;
  for (const auto& [name, text] : files) scratch.write(name, text);
  std::string text;
  for (const Diagnostic& d : refusal([&] { load_gpu(scratch.path() + "/first.yaml", {}, kConfigs); })) {
    text += fmt::format("{}:{}\n", d.where.file.substr(scratch.path().size()), place_and_message(d));
  }
  return text;
}

}  // namespace

TEST_CASE("keys and values of the wrong kind are refused at their place") {
  const BadFile cases[] = {
      {"sms: 2", "sms: @0", "'sms' must be a whole number from 1 to 1024; found '0'"},
      {"sms: 2", "sms: @2000", "'sms' must be a whole number from 1 to 1024; found '2000'"},
      {"sms: 2", "sms: @-1", "'sms' must be a whole number from 1 to 1024; found '-1'"},
      {"sms: 2", "sms: @2.5", "'sms' must be a whole number from 1 to 1024; found '2.5'"},
      {"sms: 2", "sms: @\"2\"", "'sms' must be a whole number from 1 to 1024; found the text \"2\""},
      {"sms: 2", "sms: @[2]", "'sms' must be a whole number from 1 to 1024; found a list"},
      {"sms: 2", "@sms:", "'sms' must be a whole number from 1 to 1024; found nothing"},
      {"sms: 2", "sms: @99999999999999999999", "'sms' must be a whole number from 1 to 1024"},
      {"sms: 2", "@smss: 2", "unknown key 'smss'; did you mean 'sms'?", 2},
      {"clock_mhz: 1000", "clock_mhz: @nan", "'clock_mhz' must be a number from 1 to 10000; found 'nan'"},
      {"name: tiny", "name: @\"\"", "'name' must be one line of at most 200 characters"},
      {"name: tiny", "name: @\"a\\nb\"", "'name' must be one line of at most 200 characters"},
      {"name: tiny", "name: @{a: b}", "'name' must be text; found a map"},
      {"efficiency: 1", "efficiency: @1.01", "'l2.efficiency' must be a number from 0.01 to 1; found '1.01'"},
      {"efficiency: 1\n  row", "efficiency: @1.01\n  row",
       "'dram.efficiency' must be a number from 0.01 to 1; found '1.01'"},
      {"  ways: 4", "  @wayz: 4", "unknown key 'wayz' in 'l1'; did you mean 'ways'?", 2},
      {"  ways: 4", "  ways: 4\n  @way: 4", "unknown key 'way' in 'l1'; did you mean 'ways'?"},
      {"  ways: 4", "  ways: 4\n  @ways: 8", "key 'ways' is given twice"},
      {"\nl1:", "\nl1: @3\nl3:", "'l1' must be a map (key: value); found '3'", 2},
      {"unified_bytes: 20 KiB", "unified_bytes: @20 kB", "'l1.unified_bytes' must be a number of bytes"},
      {"carveouts: []", "carveouts: @4 KiB",
       "'occupancy.carveouts' must be a list of 0 to 64 items; found '4 KiB'"},
      {"carveouts: []", "carveouts: [1 KiB, @x]", "'occupancy.carveouts[1]' must be a number of bytes"},
      {"pipes: [fma, alu,", "pipes: [fma, @fma, alu,", "pipe 'fma' is named twice"},
      {"pipes: [fma, alu,", "pipes: [fma, alu, @\"a b\",", "'sm.pipes[2]' must be a name of letters, digits"},
      {"fp32:             {pipes: [fma]", "fp32:             {pipes: [@fpu]",
       "'sm.instructions.fp32.pipes[0]' must be one of sm.pipes (fma, alu, xu, lsu, adu, branch); found "
       "'fpu'"},
      {"fp32:             {pipes: [fma]", "fp32:             {pipes: @[]",
       "'sm.instructions.fp32.pipes' must be a list of 1 to 8 items; found a list"},
      {"fp32:             {pipes: [fma]",
       "fp32:             {pipes: @[fma, alu, xu, lsu, adu, branch, fma, alu, xu]",
       "'sm.instructions.fp32.pipes' must be a list of 1 to 8 items; found a list"},
      {"pipes: [fma, alu,",
       "pipes: @[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, fma, alu,",
       "'sm.pipes' must be a list of 1 to 31 items; found a list"},
      {"interval: 1, latency: 4}", "interval: @0, latency: 4}",
       "'sm.instructions.fp32.interval' must be a whole number from 1 to 1000000; found '0'"},
      {"interval: 1, latency: 4}", "interval: 1, latency: 4, @delay: 3}",
       "unknown key 'delay' in 'sm.instructions.fp32'; known are 'pipes', 'interval', 'latency'"},
      {"enabled: true", "enabled: @yes", "'l1.enabled' must be true or false; found 'yes'"},
      {"sms: 2", "sms: 2\n@--- x", "a second document begins"},
      {"sms: 2", "sms: @&two 2", "anchors (&two) are not taken"},
      {"sms: 2", "sms: 2@: 3", "not valid YAML: illegal map value"},
  };
  for (const BadFile& bad : cases) check_bad_file(bad);
}

TEST_CASE("values that do not fit together are refused at the one to blame") {
  const BadFile cases[] = {
      {"warp_size: 32", "warp_size: @24",
       "'occupancy.warp_size' must be a power of two from 16 to 64; found '24'"},
      {"max_warps: 16", "max_warps: @18",
       "'occupancy.max_warps' must be a multiple of 'sm.sub_partitions' (4); found 18"},
      {"max_threads_per_block: 512", "max_threads_per_block: @513",
       "'occupancy.max_threads_per_block' must be at most 'occupancy.max_warps x occupancy.warp_size' (512); "
       "found 513"},
      {"registers_per_block: 16384", "registers_per_block: @16385",
       "'occupancy.registers_per_block' must be at most"},
      {"register_unit: 256", "register_unit: @8192", "'occupancy.register_unit' must be at most"},
      {"shared_bytes_per_block: 15 KiB", "shared_bytes_per_block: @16 KiB",
       "'occupancy.shared_bytes_per_block' must be at most"},
      {"carveouts: []", "carveouts: @[8 KiB, 8 KiB, 16 KiB]",
       "'occupancy.carveouts' must ascend; found 8192 after 8192"},
      {"carveouts: []", "carveouts: @[8 KiB]",
       "the last of 'occupancy.carveouts' must be 'occupancy.shared_bytes' (16384)"},
      {"instruction_bytes: 16", "instruction_bytes: @12",
       "'sm.instruction_cache.instruction_bytes' must be a power of two from 4 to 64; found '12'"},
      {"l1_bytes: 32 KiB", "l1_bytes: @200",
       "'sm.instruction_cache.l1_bytes' must be a multiple of 512 ('sm.instruction_cache.l1_ways' lines of "
       "'sm.instruction_cache.line_bytes'); found 200"},
      {"page_bytes: 2 MiB", "page_bytes: @10000",
       "'cold.page_bytes' must be a power of two from 4096 to 1073741824; found '10000'"},
      {"banks: 32", "banks: @33", "'sm.shared.banks' must be a power of two from 1 to 1024; found '33'"},
      {"bank_bytes: 4", "bank_bytes: @3",
       "'sm.shared.bank_bytes' must be a power of two from 1 to 64; found '3'"},
      {"line_bytes: 128\n  sector", "line_bytes: @96\n  sector",
       "'l1.line_bytes' must be a power of two from 32 to 1024; found '96'"},
      {"sector_bytes: 32", "sector_bytes: @48",
       "'l1.sector_bytes' must be a power of two from 32 to 128; found '48'"},
      {"tags_per_cycle: 4", "tags_per_cycle: @3",
       "'l1.tags_per_cycle' must be a power of two from 1 to 64; found '3'"},
      {"line_bytes: 128\n  sector_bytes: 32", "line_bytes: 64\n  sector_bytes: @128",
       "'l1.sector_bytes' must be at most 'l1.line_bytes' (64); found 128"},
      {"unified_bytes: 20 KiB", "unified_bytes: @16 KiB", "'l1.unified_bytes' (16384) less 16384 bytes"},
      {"unified_bytes: 20 KiB", "unified_bytes: @20736", "'l1.unified_bytes' (20736) less 16384 bytes"},
      {"unified_bytes: 20 KiB\n  reserved_bytes: 0", "unified_bytes: @20 KiB\n  reserved_bytes: 4 KiB",
       "'l1.unified_bytes' (20480) less 16384 bytes of shared memory and 'l1.reserved_bytes' (4096) must be"},
      {"bytes: 64 KiB", "bytes: @65000", "'l2.bytes' must be a multiple of 1024"},
      {"fetch_bytes: 32", "fetch_bytes: @1024",
       "'l2.fetch_bytes' must be at most 'l2.line_bytes' (128); found 1024"},
      {"sub_partitions: 4", "sub_partitions: @64", "'sm.sub_partitions' must be a whole number from 1 to 32"},
      {"latency: 10\n  tags", "latency: @31\n  tags",
       "'l1.latency' must be at most 'l2.latency' (30); found 31"},
      {"front_latency: 3", "front_latency: @11",
       "'sm.mio.front_latency' must be at most 'l1.latency' (10); found 11", 6},
      {"latency: 30", "latency: @61", "'l2.latency' must be at most 'dram.latency' (60); found 61"},
      {"request_latency: 10", "request_latency: @28",
       "'l2.request_latency' must be at most 'l2.latency' less 'sm.mio.front_latency' (27); found 28"},
      {"interval: 1, latency: 7", "interval: 1, latency: @2",
       "'sm.instructions.load_shared.latency' must be at least 'sm.mio.front_latency' (3); found 2"},
      {"lsu], interval: 1, latency: 6", "lsu], interval: 1, latency: @1",
       "'sm.instructions.shuffle.latency' must be at least 'sm.mio.front_latency' (3); found 1"},
  };
  for (const BadFile& bad : cases) check_bad_file(bad);
}

TEST_CASE("a smaller warp size makes the largest block smaller, if nothing says how large that is") {
  const auto largest = [](const Overrides& overrides) {
    return load_gpu("tiny", overrides, kConfigs).occupancy.max_threads_per_block;
  };
  CHECK(largest({"occupancy.warp_size=32"}) == 512);
  CHECK(largest({"occupancy.warp_size=64"}) == 512);
  CHECK(largest({"occupancy.warp_size=16"}) == 256);
  CHECK(largest({"occupancy={warp_size: 16, max_warps: 8}"}) == 128);
  CHECK(largest({"occupancy.warp_size=16", "occupancy.max_threads_per_block=64"}) == 64);
  CHECK(override_refusal({"occupancy.warp_size=16", "occupancy.max_threads_per_block=512"})
            .find("'occupancy.max_threads_per_block' must be at most") != std::string::npos);
  CHECK(override_refusal({"occupancy.max_warps=8"}) != "");
}

TEST_CASE("latencies are compared only between levels that are there") {
  CHECK(override_refusal({"l2.latency=61"}) != "");
  CHECK(override_refusal({"l2.enabled=false", "l2.latency=61"}) == "");
  CHECK(override_refusal({"l1.latency=31"}) != "");
  CHECK(override_refusal({"l1.enabled=false", "l1.latency=31"}) == "");
  // Without L2 a request may take as long as DRAM allows.
  CHECK(override_refusal({"l2.request_latency=50"}) != "");
  CHECK(override_refusal({"l2.request_latency=50", "l2.enabled=false"}) == "");
  CHECK(override_refusal({"l2.request_latency=58", "l2.enabled=false"}).find("'dram.latency' less") !=
        std::string::npos);
}

TEST_CASE("all mistakes of a file are told at once") {
  check_bad_file({"sms: 2\nclock_mhz: 1000", "sms: @x\nclock_mhz: y\nfoo: 3", "'sms' must be", 3});
  check_bad_file({"warp_size: 32\n  max_warps: 16", "warp_size: @33\n  max_warps: 0",
                  "'occupancy.warp_size' must be", 2});
}

TEST_CASE("overrides change what they name and nothing else") {
  GpuSpec expected = load_gpu("tiny", {}, kConfigs);
  expected.l1.latency = 11;
  expected.sm.scheduler = "lrr";
  expected.occupancy.carveouts = {8192, 16384};
  expected.sm.classes[static_cast<std::size_t>(ir::TimingClass::Fp32)].pipes = {1, 0};
  expected.dram.bandwidth_gbps = 12.5;
  expected.l2.bytes = 128 << 10;
  const Overrides overrides = {"l1.latency=11",
                               "sm.scheduler=lrr",
                               "occupancy.carveouts=[8 KiB, 16 KiB]",
                               "sm.instructions.fp32={pipes: [alu, fma]}",
                               "dram.bandwidth_gbps = 12.5",
                               "l2.bytes=128 KiB"};
  CHECK(load_gpu("tiny", overrides, kConfigs) == expected);
}

TEST_CASE("a class of instructions that a GPU does not have is none, and comes back only whole") {
  constexpr auto kClass = static_cast<std::size_t>(ir::TimingClass::Tensor1688F32);
  const GpuSpec tiny = load_gpu("tiny", {}, kConfigs);
  GpuSpec expected = tiny;
  expected.sm.classes[kClass] = {};
  const std::string none = "sm.instructions.tensor_1688_f32=none";
  const GpuSpec without = load_gpu("tiny", {none}, kConfigs);
  CHECK(without == expected);
  CHECK(without.sm.classes[kClass].is_absent());

  const test::ScratchFolder scratch;
  scratch.write("without.yaml", to_yaml(without));
  CHECK(load_gpu(scratch.path() + "/without.yaml", {}, kConfigs) == expected);
  const std::string whole = "sm.instructions.tensor_1688_f32={pipes: [fma], interval: 4, latency: 12}";
  const std::string again = scratch.write("again.yaml", "extends: without\n");
  CHECK(load_gpu(again, {whole}, kConfigs) == tiny);
  CHECK(load_gpu("tiny", {none, whole}, kConfigs) == tiny);

  const auto part =
      refusal([&] { load_gpu(again, {"sm.instructions.tensor_1688_f32.latency=9"}, kConfigs); });
  REQUIRE(part.size() == 1);
  CHECK(part[0].message.find("'sm.instructions.tensor_1688_f32' is none: to have it, give all its keys") ==
        0);
  const auto lacking =
      refusal([&] { load_gpu(again, {"sm.instructions.tensor_1688_f32={latency: 9}"}, kConfigs); });
  CHECK(lacking.size() == 2);
  CHECK(override_refusal({"sm.mio=none"}).find("'sm.mio' must be a map (key: value); found 'none'") !=
        std::string::npos);
  CHECK(
      override_refusal({"sm.instructions.fp32=no"}).find("must be a map (key: value) or none; found 'no'") !=
      std::string::npos);
}

TEST_CASE("of several overrides of one key the last one counts") {
  CHECK(load_gpu("tiny", {"sms=3", "sms=5"}, kConfigs).sms == 5);
}

TEST_CASE("overrides that need one another are taken together") {
  CHECK(refusal([&] { load_gpu("tiny", {"l2.latency=100"}, kConfigs); }).size() == 1);
  const GpuSpec spec = load_gpu("tiny", {"l2.latency=100", "dram.latency=200"}, kConfigs);
  CHECK(spec.l2.latency == 100);
  CHECK(spec.dram.latency == 200);
}

TEST_CASE("overrides that cannot be taken name the key and what is allowed") {
  const std::pair<std::string, std::string> cases[] = {
      {"l1.latency", "--set l1.latency: error: must be KEY=VALUE, as in l1.latency=40"},
      {"", "--set : error: must be KEY=VALUE"},
      {"=3", "unknown key ''; known are 'name', 'description'"},
      {"l1.wayz=4", "--set l1.wayz=4: error: unknown key 'wayz' in 'l1'; did you mean 'ways'?"},
      {"l4.ways=4", "unknown key 'l4'; did you mean 'l1'?"},
      {"cache.ways=4", "unknown key 'cache'; known are 'name', "},
      {"sm.instructions.fp32.delay=4", "unknown key 'delay' in 'sm.instructions.fp32'; known are 'pipes'"},
      {"sm.instructions.fp33.latency=4", "unknown key 'fp33' in 'sm.instructions'; did you mean 'fp32'?"},
      {"l1.ways.more=4", "'l1.ways' has no keys below it"},
      {"l1..ways=4", "unknown key '' in 'l1'"},
      {"extends=h100", "unknown key 'extends'"},
      {"scheduler=lrr", "--set scheduler=lrr: error: unknown key 'scheduler'; did you mean 'sm.scheduler'?"},
      {"latency=3", "unknown key 'latency'; known are 'name', "},
      {"l1.ways=", "'l1.ways' must be a whole number from 1 to 4096; found nothing"},
      {"l1.ways=many",
       "--set l1.ways=many: error: 'l1.ways' must be a whole number from 1 to 4096; found 'many'"},
      {"l1=4", "'l1' must be a map (key: value); found '4'"},
      {"l1={wayz: 4}", "unknown key 'wayz' in 'l1'"},
      {"sm.pipes=[alu", "--set sm.pipes=[alu: error: "},
      {"sms=&a 3", "anchors (&a) are not taken"},
      {"sm.pipes=[alu]", "'sm.instructions.fp32.pipes[0]' must be one of sm.pipes (alu); found 'fma'"},
      {"l2.latency=5", "'l1.latency' must be at most 'l2.latency' (5); found 10"},
  };
  for (const auto& [override, message] : cases) {
    const std::string found = override_refusal(overrides_of_option("--set", {override}));
    CAPTURE(override, found);
    CHECK(found.find(message) != std::string::npos);
  }
  CHECK(refusal([] { load_gpu("tiny", {"a=1", "b=[", "sms=x"}, kConfigs); }).size() == 3);
}

TEST_CASE("what would fill the memory of the program is refused") {
  const std::string queues = override_refusal({"sms=1024", "sm.mio.queue_depth=129"});
  CHECK(queues.find("the places of all MIO queues are 528384 in all; at most 524288 are simulated") !=
        std::string::npos);
  const std::string code = override_refusal(
      {"sms=1024", "sm.instruction_cache.l1_bytes=16MiB", "sm.instruction_cache.line_bytes=64"});
  CHECK(code.find("the lines of all instruction caches are") != std::string::npos);
  const std::string l1 = override_refusal({"sms=1024", "l1.unified_bytes=4MiB"});
  CHECK(l1.find("the lines of all L1s are 33554432 in all; at most 16777216 are simulated") !=
        std::string::npos);
}

TEST_CASE("a file that extends another gives only what differs") {
  const test::ScratchFolder scratch;
  scratch.write("base.yaml", "extends: tiny\nname: base\nl1: {latency: 12}\nsms: 3\n");
  const std::string file = scratch.write("variant.yaml",
                                         "extends: base\nname: variant\nsms: 4\n"
                                         "sm: {instructions: {fp32: {latency: 6}}}\n");
  GpuSpec expected = load_gpu("tiny", {}, kConfigs);
  expected.name = "variant";
  expected.sms = 4;
  expected.l1.latency = 12;
  expected.sm.classes[static_cast<std::size_t>(ir::TimingClass::Fp32)].latency = 6;
  CHECK(load_gpu(file, {}, kConfigs) == expected);
}

TEST_CASE("a file beside the one that extends it goes before the installed one") {
  const test::ScratchFolder scratch;
  GpuSpec mine = load_gpu("tiny", {"sms=7"}, kConfigs);
  scratch.write("tiny.yaml", to_yaml(mine));
  CHECK(load_gpu(scratch.write("v.yaml", "extends: tiny\n"), {}, kConfigs).sms == 7);
  // With a path, from the file's own directory.
  scratch.write("sub/deep.yaml", "extends: ../tiny.yaml\nsms: 9\n");
  CHECK(load_gpu(scratch.path() + "/sub/deep.yaml", {}, kConfigs).sms == 9);
}

TEST_CASE("a base that is missing, wrong or in a circle is refused") {
  CHECK(extends_refusal({{"first.yaml", "name: x\nextends: tinny\n"}})
            .find("/first.yaml:2:10: no GPU file 'tinny' to extend") == 0);
  // Alone: that its keys are missing follows.
  const std::string missing = extends_refusal({{"first.yaml", "extends: tinny\nsms: 3\n"}});
  CHECK(missing.find("did you mean 'tiny'?\n") ==
        missing.find('\n') - std::string("did you mean 'tiny'?").size());
  CHECK(missing.find('\n') == missing.size() - 1);
  CHECK(extends_refusal({{"first.yaml", "extends: [tiny]\n"}})
            .find("/first.yaml:1:10: 'extends' must be text; found a list") == 0);
  CHECK(extends_refusal({{"first.yaml", "extends: first\n"}})
            .find("/first.yaml:1:10: 'extends' goes in a circle") == 0);
  CHECK(extends_refusal({{"first.yaml", "extends: second\n"}, {"second.yaml", "extends: ./first.yaml\n"}})
            .find("/second.yaml:1:10: 'extends' goes in a circle") == 0);
  CHECK(extends_refusal({{"first.yaml", "extends: second\n"}, {"second.yaml", "extends: tiny\nsms: 0\n"}}) ==
        "/second.yaml:2:6: 'sms' must be a whole number from 1 to 1024; found '0'\n");
  CHECK(extends_refusal({{"first.yaml", "- a\n- b\n"}}) ==
        "/first.yaml:1:1: this must be a map (key: value); found a list\n");
  CHECK(extends_refusal({{"first.yaml", ""}}) ==
        "/first.yaml:1:1: this must be a map (key: value); found nothing\n");
}

TEST_CASE("a long chain of files ends") {
  std::vector<std::pair<std::string, std::string>> files = {{"first.yaml", "extends: f0\n"}};
  for (int i = 0; i < 100; ++i)
    files.push_back({fmt::format("f{}.yaml", i), fmt::format("extends: f{}\n", i + 1)});
  CHECK(extends_refusal(files).find("more than 32 files extend one another") != std::string::npos);
}

TEST_CASE("GPUs are found by name and by path") {
  CHECK(load_gpu("tiny", {}, kConfigs) == load_gpu(kConfigs + "/tiny.yaml", {}, "/nowhere"));
  const auto unknown = refusal([] { load_gpu("h10", {}, kConfigs); });
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0].message.find("did you mean 'h100'?") != std::string::npos);
  const auto far = refusal([] { load_gpu("playstation", {}, kConfigs); });
  REQUIRE(far.size() == 1);
  CHECK(far[0].message.find("known are 'a100', 'a40', 'amd_like', 'b200', 'h100', 'h100-base'") !=
        std::string::npos);
  CHECK(refusal([] { load_gpu("./tiny", {}, kConfigs); }).size() == 1);
  CHECK(refusal([] { load_gpu("", {}, kConfigs); }).size() == 1);
  CHECK(refusal([] { load_gpu("tiny", {}, "/nowhere"); }).size() == 1);
  CHECK(available_gpus("/nowhere").empty());
}

TEST_CASE("HEDDLE_CONFIGS names the directory of the GPU files") {
  REQUIRE(setenv("HEDDLE_CONFIGS", "/somewhere/else", 1) == 0);
  CHECK(default_configs_directory() == "/somewhere/else");
  REQUIRE(unsetenv("HEDDLE_CONFIGS") == 0);
  CHECK(default_configs_directory() != "/somewhere/else");
}

}  // namespace heddle::sim
