// Tells the runtime where the program, or a library of it, has its __managed__ variables: the linker knows, by their section.
#ifndef HEDDLE_MANAGED_H
#define HEDDLE_MANAGED_H

extern "C" {
extern char __start_heddle_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_heddle_managed[] __attribute__((weak, visibility("hidden")));
void __heddleRegisterManaged(void* begin, void* end);
}

// Before what clang calls to register variables, which has no priority.
__attribute__((constructor(101))) static void __heddle_register_managed() {
  if (__start_heddle_managed != nullptr) __heddleRegisterManaged(__start_heddle_managed, __stop_heddle_managed);
}

#endif
