// Textures and surfaces of machine code. What is expected are closed forms: texels are sums of their numbers, which a
// filter keeps; the rules are those of the CUDA C++ Programming Guide, Texture Fetching.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "isa/ir/texture_layout.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
namespace layout = ir::texture;

enum Mode : std::uint32_t { Wrap, Clamp, Mirror, Border };
enum Kind : std::uint32_t { Signed, Unsigned, Float };

/// What a texture object says of itself and its texels.
struct Description {
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint32_t channel_bytes = 4, channels = 1;
  Kind kind = Float;
  Mode mode = Clamp;
  bool is_linear = false, is_normalized = false, is_fraction = false;
  std::array<float, 4> border{};
};

struct Place {
  float x = 0, y = 0, z = 0;
  float layer = 0;  // its bits are an integer's
};

Place in_layer(float x, float y, std::uint32_t layer) { return {x, y, 0, std::bit_cast<float>(layer)}; }

constexpr const char* kHead = R"(.kernel k
.param places ptr
.param out ptr
.param object u64
S2R R0, SR_TID.X
MOV R1, 0x10
IMAD.WIDE R2, R0, R1, c[places]
LDG.E.128 R8, [R2.64]
IMAD.WIDE R4, R0, R1, c[out]
MOV R12, c[0x0][0x170]
MOV R13, 0xc2000000
MOV R20, RZ
MOV R21, RZ
MOV R22, RZ
MOV R23, RZ
MOV R16, 0x7fffffff
MOV R17, 0x7fffffff
MOV R18, 0x7fffffff
MOV R19, 0x7fffffff
ULDC UR4, c[0x0][0x170]
)";

/// A texture in memory, and the kernels that fetch from it.
class Sampled {
 public:
  explicit Sampled(const Description& of) : of_(of) {
    pitch_ = round_up(Addr{of.width} * of.channels * of.channel_bytes, 32);
    texels_ = &memory_.allocate("texels", pitch_ * of.height * of.depth);
    object_ = &memory_.allocate_low("object", 96);
    put<std::uint64_t>(layout::kData, texels_->address());
    put<std::uint64_t>(layout::kPitch, pitch_);
    put<std::uint64_t>(layout::kSlice, pitch_ * of.height);
    put(layout::kWidth, of.width);
    put(layout::kHeight, of.height);
    put(layout::kDepth, of.depth);
    put(layout::kChannelBytes, of.channel_bytes);
    put(layout::kChannels, of.channels);
    put<std::uint32_t>(layout::kKind, of.kind);
    for (std::size_t axis = 0; axis < 3; ++axis) put<std::uint32_t>(layout::kAddressModes + 4 * axis, of.mode);
    put<std::uint32_t>(layout::kIsLinear, of.is_linear ? 1 : 0);
    put<std::uint32_t>(layout::kIsNormalizedValue, of.is_fraction ? 1 : 0);
    put<std::uint32_t>(layout::kIsNormalizedPlace, of.is_normalized ? 1 : 0);
    put(layout::kBorder, of.border);
  }

  /// f(x, y, z, channel) for each channel of each texel.
  template <typename Value, typename Function>
  void fill(Function f) {
    for (std::uint32_t z = 0; z < of_.depth; ++z)
      for (std::uint32_t y = 0; y < of_.height; ++y)
        for (std::uint32_t x = 0; x < of_.width; ++x)
          for (std::uint32_t c = 0; c < of_.channels; ++c) {
            const Value value = static_cast<Value>(f(x, y, z, c));
            const Addr at = (z * of_.height + y) * pitch_ + (Addr{x} * of_.channels + c) * sizeof value;
            std::memcpy(texels_->bytes().data() + at, &value, sizeof value);
          }
  }

  /// The kernel's R16 to R19 for each place, which is in R8 to R11.
  std::vector<std::array<std::uint32_t, 4>> bits_of(const std::string& lines, const std::vector<Place>& places) {
    Buffer& in = memory_.allocate("places", 32 * sizeof(Place));
    Buffer& out = memory_.allocate("out", 32 * 16);
    std::memcpy(in.bytes().data(), places.data(), places.size() * sizeof(Place));
    run_kernel({kHead + lines + "\nSTG.E.128 [R4.64], R16\nEXIT\n", {}, {32, 1, 1}, 32,
                {in.address(), out.address(), object_->address()}},
               memory_);
    std::vector<std::array<std::uint32_t, 4>> found(places.size());
    std::memcpy(found.data(), out.bytes().data(), found.size() * 16);
    return found;
  }

  std::array<float, 4> value_at(const std::string& lines, Place place) {
    return std::bit_cast<std::array<float, 4>>(bits_of(lines, {place}).front());
  }

