#include "tests/support/random_cuda.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace heddle::test {

namespace {

/// Writes one function after another. All values are unsigned; those of variables u* have 32 bits, those of
/// w* 64.
class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string kernel(unsigned number) {
    text_.clear();
    helper_ = below(3) == 0 ? fmt::format("help{}", number) : "";
    if (!helper_.empty()) {
      text_ += fmt::format("DEVICE static __attribute__((noinline)) U64 {}(U32 u0, U64 w0) {{\n", helper_);
      helper_.swap(hidden_);
      body(4);
      helper_.swap(hidden_);
    }
    text_ += fmt::format("DEVICE static U64 f{}(U32 u0, U64 w0, U64 w1) {{\n", number);
    wides_ = 2;
    body(8);
    text_ += fmt::format("KERNEL(k{0}, f{0})\n", number);
    return text_;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  void body(unsigned statements) {
    narrows_ = 1;
    wides_ = wides_ == 0 ? 1 : wides_;
    has_array_ = below(3) == 0;
    if (has_array_) text_ += "  U32 t[8];\n  for (int i = 0; i < 8; ++i) t[i] = u0 * (U32)(i + 1);\n";
    for (unsigned i = 0; i < 3; ++i) declare();
    for (unsigned i = 0; i < statements; ++i) statement(0);
    text_ += "  U64 sum = 0;\n";
    for (unsigned i = 0; i < narrows_; ++i) text_ += fmt::format("  sum = sum * 31 + u{};\n", i);
    for (unsigned i = 0; i < wides_; ++i) text_ += fmt::format("  sum = sum * 37 + w{};\n", i);
    if (has_array_) text_ += "  for (int i = 0; i < 8; ++i) sum = sum * 41 + t[i];\n";
    text_ += "  return sum;\n}\n";
    wides_ = 0;
  }

  void declare() {
    if (below(2) == 0) {
      const std::string value = narrow(2);
      text_ += fmt::format("  U32 u{} = {};\n", narrows_++, value);
    } else {
      const std::string value = wide(2);
      text_ += fmt::format("  U64 w{} = {};\n", wides_++, value);
    }
  }

  void statement(unsigned depth) {
    const std::string indent(2 * (depth + 1), ' ');
    switch (below(depth >= 3 ? 4 : 9)) {
      case 0:
      case 1:
        text_ += fmt::format("{}u{} = {};\n", indent, below(narrows_), narrow(3));
        break;
      case 2:
        text_ += fmt::format("{}w{} = {};\n", indent, below(wides_), wide(3));
        break;
      case 3:
        if (has_array_) {
          text_ += fmt::format("{}t[{} & 7] = {};\n", indent, narrow(1), narrow(2));
        } else {
          text_ += fmt::format("{}u{} += {};\n", indent, below(narrows_), narrow(2));
        }
        break;
      case 4:
      case 5:
        branch(depth, indent);
        break;
      case 6:
        loop(depth, indent);
        break;
      case 7:
        choice(depth, indent);
        break;
      default:
        if (helper_.empty()) {
          text_ += fmt::format("{}u{} ^= {};\n", indent, below(narrows_), narrow(2));
        } else {
          text_ += fmt::format("{}w{} = {}({}, {});\n", indent, below(wides_), helper_, narrow(1), wide(1));
        }
    }
  }

  void block(unsigned depth) {
    const unsigned count = 1 + below(3);
    for (unsigned i = 0; i < count; ++i) statement(depth + 1);
  }

  void branch(unsigned depth, const std::string& indent) {
    text_ += fmt::format("{}if ({}) {{\n", indent, condition());
    block(depth);
    if (below(2) == 0) {
      text_ += indent + "} else {\n";
      block(depth);
    }
    text_ += indent + "}\n";
  }

  /// A loop has a counter of its own, so that it ends.
  void loop(unsigned depth, const std::string& indent) {
    const unsigned counter = counters_++;
    text_ += fmt::format("{}for (U32 c{} = 0; c{} < ({} & 7); ++c{}) {{\n", indent, counter, counter,
                         narrow(1), counter);
    block(depth);
    if (below(3) == 0)
      text_ += fmt::format("{}  if ({}) {};\n", indent, condition(), below(2) == 0 ? "break" : "continue");
    block(depth);
    text_ += indent + "}\n";
  }

  void choice(unsigned depth, const std::string& indent) {
    text_ += fmt::format("{}switch ({} & 7) {{\n", indent, narrow(1));
    for (unsigned i = 0; i < 5; ++i) {
      text_ += fmt::format("{}case {}:\n", indent, i);
      statement(depth + 1);
      if (below(4) != 0) text_ += indent + "  break;\n";
    }
    text_ += indent + "default: break;\n" + indent + "}\n";
  }

  std::string condition() {
    static constexpr const char* kHow[] = {"<", "<=", ">", ">=", "==", "!="};
    const std::string how = kHow[below(6)];
    std::string made;
    switch (below(4)) {
      case 0:
        made = fmt::format("({} {} {})", narrow(1), how, narrow(1));
        break;
      case 1:
        made = fmt::format("((S32)({}) {} (S32)({}))", narrow(1), how, narrow(1));
        break;
      case 2:
        made = fmt::format("({} {} {})", wide(1), how, wide(1));
        break;
      default:
        made = fmt::format("((S64)({}) {} (S64)({}))", wide(1), how, wide(1));
        break;
    }
    if (below(4) == 0)
      made = fmt::format("({} {} ({} & 1) != 0)", made, below(2) == 0 ? "&&" : "||", narrow(0));
    return made;
  }

