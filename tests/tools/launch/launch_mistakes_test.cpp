// Launch files with one mistake each, and what is said about it.
#include <fmt/format.h>

#include <random>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"
#include "tests/tools/launch/scratch_folder.h"
#include "tools/launch/launch_file.h"

namespace heddle::launch {
namespace {

constexpr std::string_view kGood = R"(kernel: scale.sass
values: {n: 1000, block: 128}
grid: (n + block - 1) // block
block: block
registers: 16
shared: 0
params: {data: data, n: n, shift: 0, factor: 1, big: 0}
buffers:
  data: {type: f32, count: n, fill: ramp}
check:
  - {buffer: data, equals: i, sample: 8}
)";

/// The good file with one line replaced, or with one more at the end for line 12.
std::string with_line(std::size_t line, const std::string& text) {
  std::string result;
  std::size_t number = 0;
  for (std::size_t at = 0; at < kGood.size(); at = kGood.find('\n', at) + 1) {
    result += ++number == line ? text : std::string(kGood.substr(at, kGood.find('\n', at) - at));
    result += '\n';
  }
  return line > number ? result + text + '\n' : result;
}

std::string message_for(const ScratchFolder& folder, const std::string& text,
                        const LaunchOverrides& overrides = {}) {
  const std::string path = folder.write("x.yaml", text);
  const std::string message = message_of([&] { load_launch(path, overrides); });
  const std::string folder_name = folder.path("");
  return message.starts_with(folder_name) ? message.substr(folder_name.size()) : message;
}

struct Mistake {
  std::size_t line;
  std::string text;
  std::string message;
};

TEST_CASE("A launch file without mistakes is not complained about") {
  const ScratchFolder folder;
  CHECK(message_for(folder, std::string(kGood)) == "no error");
}

TEST_CASE("Mistakes about the kernel are told where they stand") {
  const ScratchFolder folder;
  folder.write("two.sass", ".kernel first\n    EXIT\n.kernel second\n    EXIT\n");
  folder.write("bad.sass", ".kernel bad\n    FROB R1\n");
  const Mistake mistakes[] = {
      {1, "# no kernel", "'kernel'"},
      {1, "kernel: none.sass", "x.yaml:1:9: error: there is no kernel file '"},
      {1, "kernel: /dev/zero", "x.yaml:1:9: error: there is no kernel file '/dev/zero'"},
      {1, "kernel: [scale.sass]", "x.yaml:1:9: error: 'kernel' must be text; found a list"},
      {1, "kernel: two.sass",
       "x.yaml:1:9: error: 'entry' must name one kernel of two.sass; there are 'first', 'second'"},
      {1, "kernel: bad.sass", "bad.sass:2:5: error: "},
      {12, "entry: scal", "x.yaml:12:8: error: there is no kernel 'scal' in scale.sass; there is 'scale'"},
      {12, "entry: {}", "x.yaml:12:8: error: 'entry' must be text; found a map"},
  };
  for (const Mistake& mistake : mistakes) {
    check_says(message_for(folder, with_line(mistake.line, mistake.text)), mistake.message);
  }
}

TEST_CASE("Mistakes about sizes are told where they stand") {
  const ScratchFolder folder;
  const Mistake mistakes[] = {
      {2, "values: 3", "x.yaml:2:9: error: 'values' must be a map of names and numbers; found '3'"},
      {2, "values: {n: 1000, block: n n}", "x.yaml:2:26: error: 'values.block': "},
      {2, "values: {n: 1000, block: 128, end: 3}", "x.yaml:2:31: error: 'end' cannot be a name here"},
      {2, "values: {n: block, block: 128}",
       "x.yaml:2:13: error: 'values.n': 'block' is no value, buffer or function here"},
      {2, "values: {n: {}, block: 128}",
       "x.yaml:2:13: error: 'values.n' must be a number or an expression; found a map"},
      {3, "# no grid", "'grid'"},
      {3, "grid: 0", "x.yaml:3:7: error: 'grid': must be a whole number from 1 to 2147483647; found '0'"},
      {3, "grid: n / 3",
       "x.yaml:3:7: error: 'grid': must be a whole number from 1 to 2147483647; found 'n / 3', which is "
       "333.33"},
      {3, "grid: 1 << 31", "found '1 << 31', which is 2147483648"},
      {3, "grid: -n", "found '-n', which is -1000"},
      {3, "grid: [1, 65536]",
       "x.yaml:3:11: error: 'grid[1]': must be a whole number from 1 to 65535; found '65536'"},
      {3, "grid: [1, 1, 0]",
       "x.yaml:3:14: error: 'grid[2]': must be a whole number from 1 to 65535; found '0'"},
      {3, "grid: [1, 1, 1, 1]",
       "x.yaml:3:7: error: 'grid' must be a number, an expression, or a list of up to three; found a list"},
      {3, "grid: []", "'grid' must be a number, an expression, or a list of up to three"},
      {3, "grid: {x: 3}", "x.yaml:3:7: error: 'grid' must be a number or an expression; found a map"},
      {3, "grid: m", "x.yaml:3:7: error: 'grid': 'm' is no value, buffer or function here"},
      {3, "grid: while true do end", "x.yaml:3:7: error: 'grid': takes more than"},
      {3, "grid: n // 0", "x.yaml:3:7: error: 'grid': attempt to"},
      {3, "grid: os.exit(3)", "x.yaml:3:7: error: 'grid': 'os' is no value"},
      {4, "block: 0", "x.yaml:4:8: error: 'block': must be a whole number from 1 to 1024; found '0'"},
      {4, "block: 1025", "x.yaml:4:8: error: 'block': must be a whole number from 1 to 1024; found '1025'"},
      {4, "block: [32, 33]", "x.yaml:4:8: error: a block has at most 1024 threads; found 32 x 33 x 1 = 1056"},
      {4, "block: [1, 1, 65]",
       "x.yaml:4:15: error: 'block[2]': must be a whole number from 1 to 64; found '65'"},
      {4, "block: 128.5", "found '128.5'"},
      {5, "registers: 3", "x.yaml:5:12: error: 'registers': must be a whole number from 4 to 255; found '3'"},
      {5, "registers: 256", "from 4 to 255; found '256'"},
      {6, "shared: -1", "x.yaml:6:9: error: 'shared': must be a whole number from 0 to 1048576; found '-1'"},
      {6, "shard: 0", "x.yaml:6:1: error: unknown key 'shard'; did you mean 'shared'?"},
  };
  for (const Mistake& mistake : mistakes) {
    check_says(message_for(folder, with_line(mistake.line, mistake.text)), mistake.message);
  }
}

TEST_CASE("Mistakes about parameters are told where they stand") {
  const ScratchFolder folder;
  const Mistake mistakes[] = {
      {7, "# no params", "'params'"},
      {7, "params: {data: data, n: n, shift: 0, factor: 1}", "'big'"},
      {7, "params: {data: data, n: n, shift: 0, factor: 1, big: 0, bog: 0}",
       "x.yaml:7:57: error: unknown key 'bog'"},
      {7, "params: {data: n, n: n, shift: 0, factor: 1, big: 0}",
       "x.yaml:7:16: error: 'params.data': must be a buffer; the buffers are 'data'; found 'n'"},
      {7, "params: {data: 0, n: n, shift: 0, factor: 1, big: 0}", "'params.data': must be a buffer"},
      {7, "params: {data: [data], n: n, shift: 0, factor: 1, big: 0}", "found a list"},
      {7, "params: {data: data, n: data, shift: 0, factor: 1, big: 0}",
       "x.yaml:7:25: error: 'params.n': gives a buffer, not a number"},
      {7, "params: {data: data, n: -1, shift: 0, factor: 1, big: 0}",
       "x.yaml:7:25: error: 'params.n': -1 does not fit u32 (0 to 4294967295)"},
      {7, "params: {data: data, n: 0.5, shift: 0, factor: 1, big: 0}",
       "'params.n': 0.5 is no whole number, as u32 needs"},
      {7, "params: {data: data, n: n, shift: 1 << 31, factor: 1, big: 0}",
       "'params.shift': 2147483648 does not fit s32"},
      {7, "params: {data: data, n: n, shift: 0, factor: 1e39, big: 0}",
       "'params.factor': 1e+39 does not fit f32"},
      {7, "params: {data: data, n: n, shift: 0, factor: 1, big: -1}", "'params.big': -1 does not fit u64"},
      {7, "params: {data: data, n: n, shift: 0, factor: , big: 0}",
       "'params.factor' must be a number or an expression; found nothing"},
  };
  for (const Mistake& mistake : mistakes) {
    check_says(message_for(folder, with_line(mistake.line, mistake.text)), mistake.message);
  }
}

TEST_CASE("Mistakes about buffers and checks are told where they stand") {
  const ScratchFolder folder;
  const Mistake mistakes[] = {
      {9, "  data: 3", "x.yaml:9:9: error: 'buffers.data' must be a map"},
      {9, "  data: {count: n}", "'type'"},
      {9, "  data: {type: f32}", "'count'"},
      {9, "  data: {type: f8, count: n}",
       "x.yaml:9:16: error: 'buffers.data.type' must be u8, s8, u16, s16, u32, s32, u64, s64, f16, f32 or f64; found 'f8'"},
      {9, "  data: {type: f32, count: -1}",
       "x.yaml:9:28: error: 'buffers.data.count': must be a whole number from 0 to 17179869184; found '-1'"},
      {9, "  data: {type: u8, count: 1 << 60}",
       "must be a whole number from 0 to 68719476736; found '1 << 60'"},
      {9, "  data: {type: u8, count: 1 << 36}\n  more: {type: u8, count: 1}",
       "x.yaml:10:3: error: with 'more' the buffers take more than 64 GiB"},
      {9, "  data: {type: f32, count: n}\n  n: {type: f32, count: n}",
       "x.yaml:10:3: error: 'n' is already the name of a value"},
      {9, "  data: {type: f32, count: n}\n  i: {type: f32, count: n}",
       "x.yaml:10:3: error: 'i' cannot be a name here"},
      {9, "  data: {type: f32, count: n}\n  data: {type: f32, count: n}", "x.yaml:10:3: error: "},
      {9, "  data: {type: f32, count: n, fil: ramp}", "x.yaml:9:31: error: unknown key 'fil'"},
      {11, "  - {buffer: dota, equals: i}",
       "x.yaml:11:14: error: 'check[0].buffer': must be a buffer; the buffers are 'data'; found 'dota'"},
      {11, "  - {buffer: data}", "'equals'"},
      {11, "  - {buffer: data, equals: [1]}", "'check[0].equals' must be text; found a list"},
      {11, "  - {buffer: data, equals: 1 +}",
       "x.yaml:11:28: error: 'check[0].equals': unexpected symbol near <eof>"},
      {11, "  - {buffer: data, equals: i, tolerance: -1}",
       "x.yaml:11:42: error: 'check[0].tolerance' must be a number of at least 0"},
      {11, "  - {buffer: data, equals: i, tolerance: 0 / 0}", "must be a number of at least 0"},
      {11, "  - {buffer: data, equals: i, sample: 1}",
       "x.yaml:11:39: error: 'check[0].sample': must be a whole number from 2"},
      {11, "  - {buffer: data, equals: i, samples: 9}", "unknown key 'samples'"},
      {11, "  buffer: data", "'check' must be a list"},
  };
  for (const Mistake& mistake : mistakes) {
    check_says(message_for(folder, with_line(mistake.line, mistake.text)), mistake.message);
  }
}

TEST_CASE("Mistakes of the command line name the option") {
  const ScratchFolder folder;
  const auto message = [&](const LaunchOverrides& overrides) {
    return message_for(folder, std::string(kGood), overrides);
  };
  check_says(message({.params = overrides_of_option("--param", {"n"})}),
             "--param n: error: must be NAME=VALUE");
  check_says(message({.params = overrides_of_option("--param", {"=3"})}),
             "--param =3: error: must be NAME=VALUE");
  check_says(message({.params = overrides_of_option("--param", {"n="})}),
             "--param n=: error: must be NAME=VALUE");
  check_says(message({.params = overrides_of_option("--param", {"n=''"})}),
             "--param n='': error: 'n': gives a string, not a number");
  check_says(message({.params = overrides_of_option("--param", {"n=x.y"})}),
             "--param n=x.y: error: 'n': 'x' is no value");
  check_says(message({.params = overrides_of_option("--param", {"m=3"})}),
             "x.yaml has no value 'm', nor has its kernel such a parameter; there are 'big', 'block', "
             "'data', 'factor', 'n', 'shift'");
  check_says(message({.params = overrides_of_option("--param", {"data=dota"})}),
             "--param data=dota: error: 'data': must be a buffer; the buffers are 'data'; found");
  check_says(message({.params = overrides_of_option("--param", {"factor=1e40"})}),
             "--param factor=1e40: error: 'factor': 1e+40 does not fit f32");
  check_says(message({.grid = Dim3{1, 70000, 1}}),
             "--grid [1, 70000, 1]: error: 'grid[1]': must be a whole number from 1 to 65535; found '70000'");
  check_says(message({.block = Dim3{64, 64, 1}}),
             "--block [64, 64, 1]: error: a block has at most 1024 threads; found 64 x 64 x 1 = 4096");
  check_says(message({.block = Dim3{0, 1, 1}}),
             "--block 0: error: 'block': must be a whole number from 1 to 1024; found '0'");
  check_says(message({.registers = 2}),
             "--registers 2: error: 'registers': must be a whole number from 4 to 255; found '2'");
  check_says(message({.dynamic_shared_bytes = 2000000}),
             "--shared 2000000: error: 'shared': must be a whole number from 0 to 1048576");
}

TEST_CASE("All mistakes are told at once, in the order of the lines") {
  const ScratchFolder folder;
  const std::string text = R"(kernel: scale.sass
values: {n: 1000, block: 128}
check:
  - {buffer: data, equals: "(", sample: 0}
grid: 0
block: 2000
params: {data: nothing, n: -1, shift: 0, factor: 1, big: 0}
buffers:
  data: {type: f8, count: n, fill: ramp}
colour: red
)";
  const std::string path = folder.write("x.yaml", text);
  try {
    load_launch(path);
    FAIL("the file was taken");
  } catch (const InputError& error) {
    std::vector<std::uint32_t> lines;
    for (const Diagnostic& diagnostic : error.list()) lines.push_back(diagnostic.where.line);
    CHECK(lines == std::vector<std::uint32_t>{4, 4, 5, 6, 7, 7, 9, 10});
  }
}

TEST_CASE("Files that are no launch files are refused") {
  const ScratchFolder folder;
  CHECK_THROWS_AS(load_launch(folder.path("none.yaml")), InputError);
  CHECK_THROWS_AS(load_launch("/dev/zero"), InputError);
  for (const char* text : {"", "3", "[1, 2]", "{", "kernel: [", "\xff\xfe", "a: b: c"}) {
    INFO(text);
    CHECK_THROWS_AS(load_launch(folder.write("x.yaml", text)), InputError);
  }
}

TEST_CASE("No change of a launch file makes the loader do anything but load or refuse") {
  const ScratchFolder folder;
  std::mt19937 engine(1);
  const std::string letters = "{}[]:,-#'\"\\ \n|>&*!%@0123456789abinx";
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text(kGood);
    for (auto change = 1 + engine() % 4; change != 0; --change) {
      text[engine() % text.size()] = letters[engine() % letters.size()];
    }
    try {
      load_launch(folder.write("x.yaml", text));
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace heddle::launch
