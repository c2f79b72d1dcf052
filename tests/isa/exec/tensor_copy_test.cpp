// UTMALDG, UTMASTG, UTMAREDG, UBLKRED: which elements of a tensor or of memory go where, and what is no program.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>

#include "isa/base/narrow_float.h"
#include "isa/exec/tensor_map.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr unsigned kTileBytes = 8192;

/// 32 threads; the first one alone goes on where a body says @P0.
KernelRun launch_of(const std::string& body, std::vector<std::uint64_t> params) {
  KernelRun run;
  run.text = fmt::format(".kernel k\n.param map ptr\n.param in ptr\n.param out ptr\n.shared tile {} align 1024\n.shared bar 8\n",
                         kTileBytes) +
             "S2R R0, SR_TID.X\nISETP.NE.AND P0, PT, R0, RZ, PT\n" + body + "\nEXIT\n";
  run.params = std::move(params);
  run.divergence = Divergence::Barriers;
  return run;
}

/// UR8 on: where the tile is, the mbarrier if there is one, the coordinates.
std::string place(const std::vector<std::int32_t>& at, bool has_barrier) {
  std::string text = "UMOV UR8, 0x0\n";
  unsigned next = 9;
  if (has_barrier) text += fmt::format("UMOV UR{}, {:#x}\n", next++, kTileBytes);
  for (const std::int32_t each : at) text += fmt::format("UMOV UR{}, {:#x}\n", next++, static_cast<std::uint32_t>(each));
  return text;
}

