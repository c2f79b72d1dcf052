// Arithmetic and conversions with a rounding mode, approximate functions, and bytes of words: what is one instruction
// of PTX or two, by clang's builtins for it.
#ifndef HEDDLE_MATH_DEVICE_H
#define HEDDLE_MATH_DEVICE_H

#include "__heddle_math_base.h"

HM_FUNCTION float __nv_fadd_rn(float x, float y) { return __nvvm_add_rn_f(x, y); }
HM_FUNCTION float __nv_fmul_rn(float x, float y) { return __nvvm_mul_rn_f(x, y); }
HM_FUNCTION float __nv_fdiv_rn(float x, float y) { return __nvvm_div_rn_f(x, y); }
HM_FUNCTION float __nv_fsub_rn(float x, float y) { return __nvvm_add_rn_f(x, -y); }
HM_FUNCTION float __nv_frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
HM_FUNCTION float __nv_fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
HM_FUNCTION double __nv_dadd_rn(double x, double y) { return __nvvm_add_rn_d(x, y); }
HM_FUNCTION double __nv_dmul_rn(double x, double y) { return __nvvm_mul_rn_d(x, y); }
HM_FUNCTION double __nv_ddiv_rn(double x, double y) { return __nvvm_div_rn_d(x, y); }
HM_FUNCTION double __nv_dsub_rn(double x, double y) { return __nvvm_add_rn_d(x, -y); }
HM_FUNCTION double __nv_drcp_rn(double x) { return __nvvm_rcp_rn_d(x); }
HM_FUNCTION double __nv_dsqrt_rn(double x) { return __nvvm_sqrt_rn_d(x); }
HM_FUNCTION float __nv_fmaf_rn(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
HM_FUNCTION float __nv_fmaf_ieee_rn(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
HM_FUNCTION double __nv_fma_rn(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
HM_FUNCTION float __nv_double2float_rn(double x) { return __nvvm_d2f_rn(x); }
HM_FUNCTION int __nv_float2int_rn(float x) { return __nvvm_f2i_rn(x); }
HM_FUNCTION unsigned int __nv_float2uint_rn(float x) { return __nvvm_f2ui_rn(x); }
HM_FUNCTION long long __nv_float2ll_rn(float x) { return __nvvm_f2ll_rn(x); }
HM_FUNCTION unsigned long long __nv_float2ull_rn(float x) { return __nvvm_f2ull_rn(x); }
HM_FUNCTION int __nv_double2int_rn(double x) { return __nvvm_d2i_rn(x); }
HM_FUNCTION unsigned int __nv_double2uint_rn(double x) { return __nvvm_d2ui_rn(x); }
HM_FUNCTION long long __nv_double2ll_rn(double x) { return __nvvm_d2ll_rn(x); }
HM_FUNCTION unsigned long long __nv_double2ull_rn(double x) { return __nvvm_d2ull_rn(x); }
HM_FUNCTION float __nv_int2float_rn(int x) { return __nvvm_i2f_rn(x); }
HM_FUNCTION float __nv_uint2float_rn(unsigned int x) { return __nvvm_ui2f_rn(x); }
HM_FUNCTION float __nv_ll2float_rn(long long x) { return __nvvm_ll2f_rn(x); }
HM_FUNCTION float __nv_ull2float_rn(unsigned long long x) { return __nvvm_ull2f_rn(x); }
HM_FUNCTION double __nv_ll2double_rn(long long x) { return __nvvm_ll2d_rn(x); }
HM_FUNCTION double __nv_ull2double_rn(unsigned long long x) { return __nvvm_ull2d_rn(x); }
HM_FUNCTION float __nv_fadd_rz(float x, float y) { return __nvvm_add_rz_f(x, y); }
HM_FUNCTION float __nv_fmul_rz(float x, float y) { return __nvvm_mul_rz_f(x, y); }
HM_FUNCTION float __nv_fdiv_rz(float x, float y) { return __nvvm_div_rz_f(x, y); }
HM_FUNCTION float __nv_fsub_rz(float x, float y) { return __nvvm_add_rz_f(x, -y); }
HM_FUNCTION float __nv_frcp_rz(float x) { return __nvvm_rcp_rz_f(x); }
HM_FUNCTION float __nv_fsqrt_rz(float x) { return __nvvm_sqrt_rz_f(x); }
HM_FUNCTION double __nv_dadd_rz(double x, double y) { return __nvvm_add_rz_d(x, y); }
HM_FUNCTION double __nv_dmul_rz(double x, double y) { return __nvvm_mul_rz_d(x, y); }
HM_FUNCTION double __nv_ddiv_rz(double x, double y) { return __nvvm_div_rz_d(x, y); }
HM_FUNCTION double __nv_dsub_rz(double x, double y) { return __nvvm_add_rz_d(x, -y); }
HM_FUNCTION double __nv_drcp_rz(double x) { return __nvvm_rcp_rz_d(x); }
HM_FUNCTION double __nv_dsqrt_rz(double x) { return __nvvm_sqrt_rz_d(x); }
HM_FUNCTION float __nv_fmaf_rz(float x, float y, float z) { return __nvvm_fma_rz_f(x, y, z); }
HM_FUNCTION float __nv_fmaf_ieee_rz(float x, float y, float z) { return __nvvm_fma_rz_f(x, y, z); }
HM_FUNCTION double __nv_fma_rz(double x, double y, double z) { return __nvvm_fma_rz_d(x, y, z); }
HM_FUNCTION float __nv_double2float_rz(double x) { return __nvvm_d2f_rz(x); }
HM_FUNCTION int __nv_float2int_rz(float x) { return __nvvm_f2i_rz(x); }
HM_FUNCTION unsigned int __nv_float2uint_rz(float x) { return __nvvm_f2ui_rz(x); }
HM_FUNCTION long long __nv_float2ll_rz(float x) { return __nvvm_f2ll_rz(x); }
HM_FUNCTION unsigned long long __nv_float2ull_rz(float x) { return __nvvm_f2ull_rz(x); }
HM_FUNCTION int __nv_double2int_rz(double x) { return __nvvm_d2i_rz(x); }
HM_FUNCTION unsigned int __nv_double2uint_rz(double x) { return __nvvm_d2ui_rz(x); }
HM_FUNCTION long long __nv_double2ll_rz(double x) { return __nvvm_d2ll_rz(x); }
HM_FUNCTION unsigned long long __nv_double2ull_rz(double x) { return __nvvm_d2ull_rz(x); }
HM_FUNCTION float __nv_int2float_rz(int x) { return __nvvm_i2f_rz(x); }
HM_FUNCTION float __nv_uint2float_rz(unsigned int x) { return __nvvm_ui2f_rz(x); }
HM_FUNCTION float __nv_ll2float_rz(long long x) { return __nvvm_ll2f_rz(x); }
HM_FUNCTION float __nv_ull2float_rz(unsigned long long x) { return __nvvm_ull2f_rz(x); }
HM_FUNCTION double __nv_ll2double_rz(long long x) { return __nvvm_ll2d_rz(x); }
HM_FUNCTION double __nv_ull2double_rz(unsigned long long x) { return __nvvm_ull2d_rz(x); }
HM_FUNCTION float __nv_fadd_rd(float x, float y) { return __nvvm_add_rm_f(x, y); }
HM_FUNCTION float __nv_fmul_rd(float x, float y) { return __nvvm_mul_rm_f(x, y); }
HM_FUNCTION float __nv_fdiv_rd(float x, float y) { return __nvvm_div_rm_f(x, y); }
HM_FUNCTION float __nv_fsub_rd(float x, float y) { return __nvvm_add_rm_f(x, -y); }
HM_FUNCTION float __nv_frcp_rd(float x) { return __nvvm_rcp_rm_f(x); }
HM_FUNCTION float __nv_fsqrt_rd(float x) { return __nvvm_sqrt_rm_f(x); }
HM_FUNCTION double __nv_dadd_rd(double x, double y) { return __nvvm_add_rm_d(x, y); }
HM_FUNCTION double __nv_dmul_rd(double x, double y) { return __nvvm_mul_rm_d(x, y); }
HM_FUNCTION double __nv_ddiv_rd(double x, double y) { return __nvvm_div_rm_d(x, y); }
HM_FUNCTION double __nv_dsub_rd(double x, double y) { return __nvvm_add_rm_d(x, -y); }
HM_FUNCTION double __nv_drcp_rd(double x) { return __nvvm_rcp_rm_d(x); }
HM_FUNCTION double __nv_dsqrt_rd(double x) { return __nvvm_sqrt_rm_d(x); }
HM_FUNCTION float __nv_fmaf_rd(float x, float y, float z) { return __nvvm_fma_rm_f(x, y, z); }
HM_FUNCTION float __nv_fmaf_ieee_rd(float x, float y, float z) { return __nvvm_fma_rm_f(x, y, z); }
HM_FUNCTION double __nv_fma_rd(double x, double y, double z) { return __nvvm_fma_rm_d(x, y, z); }
HM_FUNCTION float __nv_double2float_rd(double x) { return __nvvm_d2f_rm(x); }
HM_FUNCTION int __nv_float2int_rd(float x) { return __nvvm_f2i_rm(x); }
HM_FUNCTION unsigned int __nv_float2uint_rd(float x) { return __nvvm_f2ui_rm(x); }
HM_FUNCTION long long __nv_float2ll_rd(float x) { return __nvvm_f2ll_rm(x); }
HM_FUNCTION unsigned long long __nv_float2ull_rd(float x) { return __nvvm_f2ull_rm(x); }
HM_FUNCTION int __nv_double2int_rd(double x) { return __nvvm_d2i_rm(x); }
HM_FUNCTION unsigned int __nv_double2uint_rd(double x) { return __nvvm_d2ui_rm(x); }
HM_FUNCTION long long __nv_double2ll_rd(double x) { return __nvvm_d2ll_rm(x); }
HM_FUNCTION unsigned long long __nv_double2ull_rd(double x) { return __nvvm_d2ull_rm(x); }
HM_FUNCTION float __nv_int2float_rd(int x) { return __nvvm_i2f_rm(x); }
HM_FUNCTION float __nv_uint2float_rd(unsigned int x) { return __nvvm_ui2f_rm(x); }
HM_FUNCTION float __nv_ll2float_rd(long long x) { return __nvvm_ll2f_rm(x); }
HM_FUNCTION float __nv_ull2float_rd(unsigned long long x) { return __nvvm_ull2f_rm(x); }
HM_FUNCTION double __nv_ll2double_rd(long long x) { return __nvvm_ll2d_rm(x); }
HM_FUNCTION double __nv_ull2double_rd(unsigned long long x) { return __nvvm_ull2d_rm(x); }
HM_FUNCTION float __nv_fadd_ru(float x, float y) { return __nvvm_add_rp_f(x, y); }
HM_FUNCTION float __nv_fmul_ru(float x, float y) { return __nvvm_mul_rp_f(x, y); }
HM_FUNCTION float __nv_fdiv_ru(float x, float y) { return __nvvm_div_rp_f(x, y); }
HM_FUNCTION float __nv_fsub_ru(float x, float y) { return __nvvm_add_rp_f(x, -y); }
HM_FUNCTION float __nv_frcp_ru(float x) { return __nvvm_rcp_rp_f(x); }
HM_FUNCTION float __nv_fsqrt_ru(float x) { return __nvvm_sqrt_rp_f(x); }
HM_FUNCTION double __nv_dadd_ru(double x, double y) { return __nvvm_add_rp_d(x, y); }
HM_FUNCTION double __nv_dmul_ru(double x, double y) { return __nvvm_mul_rp_d(x, y); }
HM_FUNCTION double __nv_ddiv_ru(double x, double y) { return __nvvm_div_rp_d(x, y); }
HM_FUNCTION double __nv_dsub_ru(double x, double y) { return __nvvm_add_rp_d(x, -y); }
HM_FUNCTION double __nv_drcp_ru(double x) { return __nvvm_rcp_rp_d(x); }
HM_FUNCTION double __nv_dsqrt_ru(double x) { return __nvvm_sqrt_rp_d(x); }
HM_FUNCTION float __nv_fmaf_ru(float x, float y, float z) { return __nvvm_fma_rp_f(x, y, z); }
HM_FUNCTION float __nv_fmaf_ieee_ru(float x, float y, float z) { return __nvvm_fma_rp_f(x, y, z); }
HM_FUNCTION double __nv_fma_ru(double x, double y, double z) { return __nvvm_fma_rp_d(x, y, z); }
HM_FUNCTION float __nv_double2float_ru(double x) { return __nvvm_d2f_rp(x); }
HM_FUNCTION int __nv_float2int_ru(float x) { return __nvvm_f2i_rp(x); }
HM_FUNCTION unsigned int __nv_float2uint_ru(float x) { return __nvvm_f2ui_rp(x); }
HM_FUNCTION long long __nv_float2ll_ru(float x) { return __nvvm_f2ll_rp(x); }
HM_FUNCTION unsigned long long __nv_float2ull_ru(float x) { return __nvvm_f2ull_rp(x); }
HM_FUNCTION int __nv_double2int_ru(double x) { return __nvvm_d2i_rp(x); }
HM_FUNCTION unsigned int __nv_double2uint_ru(double x) { return __nvvm_d2ui_rp(x); }
HM_FUNCTION long long __nv_double2ll_ru(double x) { return __nvvm_d2ll_rp(x); }
HM_FUNCTION unsigned long long __nv_double2ull_ru(double x) { return __nvvm_d2ull_rp(x); }
HM_FUNCTION float __nv_int2float_ru(int x) { return __nvvm_i2f_rp(x); }
HM_FUNCTION float __nv_uint2float_ru(unsigned int x) { return __nvvm_ui2f_rp(x); }
HM_FUNCTION float __nv_ll2float_ru(long long x) { return __nvvm_ll2f_rp(x); }
HM_FUNCTION float __nv_ull2float_ru(unsigned long long x) { return __nvvm_ull2f_rp(x); }
HM_FUNCTION double __nv_ll2double_ru(long long x) { return __nvvm_ll2d_rp(x); }
HM_FUNCTION double __nv_ull2double_ru(unsigned long long x) { return __nvvm_ull2d_rp(x); }
HM_FUNCTION double __nv_int2double_rn(int x) { return (double)x; }
HM_FUNCTION double __nv_uint2double_rn(unsigned int x) { return (double)x; }
HM_FUNCTION float __nv_frsqrt_rn(float x) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)x)); }
HM_FUNCTION double __nv_rcp64h(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
HM_FUNCTION int __nv_brev(int x) { return (int)__builtin_bitreverse32((unsigned int)x); }
HM_FUNCTION long long __nv_brevll(long long x) { return (long long)__builtin_bitreverse64((hm_u64)x); }
HM_FUNCTION int __nv_byte_perm(int x, int y, int selector) {
  int z;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(z) : "r"(x), "r"(y), "r"(selector));
  return z;
}
HM_FUNCTION float __nv_half2float(unsigned short x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}
HM_FUNCTION unsigned short __nv_float2half_rn(float x) {
  unsigned short y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}

// What nvcc's -use_fast_math, __sinf() and the like stand for: the special function unit's results.
HM_FUNCTION float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
HM_FUNCTION float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
HM_FUNCTION void __nv_fast_sincosf(float x, float* s, float* c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}
HM_FUNCTION float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
HM_FUNCTION float __nv_fast_tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
HM_FUNCTION float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(HM_MULF(x, 1.44269502f)); }
HM_FUNCTION float __nv_fast_exp10f(float x) { return __nvvm_ex2_approx_f(HM_MULF(x, 3.32192802f)); }
HM_FUNCTION float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
HM_FUNCTION float __nv_fast_logf(float x) { return HM_MULF(__nvvm_lg2_approx_f(x), 0.693147182f); }
HM_FUNCTION float __nv_fast_log10f(float x) { return HM_MULF(__nvvm_lg2_approx_f(x), 0.30103001f); }
HM_FUNCTION float __nv_fast_powf(float x, float y) { return __nvvm_ex2_approx_f(HM_MULF(y, __nvvm_lg2_approx_f(x))); }

#endif