  std::string fault_at(const std::string& lines, std::uint64_t object) {
    return fault_of({kHead + lines + "\nEXIT\n", {}, {32, 1, 1}, 32, {places(), places(), object}}, memory_);
  }
  [[nodiscard]] std::uint64_t object() const { return object_->address(); }
  [[nodiscard]] const Buffer& texels() const { return *texels_; }

 private:
  template <typename Value>
  void put(std::size_t offset, const Value& value) {
    std::memcpy(object_->bytes().data() + offset, &value, sizeof value);
  }
  std::uint64_t places() { return memory_.allocate("zeros", 4096).address(); }

  Description of_;
  GlobalMemory memory_;
  Addr pitch_ = 0;
  Buffer* texels_ = nullptr;
  Buffer* object_ = nullptr;
};

/// All ways to fetch from a texture of two dimensions at R8, R9.
constexpr const char* kPlaneForms[] = {
    "TEX.SCR.LL R18, R16, R8, R13, 0x0, 0x5c, 2D",   "TEX.SCR.B.LL R18, R16, R8, R12, 2D",
    "TEX.LL R18, R16, R8, R13, UR4, 0x0, 2D",        "TEX.LZ R18, R16, R8, UR4, 0x0, 2D",
    "TEX.SCR.LZ R18, R16, R8, R9, 0x0, 0x5c, 2D",    "TEX.B.LL R18, R16, R8, R12, 2D",
    "TXD R18, R16, R8, R20, 0x0, 0x5c, 2D",          "MOV R10, R9\nMOV R9, R8\nMOV R8, R12\nTXD.B R18, R16, R8, R20, 2D",
    "TEX.LZ.NODEP R18, R16, R8, UR4, 0x0, 2D, 0xf",
};

}  // namespace

TEST_CASE("Textures are fetched by nearest texel and between texels, in each mode and by each form") {
  struct Case {
    Mode mode;
    bool is_linear, is_normalized;
    Place place;
    float expected;
  };
  // Texel (x, y) of 4 x 2 is x + 10 y.
  const Case cases[] = {
      {Clamp, false, false, {2.9F, 1.2F}, 12},   {Clamp, false, false, {-3, 9}, 10},
      {Border, false, false, {4, 0}, 7},         {Border, false, false, {3.5F, 1.5F}, 13},
      {Wrap, false, true, {1.3F, 0}, 1},         {Wrap, false, true, {-0.1F, 0.75F}, 13},
      {Mirror, false, true, {1.3F, 0}, 2},       {Clamp, true, false, {1.5F, 0.5F}, 1},
      {Clamp, true, false, {2, 1}, 6.5F},        {Clamp, true, false, {1.75F, 0.5F}, 1.25F},
      {Clamp, true, false, {0, 0}, 0},           {Wrap, true, true, {0, 0.25F}, 1.5F},
      {Border, true, false, {0, 1.5F}, 8.5F},    {Wrap, false, false, {7, -2}, 3},
      {Clamp, false, false, {1e30F, -1e30F}, 3}, {Clamp, false, false, {NAN, 1}, 10},
  };
  for (const Case& each : cases) {
    Description of = {4, 2};
    of.mode = each.mode;
    of.is_linear = each.is_linear;
    of.is_normalized = each.is_normalized;
    of.border[0] = 7;
    Sampled texture(of);
    texture.fill<float>([](auto x, auto y, auto, auto) { return x + 10 * y; });
    for (const char* form : kPlaneForms) {
      CAPTURE(form, each.place.x, each.place.y, each.expected);
      CHECK(texture.value_at(form, each.place)[0] == each.expected);
    }
  }
}

TEST_CASE("A mask chooses the channels, the first two for one register, the others for another") {
  Description of = {2, 2};
  of.channels = 4;
  Sampled texture(of);
  texture.fill<float>([](auto x, auto, auto, auto c) { return 10 * x + c + 1; });
  const Place place = {1, 0};
  const float none = std::bit_cast<float>(0x7fffffffU);
  const auto same = [&](const std::string& operands, const std::string& mask, std::array<float, 4> expected) {
    CAPTURE(operands, mask);
    const auto found = texture.bits_of(fmt::format("TEX.LZ {}, R8, UR4, 0x0, 2D{}", operands, mask), {place}).front();
    CHECK(found == std::bit_cast<std::array<std::uint32_t, 4>>(expected));
  };
  same("R18, R16", "", {11, 12, 13, 14});
  same("RZ, R17", ", 0x8", {none, 14, none, none});
  same("RZ, R16", ", 0xa", {12, 14, none, none});
  same("R19, R16", ", 0xb", {11, 12, none, 14});
  same("RZ, R16", ", 0xf", {11, 12, none, none});
}

