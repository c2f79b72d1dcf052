// libstdc++ writes __attribute__((__noinline__)), which CUDA's macro of that name spoils.
#pragma once
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
