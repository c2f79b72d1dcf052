// The functions of NVRTC.
#include <cstring>
#include <new>

#include "isa/base/diagnostic.h"
#include "tools/cuda/nvrtc/rtc_program.h"

#pragma GCC visibility push(default)
#include "tools/cuda/include/nvrtc.h"
#pragma GCC visibility pop

/// What an nvrtcProgram points to.
struct _nvrtcProgram {
  heddle::nvrtc::RtcProgram program;
  std::string trouble;  ///< What kept the compiler from starting.
};

namespace {

using heddle::nvrtc::Outcome;

// Of a program that is linked with Heddle's archive: as CUDART_VERSION says.
#ifndef HEDDLE_NVRTC_MAJOR
#define HEDDLE_NVRTC_MAJOR 12
#endif

constexpr int kArchitectures[] = {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121};

/// Does the work. What is thrown becomes a code.
template <typename Work>
nvrtcResult guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

/// Puts the text with its zero.
nvrtcResult put(char* place, const std::string& text) {
  if (place == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(place, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult put_size(std::size_t* place, const std::string& text) {
  if (place == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *place = text.size() + 1;
  return NVRTC_SUCCESS;
}

template <typename Put, typename Place>
nvrtcResult with_ptx(nvrtcProgram handle, Place* place, const Put& put_it) {
  if (handle == nullptr || !handle->program.ptx()) return NVRTC_ERROR_INVALID_PROGRAM;
  return put_it(place, *handle->program.ptx());
}

std::string log_of(nvrtcProgram handle) { return handle->program.log() + handle->trouble; }

nvrtcResult compile(nvrtcProgram handle, std::span<const char* const> options) {
  handle->trouble.clear();
  try {
    switch (handle->program.compile(options)) {
      case Outcome::Compiled:
        return NVRTC_SUCCESS;
      case Outcome::WrongOption:
        return NVRTC_ERROR_INVALID_OPTION;
      case Outcome::Refused:
        return NVRTC_ERROR_COMPILATION;
    }
  } catch (const heddle::InputError& error) {
    handle->trouble = error.what();
  }
  return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define HEDDLE_NVRTC_RESULT(name) \
  case name:                      \
    return #name;
    HEDDLE_NVRTC_RESULT(NVRTC_SUCCESS)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_OUT_OF_MEMORY)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_INVALID_INPUT)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_INVALID_PROGRAM)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_INVALID_OPTION)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_COMPILATION)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    HEDDLE_NVRTC_RESULT(NVRTC_ERROR_INTERNAL_ERROR)
#undef HEDDLE_NVRTC_RESULT
  }
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = HEDDLE_NVRTC_MAJOR;
  *minor = HEDDLE_NVRTC_MAJOR == 12 ? 4 : 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(std::size(kArchitectures));
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(architectures, kArchitectures, sizeof kArchitectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int count,
                               const char* const* headers, const char* const* include_names) {
  return guarded([&] {
    if (program == nullptr || source == nullptr || count < 0) return NVRTC_ERROR_INVALID_INPUT;
    if (count > 0 && (headers == nullptr || include_names == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
    std::vector<heddle::nvrtc::Header> list;
    for (int i = 0; i < count; ++i) list.push_back({include_names[i], headers[i]});
    const bool is_named = name != nullptr && *name != '\0';
    *program = new _nvrtcProgram{{source, is_named ? name : "default_program", std::move(list)}, {}};
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  return guarded([&] {
    if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count > 0 && options == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
    return compile(program, {options, static_cast<std::size_t>(count)});
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  return with_ptx(program, bytes, put_size);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) { return with_ptx(program, ptx, put); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  return with_ptx(program, bytes, put_size);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* code) { return with_ptx(program, code, put); }

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  return guarded(
      [&] { return program == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : put_size(bytes, log_of(program)); });
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return guarded(
      [&] { return program == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : put(log, log_of(program)); });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  return guarded([&] {
    if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (program->program.was_compiled()) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program->program.add_name_expression(expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  return guarded([&] {
    if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    if (expression == nullptr || name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (!program->program.was_compiled()) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const std::string* found = program->program.lowered_name(expression);
    if (found == nullptr) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = found->c_str();
    return NVRTC_SUCCESS;
  });
}
}
