#include "isa/lower/select.h"
namespace heddle::lower {
#define S(n) __attribute__((weak)) void n(Selection&, const ptx::Instruction& i){ Selection::refuse(i); }
S(select_float_setp) S(select_float_set) S(select_float_sum) S(select_float_product) S(select_fma) S(select_float_sign) S(select_float_min_max)
}