TEST_CASE("Volumes, layers and cubes have their coordinates where compilers put them") {
  Description of = {4, 4, 4};
  of.is_linear = true;
  Sampled texture(of);
  texture.fill<float>([](auto x, auto y, auto z, auto) { return x + 8 * y + 64 * z; });
  const Place inside = {1.75F, 2.25F, 2.625F};
  const float volume = 1.25F + 8 * 1.75F + 64 * 2.125F;
  for (const char* form : {"TEX.LZ R18, R16, R8, UR4, 0x0, 3D", "TEX.B.LL R18, R16, R8, R12, 3D",
                           "MOV R11, RZ\nTEX.SCR.LL R18, R16, R8, R10, 0x0, 0x5c, 3D"}) {
    CAPTURE(form);
    CHECK(texture.value_at(form, inside)[0] == volume);
  }
  // A layer is not filtered; beyond the last one it is the last one.
  const std::string behind = "MOV R10, R9\nMOV R9, R8\nMOV R8, R11\n";
  CHECK(texture.value_at(behind + "TEX.LZ R18, R16, R8, UR4, 0x0, ARRAY_2D", in_layer(2, 2, 1))[0] == 64 + 1.5F * 9);
  CHECK(texture.value_at(behind + "TEX.B.LL R18, R16, R8, R12, ARRAY_2D", in_layer(2, 2, 9))[0] == 192 + 1.5F * 9);
  CHECK(texture.value_at(behind + "TEX.SCR.LL R18, R16, R8, R10, 0x0, 0x5c, ARRAY_1D", in_layer(2, 0, 3))[0] ==
        192 + 1.5F);
}

TEST_CASE("A direction meets one face of a cube, turned as CUDA's guide says") {
  Description of = {2, 2, 12};
  of.is_normalized = true;
  Sampled texture(of);
  texture.fill<float>([](auto x, auto y, auto face, auto) { return x + 10 * y + 100 * face; });
  struct Case {
    Place direction;
    float expected;  // of the face, its column and its row
  };
  // Faces +x, -x, +y, -y, +z, -z; s and t are -z, -y; z, -y; x, z; x, -z; x, -y; -x, -y.
  const Case cases[] = {{{1, 0.5F, -0.5F}, 1},    {{-1, 0.5F, -0.5F}, 100},  {{0.5F, 1, -0.5F}, 201},
                        {{0.5F, -1, -0.5F}, 311}, {{0.5F, -0.5F, 1}, 411},   {{0.5F, -0.5F, -1}, 510}};
  for (const Case& each : cases) {
    CAPTURE(each.expected);
    CHECK(texture.value_at("TEX.LZ R18, R16, R8, UR4, 0x0, CUBE", each.direction)[0] == each.expected);
    Place second = each.direction;
    second.layer = std::bit_cast<float>(1U);
    CHECK(texture.value_at("MOV R20, R11\nMOV R21, R8\nMOV R22, R9\nMOV R23, R10\nTEX.B.LL R18, R16, R20, R12, ARRAY_CUBE",
                           second)[0] == each.expected + 600);
  }
}

TEST_CASE("Texels are fetched by number, and four of a channel at once") {
  Description line = {5};
  line.kind = Signed;
  line.channel_bytes = 2;
  Sampled numbers(line);
  numbers.fill<std::int16_t>([](auto x, auto, auto, auto) { return 10 - 5 * static_cast<int>(x); });
  const auto at = [](std::int32_t x) { return Place{std::bit_cast<float>(x)}; };
  for (const char* form : {"TLD.SCR.LZ RZ, R16, R8, 0x0, 0x5c, 1D, 0x1", "TLD.SCR.B.LZ RZ, R16, R8, R12, 1D, 0x1",
                           "TLD.LZ RZ, R16, R8, UR4, 0x0, 1D, 0x1"}) {
    CAPTURE(form);
    const auto found = numbers.bits_of(form, {at(0), at(4), at(5), at(-1)});
    CHECK(found[0][0] == 10U);
    CHECK(found[1][0] == static_cast<std::uint32_t>(-10));
    CHECK(found[2][0] == 0U);
    CHECK(found[3][0] == 0U);
  }
  Description plane = {4, 4};
  plane.channels = 2;
  Sampled texture(plane);
  texture.fill<float>([](auto x, auto y, auto, auto c) { return x + 10 * y + 100 * c; });
  // Around (2, 3) lie the columns 1 and 2, the rows 2 and 3.
  CHECK(texture.value_at("TLD4.R R18, R16, R8, UR4, 0x0, 2D", {2, 3}) == std::array<float, 4>{31, 32, 22, 21});
  CHECK(texture.value_at("TLD4.SCR.G R18, R16, R8, R9, 0x0, 0x5c, 2D", {2, 3}) ==
        std::array<float, 4>{131, 132, 122, 121});
  CHECK(texture.value_at("TLD4.SCR.B.G R18, R16, R8, R12, 2D", {2, 3}) == std::array<float, 4>{131, 132, 122, 121});
}

