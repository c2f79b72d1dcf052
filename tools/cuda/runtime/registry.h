// What compilers register before main() runs: images of device code, and which host symbol stands for which
// kernel or variable of which image. Nothing of it is read before a program asks for a kernel or a variable,
// since most programs that are started with an error, or for their help, never do.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/session/module.h"

namespace heddle::cudart {

/// A variable that the host reaches by a pointer, too, which is set when the variable is in memory.
struct ManagedVariable {
  void** pointer = nullptr;
  std::string name;
};

/// The device code of one source file, or of several that nvcc has linked.
class Image {
 public:
  /// What compilers hand over.
  explicit Image(const void* wrapper) : wrapper_(wrapper) {}
  /// PTX that a program has loaded.
  static Image of_ptx(std::string ptx) {
    Image image(nullptr);
    image.ptx_ = std::move(ptx);
    return image;
  }

  /// The module of its PTX, or of its machine code, for a GPU of this compute capability, 80 of 8.0: what the
  /// first call asks for counts. Throws Failure if it has none, InputError if the code has mistakes.
  const session::Module& module(unsigned capability, bool is_machine_code = false);

  /// Its PTX, if it is text as heddle cuda embeds it, and no container; otherwise nothing.
  [[nodiscard]] std::optional<std::string_view> plain_ptx() const;
  /// Writes to where the host has them what the variables that it shares begin with.
  void write_shared_variables();
  /// Gives the variables that the host reaches by pointers a place that all GPUs share. module() has been
  /// called.
  void place_managed();

  /// What its code is made for, 80 of 8.0, once module() has been called: programs choose among kernels by
  /// it.
  [[nodiscard]] unsigned target() const { return target_; }

  std::vector<ManagedVariable> managed;
  /// Variables that lie where the host has them, by name.
  std::map<std::string, std::span<std::byte>> shared_with_host;

 private:
  const void* wrapper_;  // as the program has it; null: ptx_ has the code
  std::string ptx_;
  std::optional<session::Module> module_;
  unsigned target_ = 0;
  /// As far as device memory is aligned.
  struct alignas(256) Line {
    std::byte bytes[256];
  };
  std::vector<std::vector<Line>> managed_memory_;
};

/// A program may hand over an image itself, or what its compiler has wrapped it in.
const void* image_in_wrapper(const void* image);

/// A kernel or a variable: its image, and its name there.
struct Registered {
  Image* image = nullptr;
  std::string name;
};

/// All that is registered. Addresses are those of the host's stubs and shadow variables.
class Registry {
 public:
  Image* add_image(const void* wrapper);
  void add_function(const void* host, Registered function) { functions_[host] = std::move(function); }
  /// One of the program's __managed__ variables, of which `managed` has told, lies where the host has it.
  void add_variable(std::span<std::byte> host, Registered variable);
  void add_variable(const void* host, Registered variable) { variables_[host] = std::move(variable); }
  /// A texture reference, whose fetches may give fractions where texels are integers.
  void add_texture(const void* host, Registered variable, bool is_normalized) {
    add_variable(host, std::move(variable));
    if (is_normalized) normalized_.insert(host);
  }
  [[nodiscard]] bool is_normalized(const void* host) const { return normalized_.contains(host); }
  void add_managed(std::span<std::byte> variables) { managed_.push_back(variables); }
  /// Nothing stands for a kernel or a variable there any more.
  void remove(const void* host) {
    functions_.erase(host);
    variables_.erase(host);
  }

  /// Null if there is none. The first call links the images of files that call functions of others.
  [[nodiscard]] const Registered* find_function(const void* host);
  [[nodiscard]] const Registered* find_variable(const void* host);

 private:
  void link_once();

  std::vector<std::unique_ptr<Image>> images_;
  std::map<const void*, Registered> functions_;
  std::map<const void*, Registered> variables_;
  std::set<const void*> normalized_;  // texture references
  std::vector<std::span<std::byte>> managed_;
  bool is_linked_ = false;
};

}  // namespace heddle::cudart