/// Makes an mbarrier of one arrival, copies a tile, waits, and writes all of it to `out`.
std::string load_body(const std::vector<std::int32_t>& at, std::uint64_t bytes) {
  return fmt::format(R"(
    UMOV UR4, 0x1ffffe
    UMOV UR5, 0x7ffff800
    ULDC.64 UR6, c[map]
    MOV R6, {:#x}
    {}
    BSSY B0, made
@P0 BRA skipped
    SYNCS.EXCH.64 URZ, [bar], UR4
    UTMALDG.{}D [UR8], [UR6]
    SYNCS.ARRIVE.TRANS64 RZ, [bar], R6
skipped:
    BSYNC B0
made:
    BAR.SYNC 0x0
again:
    SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [bar], RZ
@!P1 BRA again
    SHF.L.U32 R8, R0, 0x2, RZ
    IMAD.WIDE.U32 R4, R0, 0x4, c[out]
    MOV R9, 0x0
more:
    LDS R10, [R8+tile]
    STG.E [R4.64], R10
    IADD3 R8, R8, 0x80, RZ
    IADD3 R4, P2, R4, 0x80, RZ
    IADD3.X R5, R5, RZ, RZ, P2
    IADD3 R9, R9, 0x80, RZ
    ISETP.LT.AND P3, PT, R9, {:#x}, PT
@P3 BRA more)",
                     bytes, place(at, true), at.size(), bytes);
}

/// Writes `in` to the tile, then copies that to the tensor.
std::string store_body(const std::string& mnemonic, const std::vector<std::int32_t>& at, std::uint64_t bytes) {
  return fmt::format(R"(
    ULDC.64 UR6, c[map]
    {}
    SHF.L.U32 R8, R0, 0x2, RZ
    IMAD.WIDE.U32 R4, R0, 0x4, c[in]
    MOV R9, 0x0
more:
    LDG.E R10, [R4.64]
    STS [R8+tile], R10
    IADD3 R8, R8, 0x80, RZ
    IADD3 R4, P2, R4, 0x80, RZ
    IADD3.X R5, R5, RZ, RZ, P2
    IADD3 R9, R9, 0x80, RZ
    ISETP.LT.AND P3, PT, R9, {:#x}, PT
@P3 BRA more
    BAR.SYNC 0x0
@P0 EXIT
    {} [UR8], [UR6]
    UTMACMDFLUSH
    DEPBAR.LE SB0, 0x0)",
                     place(at, false), bytes, mnemonic);
}

/// A tensor of whole numbers of 4 bytes, each that of its place, with gaps between rows.
TensorMap map_of(const std::vector<std::uint64_t>& sizes, const std::vector<std::uint32_t>& box, Addr address) {
  TensorMap map;
  map.element = BulkElement::S32;
  map.rank = static_cast<unsigned>(sizes.size());
  map.address = address;
  std::uint64_t stride = (sizes[0] * 4 + 15) / 16 * 16 + 16;
  for (unsigned i = 0; i < map.rank; ++i) {
    map.sizes[i] = sizes[i];
    map.box[i] = box[i];
    map.steps[i] = 1;
    if (i + 1 == map.rank) continue;
    map.strides[i] = stride;
    stride *= sizes[i + 1];
  }
  return map;
}

std::uint64_t tensor_bytes(const TensorMap& map) {
  return map.rank == 1 ? map.sizes[0] * 4 : map.strides[map.rank - 2] * map.sizes[map.rank - 1];
}

const Buffer& put_map(GlobalMemory& memory, const TensorMap& map) {
  const Buffer& buffer = memory.allocate("map", TensorMap::kBytes);
  const auto bytes = encoded(map);
  std::memcpy(buffer.bytes().data(), bytes.data(), bytes.size());
  return buffer;
}

/// Calls visit(place in the tile in elements, place in the tensor in bytes, or -1 where there is none), by counting.
void for_each_element(const TensorMap& map, const std::vector<std::int32_t>& first,
                      const std::function<void(std::uint64_t, std::int64_t)>& visit) {
  // Along the first dimension there is no stride.
  const auto step = [&](unsigned i) { return i == 0 ? 1 : map.steps[i]; };
  const auto size_of = [&](unsigned i) { return std::uint64_t{(map.box[i] + step(i) - 1) / step(i)}; };
  std::uint64_t elements = 1;
  for (unsigned i = 0; i < map.rank; ++i) elements *= size_of(i);
  for (std::uint64_t number = 0; number < elements; ++number) {
    std::uint64_t rest = number;
    std::int64_t at = 0;
    bool is_inside = true;
    for (unsigned i = 0; i < map.rank; ++i) {
      const std::int64_t along = first[i] + static_cast<std::int64_t>(rest % size_of(i) * step(i));
      rest /= size_of(i);
      is_inside = is_inside && along >= 0 && along < static_cast<std::int64_t>(map.sizes[i]);
      at += along * static_cast<std::int64_t>(i == 0 ? 4 : map.strides[i - 1]);
    }
    visit(number, is_inside ? at : -1);
  }
}

/// PTX ISA, swizzling modes: chunks of 16 bytes change places within 128, 64 or 32, by the number of the 128-byte line.
std::uint64_t swizzled(std::uint64_t at, std::uint32_t swizzle) {
  if (swizzle == 0) return at;
  const std::uint64_t line = at / 128;
  const std::uint64_t chunk = at / 16 % 8;
  const std::uint64_t turned = swizzle == 128 ? chunk ^ line % 8 : swizzle == 64 ? chunk ^ line % 4 : chunk ^ line % 2;
  return line * 128 + turned * 16 + at % 16;
}

std::int32_t word_at(const Buffer& buffer, std::uint64_t byte) {
  std::int32_t value = 0;
  std::memcpy(&value, buffer.bytes().data() + byte, sizeof value);
  return value;
}

void check_load(TensorMap map, const std::vector<std::int32_t>& first) {
  CAPTURE(map.rank, map.swizzle, first[0]);
  GlobalMemory memory;
  const Buffer& tensor = memory.allocate("tensor", tensor_bytes(map));
  std::iota(tensor.as<std::int32_t>().begin(), tensor.as<std::int32_t>().end(), 1);
  map.address = tensor.address();
  const Buffer& out = memory.allocate("out", kTileBytes);
  REQUIRE(map.tile_bytes() <= kTileBytes);
  const KernelRun run = launch_of(load_body(first, map.tile_bytes()),
                                  {put_map(memory, map).address(), tensor.address(), out.address()});
  REQUIRE(fault_of(run, memory) == "");
  unsigned wrong = 0;
  for_each_element(map, first, [&](std::uint64_t number, std::int64_t at) {
    const std::int32_t expected = at < 0 ? 0 : word_at(tensor, static_cast<std::uint64_t>(at));
    if (word_at(out, swizzled(4 * number, map.swizzle)) != expected) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("a tile comes from where its coordinates say, with zeros for what lies out of the tensor") {
  check_load(map_of({100}, {64}, 0), {8});
  check_load(map_of({100}, {64}, 0), {-5});
  check_load(map_of({100, 37}, {32, 8}, 0), {0, 0});
  check_load(map_of({100, 37}, {32, 8}, 0), {81, 33});
  check_load(map_of({100, 37}, {32, 8}, 0), {-31, -7});
  check_load(map_of({100, 37}, {32, 8}, 0), {200, 3});
  check_load(map_of({20, 7, 5}, {8, 4, 3}, 0), {3, 5, 3});
  check_load(map_of({12, 5, 4, 3, 6}, {4, 3, 2, 2, 2}, 0), {10, -1, 3, 1, 5});
}

TEST_CASE("a tile may take each second or third of a tensor's rows") {
  TensorMap map = map_of({64, 40}, {32, 16}, 0);
  map.steps[1] = 3;
  check_load(map, {4, 2});
  map.steps[0] = 2;
  check_load(map, {4, 30});
}

TEST_CASE("a swizzle exchanges chunks of 16 bytes") {
  for (const std::uint32_t swizzle : {32U, 64U, 128U}) {
    TensorMap map = map_of({96, 40}, {swizzle / 4, 16}, 0);
    map.swizzle = swizzle;
    check_load(map, {8, 30});
    check_load(map, {-3, 1});
  }
}

/// What is left of the tensor, each element of the tile by combine(what was there, what the tile has).
void check_store(const std::string& mnemonic, TensorMap map, const std::vector<std::int32_t>& first,
                 const std::function<std::int32_t(std::int32_t, std::int32_t)>& combine) {
  CAPTURE(mnemonic, map.rank, map.swizzle, first[0]);
  GlobalMemory memory;
  const Buffer& tensor = memory.allocate("tensor", tensor_bytes(map));
  const auto elements = tensor.as<std::int32_t>();
  std::iota(elements.begin(), elements.end(), -20);
  map.address = tensor.address();
  std::vector<std::int32_t> expected(elements.begin(), elements.end());
  const Buffer& in = memory.allocate("in", kTileBytes);
  for (unsigned i = 0; i < kTileBytes / 4; ++i) in.as<std::int32_t>()[i] = static_cast<std::int32_t>(7 * i % 100) - 50;
  for_each_element(map, first, [&](std::uint64_t number, std::int64_t at) {
    if (at < 0) return;
    std::int32_t& element = expected[static_cast<std::size_t>(at) / 4];
    element = combine(element, word_at(in, swizzled(4 * number, map.swizzle)));
  });
  const KernelRun run = launch_of(store_body(mnemonic, first, map.tile_bytes()),
                                  {put_map(memory, map).address(), in.address(), tensor.address()});
  REQUIRE(fault_of(run, memory) == "");
  CHECK(std::equal(elements.begin(), elements.end(), expected.begin()));
}

TEST_CASE("a tile goes where its coordinates say, and nowhere out of the tensor") {
  const auto replace = [](std::int32_t, std::int32_t tile) { return tile; };
  check_store("UTMASTG.1D", map_of({100}, {64}, 0), {70}, replace);
  check_store("UTMASTG.2D", map_of({100, 37}, {32, 8}, 0), {-3, 33}, replace);
  check_store("UTMASTG.3D", map_of({20, 7, 5}, {8, 4, 3}, 0), {3, 5, 3}, replace);
  TensorMap turned = map_of({96, 40}, {32, 16}, 0);
  turned.swizzle = 128;
  check_store("UTMASTG.2D", turned, {1, 30}, replace);
}

TEST_CASE("a tile is combined with what is there") {
  const TensorMap map = map_of({100, 37}, {32, 8}, 0);
  check_store("UTMAREDG.2D.ADD", map, {-3, 33}, [](std::int32_t a, std::int32_t b) { return a + b; });
  check_store("UTMAREDG.2D.MIN", map, {70, 1}, [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
  check_store("UTMAREDG.2D.AND", map, {70, 1}, [](std::int32_t a, std::int32_t b) { return a & b; });
  check_store("UTMAREDG.2D.MAX", map, {70, 1}, [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
}

TEST_CASE("bytes are combined with what is there, by their type") {
  struct Form {
    const char* suffix;
    unsigned bytes;
    std::uint64_t there, brought, expected;
  };
  const auto half = [](double value) { return std::uint64_t{Half::from(value)}; };
  const auto bfloat = [](double value) { return std::uint64_t{Bfloat::from(value)}; };
  const Form forms[] = {
      {"ADD", 4, 0xffffffff, 3, 2},
      {"MIN.S32", 4, 5, 0xfffffff0, 0xfffffff0},
      {"MIN", 4, 5, 0xfffffff0, 5},
      {"INC", 4, 7, 7, 0},
      {"DEC", 4, 0, 7, 7},
      {"AND", 4, 0xf0f0, 0xff00, 0xf000},
      {"ADD.U64", 8, 0xffffffff, 1, 0x100000000},
      {"MAX.S64", 8, ~std::uint64_t{0}, 1, 1},
      {"XOR.U64", 8, 0xff00000000000001, 1, 0xff00000000000000},
      {"ADD.F32.RN", 4, 0x3f800000, 0x40000000, 0x40400000},
      {"ADD.F64.RN", 8, std::bit_cast<std::uint64_t>(1.5), std::bit_cast<std::uint64_t>(2.25), std::bit_cast<std::uint64_t>(3.75)},
      {"ADD.F16.RN", 2, half(1), half(0.5), half(1.5)},
      {"ADD.F16.RN", 2, half(2048), half(1), half(2048)},
      {"MIN.F16.RN", 2, half(1), half(-2), half(-2)},
      {"MAX.F16.RN", 2, 0x7e00, half(-2), half(-2)},
      {"MAX.BF16.RN", 2, bfloat(3), bfloat(5), bfloat(5)},
      {"ADD.BF16.RN", 2, bfloat(3), bfloat(5), bfloat(8)},
      {"MIN.F16.RN", 2, half(0), half(-0.0), half(-0.0)},
  };
  for (const Form& form : forms) {
    CAPTURE(form.suffix);
    constexpr unsigned kBytes = 128;
    GlobalMemory memory;
    const Buffer& in = memory.allocate("in", kBytes);
    const Buffer& out = memory.allocate("out", kBytes);
    for (unsigned at = 0; at < kBytes; at += form.bytes) {
      std::memcpy(in.bytes().data() + at, &form.brought, form.bytes);
      std::memcpy(out.bytes().data() + at, &form.there, form.bytes);
    }
    const std::string body = fmt::format(R"(
    IMAD.WIDE.U32 R4, R0, 0x4, c[in]
    SHF.L.U32 R8, R0, 0x2, RZ
    LDG.E R10, [R4.64]
    STS [R8+tile], R10
    BAR.SYNC 0x0
    UMOV UR8, 0x0
    UMOV UR9, 0x8
    ULDC.64 UR6, c[out]
@P0 EXIT
    UBLKRED.G.S.{} [UR6], [UR8], UR9
    UTMACMDFLUSH
    DEPBAR.LE SB0, 0x0)",
                                         form.suffix);
    REQUIRE(fault_of(launch_of(body, {0, in.address(), out.address()}), memory) == "");
    for (unsigned at = 0; at < kBytes; at += form.bytes) {
      std::uint64_t found = 0;
      std::memcpy(&found, out.bytes().data() + at, form.bytes);
      CHECK(found == form.expected);
    }
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("copies without a map, out of shared memory or of what cannot be combined are faults") {
  GlobalMemory memory;
  const Buffer& tensor = memory.allocate("tensor", 4096);
  TensorMap map = map_of({16, 16}, {16, 16}, tensor.address());
  map.strides[0] = 64;
  const Buffer& good = put_map(memory, map);
  const auto fault = [&](const std::string& body, std::uint64_t where) {
    return fault_of(launch_of("@P0 EXIT\nULDC.64 UR6, c[map]\nUMOV UR8, 0x0\nUMOV UR9, 0x0\nUMOV UR10, 0x0\n" + body,
                              {where, 0, 0}),
                    memory);
  };
  CHECK(fault("UTMASTG.2D [UR8], [UR6]", good.address()) == "");
  CHECK(has(fault("UTMASTG.2D [UR8], [UR6]", tensor.address()), "lies no tensor map that cuTensorMapEncodeTiled has made"));
  CHECK(has(fault("UTMASTG.2D [UR8], [UR6]", 0x1000), "lies no tensor map"));
  const Buffer& changed = memory.allocate("changed", TensorMap::kBytes);
  std::ranges::copy(good.bytes(), changed.bytes().begin());
  changed.bytes()[16] = std::byte{0x30};  // of a stride
  CHECK(has(fault("UTMASTG.2D [UR8], [UR6]", changed.address()), "lies no tensor map"));
  TensorMap wide = map_of({16, 16, 16, 16, 16}, {256, 256, 256, 256, 256}, tensor.address());
  const Buffer& great = memory.allocate("great", TensorMap::kBytes);
  std::ranges::copy(encoded(wide), great.bytes().begin());
  CHECK(has(fault("UMOV UR11, 0x0\nUMOV UR12, 0x0\nUMOV UR13, 0x0\nUTMASTG.5D [UR8], [UR6]", great.address()), "shared"));
  CHECK(has(fault("UTMASTG.1D [UR8], [UR6]", good.address()), "names 1 coordinates, but the tensor map"));
  CHECK(has(fault("UMOV UR8, 0x1f80\nUTMASTG.2D [UR8], [UR6]", good.address()), "shared"));
  CHECK(has(fault("UMOV UR8, 0x40\nUTMASTG.2D [UR8], [UR6]", good.address()), "misaligned"));
  CHECK(has(fault("UTMAREDG.2D.EXCH [UR8], [UR6]", good.address()), "no elements of this type can be combined"));
  CHECK(has(fault("UMOV UR7, 0x1\nUBLKRED.G.S.INC.S32 [UR6], [UR8], UR7", good.address()), "no elements of this type"));
}

TEST_CASE("a tensor map can be a parameter, at the address that the launch bank of 9.0 names") {
  GlobalMemory memory;
  const Buffer& tensor = memory.allocate("tensor", 4096);
  const Buffer& out = memory.allocate("out", kTileBytes);
  std::iota(tensor.as<std::int32_t>().begin(), tensor.as<std::int32_t>().end(), 1);
  TensorMap map = map_of({16, 16}, {16, 16}, tensor.address());
  map.strides[0] = 64;
  KernelRun run = launch_of(load_body({0, 0}, map.tile_bytes()), {});
  const std::string head = ".kernel k\n";
  run.text.insert(head.size(), ".param_base 0x210\n");
  const std::string from = "ULDC.64 UR6, c[map]";
  const std::size_t at = run.text.find(from);
  REQUIRE(at != std::string::npos);
  std::string words;
  for (unsigned i = 0; i < 16; ++i) words += fmt::format(".param w{} u64\n", i);
  run.text.insert(run.text.find(".shared tile"), words);
  run.text.replace(run.text.find(from), from.size(), "ULDC.64 UR6, c[0x0][0x198]\nUIADD3 UR6, UR6, 0x18, URZ");
  run.params = {0, 0, out.address()};
  const auto bytes = encoded(map);
  for (unsigned i = 0; i < 16; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + 8 * i, sizeof word);
    run.params.push_back(word);
  }
  REQUIRE(fault_of(run, memory) == "");
  CHECK(std::equal(tensor.as<std::int32_t>().begin(), tensor.as<std::int32_t>().begin() + 256, out.as<std::int32_t>().begin()));
}

TEST_CASE("a generic address of a parameter can be loaded from") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  KernelRun run = launch_of(R"(
    ULDC.64 UR6, c[0x0][0x198]
    MOV R4, UR6
    MOV R5, UR7
    LD.E R6, [R4.64+0x8]
    IMAD.WIDE.U32 R4, R0, 0x4, c[out]
    STG.E [R4.64], R6)",
                            {0, 77, out.address()});
  run.text.insert(std::string(".kernel k\n").size(), ".param_base 0x210\n");
  REQUIRE(fault_of(run, memory) == "");
  for (const std::uint32_t word : out.as<std::uint32_t>()) CHECK(word == 77);
}

TEST_CASE("a map is what was encoded, and other bytes are none") {
  TensorMap map = map_of({100, 37, 1ULL << 32}, {32, 8, 256}, 0x12340);
  map.swizzle = 128;
  map.steps[2] = 8;
  map.element = BulkElement::Bf16;
  auto bytes = encoded(map);
  CHECK(decode_tensor_map(bytes) == map);
  bytes[4] = std::byte{77};
  CHECK(!decode_tensor_map(bytes));
  CHECK(!decode_tensor_map(std::span(bytes).first(16)));
  CHECK(!decode_tensor_map(std::array<std::byte, TensorMap::kBytes>{}));
}

}  // namespace
}  // namespace heddle::exec
