#include "tools/launch/expression.h"

#include <cmath>
#include <vector>

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"

namespace heddle::launch {
namespace {

template <typename Element>
std::span<const std::byte> as_bytes(const std::vector<Element>& elements) {
  return std::as_bytes(std::span(elements));
}

double value_of(Interpreter& interpreter, const std::string& text) {
  return to_double(interpreter.evaluate(interpreter.compile(text)));
}

std::string error_of(Interpreter& interpreter, const std::string& text) {
  return message_of([&] { interpreter.evaluate(interpreter.compile(text)); });
}

TEST_CASE("Integers stay integers, and divide as Lua divides them") {
  Interpreter interpreter;
  interpreter.set_number("n", std::int64_t{1000});
  interpreter.set_number("block", std::int64_t{256});
  CHECK(interpreter.evaluate(interpreter.compile("(n + block - 1) // block")) == Number{std::int64_t{4}});
  CHECK(interpreter.evaluate(interpreter.compile("n / 2")) == Number{500.0});
  CHECK(value_of(interpreter, "0x10 | 1") == 17);
  CHECK(value_of(interpreter, "math.max(n, block) % 7") == 1000 % 7);
}

TEST_CASE("Statements that end in return are an expression too") {
  Interpreter interpreter;
  CHECK(value_of(interpreter, "local s = 0\nfor k = 1, 10 do s = s + k end\nreturn s") == 55);
}

TEST_CASE("Buffers are read by index from 0, in their own type") {
  const std::vector<float> floats = {0.1F, -2.5F};
  const std::vector<std::int32_t> ints = {-7, 8};
  const std::vector<std::uint8_t> bytes = {255};
  const std::vector<std::uint64_t> longs = {0xffffffffffffffff};
  Interpreter interpreter;
  interpreter.set_buffer("f", ElementType::F32, as_bytes(floats));
  interpreter.set_buffer("s", ElementType::S32, as_bytes(ints));
  interpreter.set_buffer("b", ElementType::U8, as_bytes(bytes));
  interpreter.set_buffer("u", ElementType::U64, as_bytes(longs));
  CHECK(value_of(interpreter, "f[0]") == static_cast<double>(0.1F));
  CHECK(value_of(interpreter, "f[1.0]") == -2.5);
  CHECK(value_of(interpreter, "s[0] + #s") == -5);
  CHECK(value_of(interpreter, "b[0]") == 255);
  CHECK(value_of(interpreter, "u[0] == -1 and 1 or 0") == 1);
}

TEST_CASE("A buffer is read when the expression asks, not before") {
  std::vector<std::uint32_t> numbers = {1};
  Interpreter interpreter;
  interpreter.set_buffer("a", ElementType::U32, as_bytes(numbers));
  const Expression first = interpreter.compile("a[0]");
  numbers[0] = 2;
  CHECK(interpreter.evaluate(first) == Number{std::int64_t{2}});
}

TEST_CASE("The index is a name only where there is one") {
  Interpreter interpreter;
  CHECK(interpreter.evaluate_at(interpreter.compile_for_index("i * i"), 9) == Number{std::int64_t{81}});
  check_says(error_of(interpreter, "i"), "'i' is no value");
}

TEST_CASE("Single-precision helpers round as the hardware does") {
  Interpreter interpreter;
  CHECK(value_of(interpreter, "f32(0.1)") == static_cast<double>(0.1F));
  // 2^24 + 1 has no float; the integer is rounded once, to even.
  CHECK(value_of(interpreter, "f32(16777217)") == 16777216);
  // The product's low bits survive in a fused multiply-add: (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46.
  CHECK(value_of(interpreter, "ffma(1 + 2^-23, 1 + 2^-23, -(1 + 2^-22))") == std::ldexp(1.0, -46));
  CHECK(value_of(interpreter, "s32(0x80000000)") == -2147483648.0);
  CHECK(value_of(interpreter, "u32(-1)") == 4294967295.0);
}

TEST_CASE("An expression without end is stopped") {
  Interpreter interpreter;
  check_says(error_of(interpreter, "while true do end return 1"), "more than 20000000 steps");
  check_says(error_of(interpreter, "local function f() return f() end return f()"),
             "more than 20000000 steps");
  check_says(error_of(interpreter, "::again:: goto again return 1"), "more than 20000000 steps");
  CHECK(value_of(interpreter, "1 + 1") == 2);
}

TEST_CASE("What takes long in one step counts as many") {
  Interpreter interpreter;
  const std::string long_text = "local s = 'x' for k = 1, 13 do s = s .. s end ";
  const std::string long_list =
      "local function list(n, ...) if n == 0 then return select('#', ...) end return list(n - 1, n, ...) end ";
  for (const std::string& text :
       {long_text + "for k = 1, 1e9 do s:reverse() end return 1",
        long_text + "for k = 1, 1e9 do s:sub(k % 9) end return 1",
        long_text + "for k = 1, 1e9 do local t = s .. k end return 1",
        long_text + "local t = s .. 'x' s = s .. 'y' for k = 1, 1e9 do local b = s < t end return 1",
        long_text + "for k = 1, 1e9 do local b = s:byte(1, 7000) end return 1",
        long_text + "for k = 1, 1e9 do tonumber(s) end return 1",
        std::string("local z = '\\0' for k = 1, 13 do z = z .. z end local y = z .. 'y' "
                    "for k = 1, 1e9 do local b = z < y end return 1"),
        std::string("for k = 1, 1e9 do local t = {k} end return 1"),
        std::string("for k = 1, 1e9 do local t = k .. '' end return 1"),
        long_list + "for k = 1, 1e9 do list(2000) end return 1"}) {
    INFO(text);
    check_says(error_of(interpreter, text), "more than 20000000 steps");
  }
  CHECK(value_of(interpreter, "1 + 1") == 2);
}

TEST_CASE("Long texts and deep stacks of one expression cost others nothing") {
  Interpreter interpreter;
  CHECK(value_of(interpreter, "local s = 'x' for k = 1, 13 do s = s .. s end return #s") == 8192);
  check_says(error_of(interpreter, "local s = 'x' for k = 1, 15 do s = s .. s end return #s"), "memory");
  CHECK(value_of(interpreter, "local s = 0 for k = 1, 9000000 do s = s + k end return s") > 0);
}

TEST_CASE("All evaluations together are limited too") {
  Interpreter interpreter({.steps_of_evaluation = 10'000, .steps_in_all = 100'000});
  const Expression loop = interpreter.compile("local s = 0 for k = 1, 1000 do s = s + k end return s");
  const auto evaluate = [&](int times) {
    for (int k = 0; k < times; ++k) interpreter.evaluate(loop);
  };
  // A turn of the loop is two steps, and some.
  CHECK(message_of([&] { evaluate(20); }) == "no error");
  check_says(message_of([&] { evaluate(100); }), "take more than 100000 steps in all");
}

TEST_CASE("Many short evaluations count as well") {
  Interpreter interpreter({.steps_of_evaluation = 10'000, .steps_in_all = 100'000});
  const Expression one = interpreter.compile("1");
  const auto evaluate = [&] {
    for (int k = 0; k < 100'000; ++k) interpreter.evaluate(one);
  };
  check_says(message_of(evaluate), "take more than 100000 steps in all");
}

TEST_CASE("An expression that hoards memory is stopped") {
  Interpreter interpreter;
  check_says(error_of(interpreter, "local s = 'x' while true do s = s .. s end return 1"), "memory");
  check_says(error_of(interpreter, "local t = {} for k = 1, 1e9 do t[k] = {} end return 1"), "memory");
  check_says(error_of(interpreter, "local function f() return 1 + f() end return f()"), "memory");
  CHECK(value_of(interpreter, "1 + 1") == 2);
}

TEST_CASE("Nothing outside of the launch can be reached") {
  Interpreter interpreter;
  for (const char* name :
       {"os",    "io",    "require", "load",      "loadfile",       "dofile",       "debug",        "package",
        "print", "pcall", "xpcall",  "coroutine", "collectgarbage", "setmetatable", "getmetatable", "rawset",
        "_G",    "pairs", "next",    "tostring",  "utf8",           "table"}) {
    INFO(name);
    check_says(error_of(interpreter, std::string(name) + " and 1"), "is no value, buffer or function");
  }
  for (const char* field :
       {"math.random", "math.randomseed", "string.rep", "string.find", "string.format", "string.dump",
        "string.pack", "string.packsize", "string.unpack", "('x').rep", "('x').gsub"}) {
    INFO(field);
    CHECK(value_of(interpreter, std::string(field) + " == nil and 1 or 0") == 1);
  }
}

TEST_CASE("An evaluation leaves nothing behind for the next") {
  const std::vector<float> numbers = {1.0F};
  Interpreter interpreter;
  interpreter.set_number("n", std::int64_t{1});
  interpreter.set_buffer("a", ElementType::F32, as_bytes(numbers));
  for (const char* text : {"n = 2 return n", "x = 2 return 1", "a[0] = 2 return 1", "math.pi = 3 return 1",
                           "string.len = 3 return 1", "before.a = 1 return 1", "_ENV = {} return 1",
                           "_ENV.n = 2 return 1", "f32 = 1 return 1"}) {
    INFO(text);
    CHECK(error_of(interpreter, text) != "no error");
  }
  CHECK(value_of(interpreter, "n + a[0]") == 2);
}

TEST_CASE("What is wrong with an expression is said") {
  const std::vector<float> numbers(10);
  Interpreter interpreter;
  interpreter.set_buffer("a", ElementType::F32, as_bytes(numbers));
  CHECK(error_of(interpreter, "a[10]") == "a[10] is out of range: 'a' has 10 elements, counted from 0");
  CHECK(error_of(interpreter, "a[-1]") == "a[-1] is out of range: 'a' has 10 elements, counted from 0");
  CHECK(error_of(interpreter, "a[0.5]") == "'a' is indexed by whole numbers");
  CHECK(error_of(interpreter, "nn + 1") == "'nn' is no value, buffer or function here");
  CHECK(error_of(interpreter, "before.b[0]") == "'before' has no buffer 'b'");
  CHECK(error_of(interpreter, "1 +") == "unexpected symbol near <eof>");
  CHECK(error_of(interpreter, "1\n\n+ nn") ==
        "line 3 of the expression: 'nn' is no value, buffer or function here");
  CHECK(error_of(interpreter, "'1'") == "gives a string, not a number");
  CHECK(error_of(interpreter, "a") == "gives a buffer, not a number");
  CHECK(error_of(interpreter, "return") == "gives nothing; statements must end in 'return' and a number");
  CHECK(error_of(interpreter, "local x = 1") ==
        "gives nothing; statements must end in 'return' and a number");
  check_says(error_of(interpreter, "local zero = 0 return 1 // zero"), "attempt to");
  CHECK(error_of(interpreter, "error({})") == "the expression failed with a value that is no text");
  check_says(error_of(interpreter, "\x1bLua"), "unexpected symbol");
}

TEST_CASE("Deep nesting is refused, not run into the ground") {
  Interpreter interpreter;
  CHECK(error_of(interpreter, std::string(100000, '(') + "1" + std::string(100000, ')')) != "no error");
  CHECK(error_of(interpreter, std::string(100000, '-') + "1") != "no error");
}

TEST_CASE("Names that mean something in expressions cannot be given to values") {
  for (const char* name : {"n", "N", "_x", "block2", "i2"}) CHECK(is_usable_name(name));
  for (const char* name :
       {"", "2n", "a-b", "a b", "end", "and", "i", "math", "before", "f32", "type", "\xc3\xa4"}) {
    INFO(name);
    CHECK_FALSE(is_usable_name(name));
  }
}

TEST_CASE("Figures stand in tables of tables that cannot be written") {
  Interpreter interpreter;
  interpreter.set_figure("run.cycles", std::int64_t{12});
  interpreter.set_figure("run.memory.hits", 0.5);
  interpreter.set_figure("at.8.cycles", std::int64_t{3});
  const auto value = [&](const char* text) {
    return to_double(interpreter.evaluate(interpreter.compile(text)));
  };
  CHECK(value("run.cycles * run.memory.hits + at[4 + 4].cycles") == 9);
  CHECK(error_of(interpreter, "run.cycels") == "there is no figure 'cycels'");
  CHECK(error_of(interpreter, "at[9].cycles") == "there is no figure '9'");
  CHECK(error_of(interpreter, "run.memory.misses") == "there is no figure 'misses'");
  CHECK(error_of(interpreter, "run.cycles = 1 return 1") == "only names declared 'local' can be set");
  CHECK(error_of(interpreter, "run.memory.hits = 1 return 1") == "only names declared 'local' can be set");
  CHECK(value("run.memory.hits") == 0.5);
}

}  // namespace
}  // namespace heddle::launch
