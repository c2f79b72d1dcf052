// A twin: an example of traces/ as a CUDA kernel, with the inputs and the check of the launch file. Its
// result is compared with the CPU's element by element. A twin does not know whether it runs on a GPU or in
// the emulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/hardware/kit/cuda_or_cpu.h"

namespace kit {

/// The numbers under `values:` of a launch file, unless others were given. All numbers that were asked for
/// are recorded, so that a simulation can use the same.
class Values {
 public:
  using List = std::vector<std::pair<std::string, long long>>;

  explicit Values(List given = {}) : given_(std::move(given)) {}

  unsigned operator()(const std::string& name, unsigned otherwise);
  const List& used() const { return used_; }
  /// Names that were given but that the twin did not ask for.
  std::vector<std::string> unknown() const;

 private:
  List given_;
  List used_;
};

/// The contents of a buffer before the kernel runs.
template <class T>
class Buffer {
 public:
  Buffer(std::size_t index, std::shared_ptr<const std::vector<T>> before)
      : index_(index), before_(std::move(before)) {}

  T operator[](std::size_t i) const { return (*before_)[i]; }
  std::size_t size() const { return before_->size(); }
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
  std::shared_ptr<const std::vector<T>> before_;
};

/// The addresses of a twin's buffers while it runs, in the order in which they were added.
using Addresses = std::vector<void*>;

template <class T>
T resolve(const Addresses&, T value) {
  return value;
}

template <class T>
T* resolve(const Addresses& addresses, const Buffer<T>& buffer) {
  return static_cast<T*>(addresses[buffer.index()]);
}

/// Converts an argument to the parameter's type. A pointer may point to a buffer with another element type.
template <class Parameter, class T>
Parameter as(T argument) {
  if constexpr (std::is_pointer_v<Parameter>)
    return static_cast<Parameter>(static_cast<void*>(argument));
  else
    return static_cast<Parameter>(argument);
}

/// The bytes of a buffer before the kernel, and a function that checks them afterwards.
struct Image {
  std::vector<unsigned char> before;
  /// Returns a message about the first wrong elements; empty if all compared elements are right. Null: not
  /// checked.
  std::function<std::string(const void* after)> judge;
};

/// What a twin needs of a GPU.
struct Needs {
  int least_capability = 75;  ///< 10 x major + minor.
  int only_capability = 0;    ///< For instructions that only this generation has; 0: none.
  bool progress = false;      ///< Threads wait for other threads. A GPU without forward progress would hang.
};

/// A CUDA kernel with its buffers, its launch and its check.
class Twin {
 public:
  template <class T>
  Buffer<T> add(std::vector<T> before) {
    Image image;
    image.before.resize(before.size() * sizeof(T));
    std::memcpy(image.before.data(), before.data(), image.before.size());
    images.push_back(std::move(image));
    return {images.size() - 1, std::make_shared<const std::vector<T>>(std::move(before))};
  }

  /// Sets the expected value of each element. The result may differ by at most `tolerance` x max(1,
  /// |expected|). If expected values are expensive, only `sample` elements, evenly spread, are compared.
  template <class T, class Expected>
  void expect(const Buffer<T>& buffer, Expected expected, double tolerance = 0, std::size_t sample = 0) {
    const std::size_t count = buffer.size();
    const std::size_t step = sample == 0 || sample >= count ? 1 : count / sample | 1;
    images[buffer.index()].judge = [=](const void* after) {
      const T* found = static_cast<const T*>(after);
      for (std::size_t i = 0; i < count; i += step) {
        const double want = static_cast<double>(expected(i)), have = static_cast<double>(found[i]);
        if (!(close(have, want, tolerance))) return difference(i, have, want);
      }
      return std::string();
    };
  }

  template <class... Parameters, class... Arguments>
  void runs(void (*kernel)(Parameters...), Shape its_shape, Arguments... arguments) {
    shape = its_shape;
    function = reinterpret_cast<const void*>(kernel);
    run = [=](const Addresses& addresses) {
      launch<Parameters...>(kernel, its_shape, as<Parameters>(resolve(addresses, arguments))...);
    };
  }

  std::vector<Image> images;
  Shape shape;
  Needs needs;
  /// The kernel's name, where it is not the launch's: several launches may share one.
  std::string kernel_name;
  const void* function = nullptr;
  std::function<void(const Addresses&)> run;

 private:
  static bool close(double have, double want, double tolerance);
  static std::string difference(std::size_t i, double have, double want);
};

/// The fills of launch files: the same numbers as `fill: {random: {seed, min, max}}`.
std::vector<float> random_floats(std::size_t count, unsigned seed, float min, float max);
std::vector<float> ramp(std::size_t count);

template <class T, class Element>
std::vector<T> each(std::size_t count, Element element) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(element(i));
  return values;
}

template <class T>
std::vector<T> filled(std::size_t count, T value = T()) {
  return std::vector<T>(count, value);
}

inline unsigned divide_up(unsigned a, unsigned b) { return (a + b - 1) / b; }

}  // namespace kit