TEST_CASE("Texels of 8 and 16 bits are integers, fractions or halves") {
  Description of = {4, 1};
  of.channel_bytes = 1;
  of.kind = Signed;
  Sampled bytes(of);
  bytes.fill<std::int8_t>([](auto x, auto, auto, auto) { return x == 0 ? -128 : x == 1 ? -5 : 127; });
  const char* form = "TEX.LZ R18, R16, R8, UR4, 0x0, 2D";
  CHECK(bytes.bits_of(form, {{1, 0}}).front() == std::array<std::uint32_t, 4>{static_cast<std::uint32_t>(-5), 0, 0, 0});
  of.is_fraction = true;
  Sampled fractions(of);
  fractions.fill<std::int8_t>([](auto x, auto, auto, auto) { return x == 0 ? -128 : x == 1 ? -5 : 127; });
  CHECK(fractions.value_at(form, {0, 0})[0] == -1);
  CHECK(fractions.value_at(form, {1, 0})[0] == -5 / 127.0F);
  CHECK(fractions.value_at(form, {2, 0})[0] == 1);
  of = {4, 1};
  of.channel_bytes = 2;
  Sampled halves(of);
  halves.fill<std::uint16_t>([](auto x, auto, auto, auto) { return x == 2 ? 0xc200 : 0x3c00; });
  CHECK(halves.value_at(form, {2, 0})[0] == -3);
}

TEST_CASE("Surfaces are loaded and stored by bytes, beyond their end as the form says") {
  Description of = {4, 3, 2};
  of.kind = Unsigned;
  Sampled surface(of);
  surface.fill<std::uint32_t>([](auto x, auto y, auto z, auto) { return 1 + x + 10 * y + 100 * z; });
  const auto at = [](std::int32_t x, std::int32_t y, std::int32_t z) {
    return Place{std::bit_cast<float>(x), std::bit_cast<float>(y), std::bit_cast<float>(z)};
  };
  const std::vector<Place> places = {at(4, 1, 0), at(12, 2, 1), at(16, 0, 0), at(0, -1, 5)};
  const auto loaded = [&](const std::string& form, unsigned place) { return surface.bits_of(form, places)[place][0]; };
  for (const char* handle : {"0x0, 0x5c", "UR4, 0x0", "R12"}) {
    CAPTURE(handle);
    const std::string zero = fmt::format("SULD.D.BA.3D.STRONG.SM.IGN R16, [R8], {}", handle);
    CHECK(loaded(zero, 0) == 12U);
    CHECK(loaded(zero, 1) == 124U);
    CHECK(loaded(zero, 2) == 0U);
    CHECK(loaded(zero, 3) == 0U);
    const std::string clamped = fmt::format("SULD.D.BA.3D.STRONG.SM R16, [R8], {}", handle);
    CHECK(loaded(clamped, 2) == 4U);
    CHECK(loaded(clamped, 3) == 101U);
    const std::string trapping = fmt::format("SULD.D.BA.2D_ARRAY.U16.TRAP R16, [R8], {}", handle);
    CHECK(surface.bits_of(trapping, {places[0]}).front()[0] == 12U);
  }
  const auto word = [&](Addr offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, surface.texels().bytes().data() + offset, 4);
    return value;
  };
  surface.bits_of("MOV R16, 0x4d\nSUST.D.BA.3D.STRONG.SM.IGN [R8], R16, R12", {at(8, 1, 1), at(16, 1, 1)});
  CHECK(word(32 * 4 + 8) == 77U);
  CHECK(word(32 * 4 + 16) == 0U);  // behind the row
  const std::string fault = surface.fault_at("MOV R8, 0x10\nSUST.D.BA.3D.TRAP [R8], R16, R12", surface.object());
  CHECK_THAT(fault, Catch::Contains("lane 0 is at byte 16 of row 0, layer 0, of a surface of 4x3x2 texels"));
}

TEST_CASE("A handle that is no object's ends the kernel") {
  Sampled texture({4, 2});
  const std::string fetch = "TEX.LZ R18, R16, R8, UR4, 0x0, 2D";
  CHECK(texture.fault_at(fetch, texture.object()) == "");
  CHECK_THAT(texture.fault_at(fetch, 0x1234), Catch::Contains("no texture or surface object has the handle 0x1234"));
}

}  // namespace heddle::exec
