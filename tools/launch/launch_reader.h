// Reads a launch file step by step. Only load_launch uses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/load/kernel_file.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/evaluator.h"
#include "tools/launch/fill.h"
#include "tools/launch/kernel_source.h"
#include "tools/launch/launch_file.h"
#include "tools/launch/open_params.h"
#include "tools/launch/override_values.h"

namespace heddle::launch {

/// What the kernel asks of one parameter that has no name, as far as its text says it.
struct WantedParam {
  std::optional<std::size_t> index;  ///< Its place among the kernel's; nothing for the member of a structure.
  std::uint32_t bytes = 0;           ///< 0 if unknown.
  load::Parameter::Kind kind = load::Parameter::Kind::Bytes;
};

/// Reads one launch file with its overrides.
class LaunchReader {
 public:
  LaunchReader(const std::string& path, const LaunchOverrides& overrides, Contents contents);

  /// Can be called once. Throws InputError with all mistakes in the order of the file's lines. Nothing if
  /// buffers are only checked and an expression has read one.
  std::optional<LaunchFile> read();
  /// What read() has seen of the kernel file.
  [[nodiscard]] const KernelSource& source() const { return source_; }

 private:
  /// The names that --param can use.
  [[nodiscard]] std::vector<std::string> names() const;
  void read_kernel();
  [[nodiscard]] std::string kernel_path(const std::string& name) const;
  cuda::CompileOptions compile_options();
  void read_defines(const sim::YamlValue& defines, cuda::CompileOptions& options);
  void name_defines(const cuda::CompileOptions& options);
  load::Lowering lowering();
  void choose_kernel(const load::KernelFile& read, const sim::YamlValue& file,
                     const std::optional<sim::YamlValue>& entry, const load::Lowering& lowering);
  void note_text(const load::KernelFile& read);
  void lower(const load::KernelFile& read, std::size_t index, load::Lowering lowering);
  void read_values();
  void read_value(const sim::YamlValue& value);
  void read_shape();
  Dim3 read_extents(const std::string& key, Dim3 most);
  std::uint32_t read_size(const std::string& key, std::uint32_t otherwise, std::uint32_t least,
                          std::uint32_t most);

  void read_buffers();
  void place_variables();
  void make_heap();
  std::optional<BufferInfo> read_buffer(const sim::YamlValue& value);
  std::optional<std::uint64_t> read_count(sim::YamlMap& map, ElementType type,
                                          const std::optional<sim::YamlValue>& fill);
  bool add_buffer(const BufferInfo& buffer, const sim::YamlValue& value);

  void read_params();
  void read_param(const ir::Param& param, const sim::YamlValue& value);
  std::optional<Addr> read_address(const sim::YamlValue& value);

  void read_open_params(const sim::YamlValue& params);
  std::optional<OpenValue> read_open_value(const sim::YamlValue& value, const WantedParam& wanted);
  std::optional<OpenValue> read_plain_value(const sim::YamlValue& value, const WantedParam& wanted);
  std::optional<OpenValue> read_number(const sim::YamlValue& value, const WantedParam& wanted);
  [[nodiscard]] std::string declaration_of(const WantedParam& wanted) const;
  std::optional<OpenValue> read_typed_value(const sim::YamlValue& value);
  std::optional<OpenValue> read_struct(const sim::YamlValue& value);

  void read_checks();
  void read_check(const sim::YamlValue& value);
  void keep_initial_contents(const sim::YamlValue& expression);

  bool is_name(const sim::YamlValue& value);

  const LaunchOverrides& options_;
  Contents contents_;
  Diagnostics problems_;
  LaunchFile file_;
  KernelSource source_;
  sim::YamlDocument document_;
  sim::YamlMap root_;
  Interpreter interpreter_;
  Evaluator evaluator_;
  Filler filler_;
  OverrideValues overrides_;
  // buffers with mistakes: no second message where they are used
  std::vector<std::string> broken_buffers_;
  bool has_kernel_ = false;
  std::vector<load::Parameter> parameters_;  // of a kernel in PTX
  std::uint64_t buffer_bytes_ = 0;
  std::uint64_t initial_bytes_ = 0;
};

}  // namespace heddle::launch
