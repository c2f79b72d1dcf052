// The whole state of a process in a file, and a process that goes on from there: also after its machine was
// switched off. All that it has computed is in its memory, so nothing that a simulation consists of can be
// forgotten.
//
// What a process has beside its memory is kept as far as a run of a command has it: regular files that are
// open, with their positions, and who handles signals. Threads are not: the caller ends them before and
// starts them afterwards. Linux on x86-64, in programs without sanitizers. An image goes on on a kernel and a
// processor like those that it was made on, which is checked; see support.h.
#pragma once

#include <string>

namespace heddle::checkpoint {

/// Which process save() returns in.
enum class Side { Original, Restored };

/// Writes the image of this process, beside the file first, which appears whole or not at all. `label` is a
/// text that label_of() tells without restoring. Only one thread runs. Another process writes; the next call
/// waits for its end, and so does finish(). Throws InputError, also of what went wrong since the last call.
Side save(const std::string& path, const std::string& label);

/// Waits for the image that is being written. Throws InputError likewise.
void finish();

/// Removes the image, and what a process has left of one that it was writing when it ended.
void remove(const std::string& path);

/// The label of an image. Throws InputError if the file is none.
std::string label_of(const std::string& path);

/// Makes this process the one of the image: in there, save() returns. Throws InputError if it cannot be; once
/// this process has given up its own memory, the process ends with a message instead, and exit code 2.
[[noreturn]] void restore(const std::string& path);

}  // namespace heddle::checkpoint
