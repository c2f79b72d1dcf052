// libcuda.so.1, which programs that use CUDA's driver API ask for. Its functions stand in libcudart.so, so that both
// APIs share one state: this library has no function of its own, and brings that one along.
namespace {
[[maybe_unused]] constexpr int kNothing = 0;
}
