// What __half and __nv_bfloat16, and their pairs, have alike: whole numbers, and operators on both sides.
#ifndef HEDDLE_HALF_OPERATORS_H
#define HEDDLE_HALF_OPERATORS_H

/// Within the class: from, by assignment, and explicitly to each type of whole numbers.
#define HEDDLE_HALF_WHOLE(TYPE, WHOLE, BITS, VALUE)                       \
  __host__ __device__ TYPE(WHOLE value) : __x(BITS((float)value)) {}      \
  __host__ __device__ TYPE& operator=(WHOLE value) {                      \
    __x = BITS((float)value);                                             \
    return *this;                                                         \
  }                                                                       \
  __host__ __device__ explicit operator WHOLE() const { return (WHOLE)VALUE(__x); }
#define HEDDLE_HALF_WHOLES(TYPE, BITS, VALUE)            \
  HEDDLE_HALF_WHOLE(TYPE, short, BITS, VALUE)            \
  HEDDLE_HALF_WHOLE(TYPE, unsigned short, BITS, VALUE)   \
  HEDDLE_HALF_WHOLE(TYPE, int, BITS, VALUE)              \
  HEDDLE_HALF_WHOLE(TYPE, unsigned int, BITS, VALUE)     \
  HEDDLE_HALF_WHOLE(TYPE, long, BITS, VALUE)             \
  HEDDLE_HALF_WHOLE(TYPE, unsigned long, BITS, VALUE)    \
  HEDDLE_HALF_WHOLE(TYPE, long long, BITS, VALUE)        \
  HEDDLE_HALF_WHOLE(TYPE, unsigned long long, BITS, VALUE)

/// The host's arithmetic. A float has more than twice the digits, so that rounding twice gives what rounding once does.
#define HEDDLE_HALF_HOST(NAME, NAME2, TYPE, PAIR, SIGN)                                                \
  static __inline__ __host__ TYPE NAME(TYPE a, TYPE b) { return TYPE((float)a SIGN (float)b); }        \
  static __inline__ __host__ PAIR NAME2(PAIR a, PAIR b) { return PAIR(NAME(a.x, b.x), NAME(a.y, b.y)); }
#define HEDDLE_HALF_HOSTS(TYPE, PAIR)                                                     \
  HEDDLE_HALF_HOST(__hadd, __hadd2, TYPE, PAIR, +)                                        \
  HEDDLE_HALF_HOST(__hsub, __hsub2, TYPE, PAIR, -)                                        \
  HEDDLE_HALF_HOST(__hmul, __hmul2, TYPE, PAIR, *)                                        \
  HEDDLE_HALF_HOST(__hdiv, __h2div, TYPE, PAIR, /)                                        \
  static __inline__ __host__ TYPE __hneg(TYPE a) {                                        \
    a.__x ^= 0x8000u;                                                                     \
    return a;                                                                             \
  }                                                                                       \
  static __inline__ __host__ PAIR __hneg2(PAIR a) { return PAIR(__hneg(a.x), __hneg(a.y)); }

#define HEDDLE_HALF_OPERATOR(TYPE, SIGN, NAME)                                 \
  HEDDLE_BOTH TYPE operator SIGN(TYPE a, TYPE b) { return NAME(a, b); }        \
  HEDDLE_BOTH TYPE& operator SIGN##=(TYPE& a, TYPE b) { return a = NAME(a, b); }
#define HEDDLE_HALF_STEP(TYPE, STEP, NAME, ONE)                                \
  HEDDLE_BOTH TYPE& operator STEP(TYPE& a) { return a = NAME(a, ONE); }        \
  HEDDLE_BOTH TYPE operator STEP(TYPE& a, int) {                               \
    const TYPE before = a;                                                     \
    a = NAME(a, ONE);                                                          \
    return before;                                                             \
  }
#define HEDDLE_HALF_ARITHMETIC(TYPE, ADD, SUB, MUL, DIV, NEG, ONE)  \
  HEDDLE_HALF_OPERATOR(TYPE, +, ADD)                                \
  HEDDLE_HALF_OPERATOR(TYPE, -, SUB)                                \
  HEDDLE_HALF_OPERATOR(TYPE, *, MUL)                                \
  HEDDLE_HALF_OPERATOR(TYPE, /, DIV)                                \
  HEDDLE_HALF_STEP(TYPE, ++, ADD, ONE)                              \
  HEDDLE_HALF_STEP(TYPE, --, SUB, ONE)                              \
  HEDDLE_BOTH TYPE operator-(TYPE a) { return NEG(a); }             \
  HEDDLE_BOTH TYPE operator+(TYPE a) { return a; }
#define HEDDLE_HALF_COMPARISONS(TYPE)                                          \
  HEDDLE_BOTH bool operator==(TYPE a, TYPE b) { return __heq(a, b); }          \
  HEDDLE_BOTH bool operator!=(TYPE a, TYPE b) { return __hneu(a, b); }         \
  HEDDLE_BOTH bool operator<(TYPE a, TYPE b) { return __hlt(a, b); }           \
  HEDDLE_BOTH bool operator<=(TYPE a, TYPE b) { return __hle(a, b); }          \
  HEDDLE_BOTH bool operator>(TYPE a, TYPE b) { return __hgt(a, b); }           \
  HEDDLE_BOTH bool operator>=(TYPE a, TYPE b) { return __hge(a, b); }
/// After the functions that they call.
#define HEDDLE_HALF_OPERATORS(TYPE, PAIR)                                                                        \
  HEDDLE_HALF_HOSTS(TYPE, PAIR)                                                                                  \
  HEDDLE_HALF_ARITHMETIC(TYPE, __hadd, __hsub, __hmul, __hdiv, __hneg, TYPE(1.0f))                               \
  HEDDLE_HALF_ARITHMETIC(PAIR, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, PAIR(TYPE(1.0f), TYPE(1.0f)))        \
  HEDDLE_HALF_COMPARISONS(TYPE)

#endif