  std::string narrow(unsigned depth) {
    if (depth == 0) return narrow_leaf();
    const auto a = [&] { return narrow(depth - 1); };
    switch (below(22)) {
      case 0:
        return fmt::format("({} + {})", a(), a());
      case 1:
        return fmt::format("({} - {})", a(), a());
      case 2:
        return fmt::format("({} * {})", a(), a());
      case 3:
        return fmt::format("({} & {})", a(), a());
      case 4:
        return fmt::format("({} | {})", a(), a());
      case 5:
        return fmt::format("({} ^ {})", a(), a());
      case 6:
        return fmt::format("(~{})", a());
      case 7:
        return fmt::format("({} << ({} & 31))", a(), a());
      case 8:
        return fmt::format("({} >> ({} & 31))", a(), a());
      case 9:
        return fmt::format("(U32)((S32)({}) >> ({} & 31))", a(), a());
      case 10:
        return fmt::format("({} / ({} | 1))", a(), a());
      case 11:
        return fmt::format("({} % ({} | 1))", a(), a());
      case 12:
        return fmt::format("(U32)((S32)({}) / (S32)(({} & 0xff) + 1))", a(), a());
      case 13:
        return fmt::format("(U32)((S32)({}) % 10)", a());
      case 14:
        return fmt::format("(U32)(S32)(signed char)({})", a());
      case 15:
        return fmt::format("(U32)(S32)(short)({})", a());
      case 16:
        return fmt::format("(U32)(unsigned char)({})", a());
      case 17:
        return fmt::format("(U32)(unsigned short)({})", a());
      case 18:
        return fmt::format("({} ? {} : {})", condition(), a(), a());
      case 19:
        return fmt::format("(U32)({} >> 32)", wide(depth - 1));
      case 20:
        return fmt::format("(U32)__builtin_popcount({})", a());
      default:
        return fmt::format("(U32)({})", wide(depth - 1));
    }
  }

  std::string wide(unsigned depth) {
    if (depth == 0) return wide_leaf();
    const auto a = [&] { return wide(depth - 1); };
    switch (below(18)) {
      case 0:
        return fmt::format("({} + {})", a(), a());
      case 1:
        return fmt::format("({} - {})", a(), a());
      case 2:
        return fmt::format("({} * {})", a(), a());
      case 3:
        return fmt::format("({} & {})", a(), a());
      case 4:
        return fmt::format("({} | {})", a(), a());
      case 5:
        return fmt::format("({} ^ {})", a(), a());
      case 6:
        return fmt::format("({} << ({} & 63))", a(), narrow(depth - 1));
      case 7:
        return fmt::format("({} >> ({} & 63))", a(), narrow(depth - 1));
      case 8:
        return fmt::format("(U64)((S64)({}) >> ({} & 63))", a(), narrow(depth - 1));
      case 9:
        return fmt::format("({} / ({} | 1))", a(), a());
      case 10:
        return fmt::format("({} % ({} | 1))", a(), a());
      case 11:
        return fmt::format("(U64)((S64)({}) / 1000)", a());
      case 12:
        return fmt::format("({} ? {} : {})", condition(), a(), a());
      case 13:
        return fmt::format("(U64)(S64)(S32)({})", narrow(depth - 1));
      case 14:
        return fmt::format("((U64){} * {})", narrow(depth - 1), narrow(depth - 1));
      case 15:
        return fmt::format("(U64)((S64)(S32)({}) * (S32)({}))", narrow(depth - 1), narrow(depth - 1));
      case 16:
        return fmt::format("(U64)__builtin_popcountll({})", a());
      default:
        return fmt::format("(U64){}", narrow(depth - 1));
    }
  }

  std::string narrow_leaf() {
    static constexpr const char* kNumbers[] = {"0u",          "1u",          "7u",     "255u",
                                               "0x80000000u", "0xffffffffu", "65536u", "12345u"};
    if (below(4) == 0) return kNumbers[below(8)];
    if (has_array_ && below(4) == 0) return fmt::format("t[u{} & 7]", below(narrows_));
    return fmt::format("u{}", below(narrows_));
  }

  std::string wide_leaf() {
    static constexpr const char* kNumbers[] = {
        "0ull", "1ull", "3ull", "0x8000000000000000ull", "0xffffffffffffffffull", "0x100000000ull"};
    if (below(5) == 0) return kNumbers[below(6)];
    return fmt::format("w{}", below(wides_));
  }

  std::mt19937_64 random_;
  std::string text_;
  std::string helper_;  // that may be called; empty if there is none
  std::string hidden_;
  unsigned narrows_ = 1;
  unsigned wides_ = 1;
  unsigned counters_ = 0;
  bool has_array_ = false;
};

constexpr const char* kHead = R"(typedef unsigned U32;
typedef int S32;
typedef unsigned long long U64;
typedef long long S64;
#ifdef __CUDA__
#define DEVICE __attribute__((device))
#define KERNEL(name, f)                                                                              \
  extern "C" __attribute__((global)) void name(const U64* in, U64* out, int n) {                     \
    const int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); \
    if (i < n) out[i] = f((U32)in[3 * i], in[3 * i + 1], in[3 * i + 2]);                             \
  }
#else
#define DEVICE
#define KERNEL(name, f)                                                                              \
  extern "C" void name##_host(const U64* in, U64* out, int n) {                                      \
    for (int i = 0; i < n; ++i) out[i] = f((U32)in[3 * i], in[3 * i + 1], in[3 * i + 2]);            \
  }
#endif
)";

}  // namespace

std::string random_cuda(std::uint32_t seed, unsigned count) {
  Writer writer(seed);
  std::string text = kHead;
  for (unsigned i = 0; i < count; ++i) text += writer.kernel(i);
  return text;
}

}  // namespace heddle::test
