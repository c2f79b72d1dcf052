#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H
#endif
