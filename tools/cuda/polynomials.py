#!/usr/bin/env python3
"""Computes the polynomials of the device mathematics and prints __heddle_polynomials.h.

Each row interpolates a smooth function at Chebyshev's nodes of an interval, with 60 digits, which is within a few
per cent of the best polynomial of that degree. Needs python3-mpmath; the result is committed, so only who changes a
row runs it: python3 tools/cuda/polynomials.py > tools/cuda/include/__heddle_polynomials.h
"""
import struct
import sys

from mpmath import mp, mpf

mp.dps = 60


def interpolate(function, low, high, degree):
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    divided = [function(x) for x in nodes]
    for level in range(1, count):
        for k in range(count - 1, level - 1, -1):
            divided[k] = (divided[k] - divided[k - 1]) / (nodes[k] - nodes[k - level])
    coefficients = [mpf(0)] * count
    for k in range(count - 1, -1, -1):
        for i in range(count - 1, 0, -1):
            coefficients[i] = coefficients[i - 1] - nodes[k] * coefficients[i]
        coefficients[0] = divided[k] - nodes[k] * coefficients[0]
    return coefficients


def rounded(value, is_float):
    if is_float:
        return struct.unpack('f', struct.pack('f', float(value)))[0]
    return float(value)


def show(value, is_float):
    return '%.9gf' % value if is_float and any(c in '%.9g' % value for c in '.e') else (
        '%.9g.0f' % value if is_float else '%.17g' % value)


def macro(name, function, low, high, degree, first=None):
    """`first`, if there, is the exact constant coefficient, with the next one's limit at 0."""
    is_float = name.endswith('F') and name != 'ERF'
    if first is None:
        exact = interpolate(function, mpf(low), mpf(high), degree)
    else:
        def rest(x):
            return first[1] if abs(x) < 1e-20 else (function(x) - first[0]) / x
        exact = [first[0]] + interpolate(rest, mpf(low), mpf(high), degree - 1)
    coefficients = [rounded(c, is_float) for c in exact]
    worst = mpf(0)
    for k in range(201):
        x = mpf(low) + (mpf(high) - mpf(low)) * (mpf(k) + mpf('0.37')) / 202
        worst = max(worst, abs(mp.polyval([mpf(c) for c in reversed(coefficients)], x) - function(x)))
    print('%-14s degree %2d, absolute error %s' % (name, degree, mp.nstr(worst, 3)), file=sys.stderr)
    fma = 'HM_FMAF' if is_float else 'HM_FMA'
    text = '%s(t, %s, %s)' % (fma, show(coefficients[-1], is_float), show(coefficients[-2], is_float))
    for c in reversed(coefficients[:-2]):
        text = '%s(t, %s, %s)' % (fma, text, show(c, is_float))
    lines = ['#define HM_P_%s(t)' % name]
    line = '  '
    for piece in text.replace('(t, ' + fma, '(t,\x00' + fma).split('\x00'):
        if len(line) + len(piece) > 106:
            lines.append(line.rstrip())
            line = '  '
        line += piece + ('' if piece.endswith(' ') else ' ')
    lines.append(line.rstrip())
    print(' \\\n'.join(lines))


def even(function, first):
    """The function of z = x*x that x*first... leaves: function(sqrt z) with its series' limit at 0."""
    def of_square(z):
        return first if abs(z) < 1e-30 else function(mp.sqrt(z))
    return of_square


def erfcx_shaped(t):
    x = mpf(4) * (1 + t) / (1 - t)
    if x > 1000:
        return (1 + 2 * x) / (x * mp.sqrt(mp.pi)) * (1 - 1 / (2 * x * x) + 3 / (4 * x**4))
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def log_rest(f):
    return mpf(-1) / 2 if abs(f) < 1e-30 else (mp.log1p(f) - f) / f**2


def exp_rest(r):
    return mpf(1) / 2 if abs(r) < 1e-30 else (mp.expm1(r) - r) / r**2


def stirling(u):
    """lgamma(x) - (x-0.5)*log(x) + x - log(sqrt(2*pi)), times x, of u = 1/x^2."""
    if u == 0:
        return mpf(1) / 12
    x = 1 / mp.sqrt(u)
    return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def gamma_1(x):
    """lgamma over its zeros at 1 and 2."""
    if abs(x - 1) < 1e-30:
        return mp.euler
    if abs(x - 2) < 1e-30:
        return 1 - mp.euler
    return mp.loggamma(x) / ((x - 1) * (x - 2))


HALF = (mpf('0.5'), mpf(1) / 6)
ROWS = []
Z4 = '0.6169'  # (pi/4)^2
for suffix, (sin, cos, tan, exp, log, atan, asin, tanh, sinh, erf, erfcx) in (
        ('F', (3, 3, 5, 4, 8, 8, 6, 5, 3, 7, 12)), ('', (5, 6, 13, 10, 0, 19, 15, 11, 7, 13, 26))):
    ROWS += [
        ('SIN' + suffix, even(lambda x: (mp.sin(x) / x - 1) / x**2, mpf(-1) / 6), 0, Z4, sin),
        ('COS' + suffix, even(lambda x: (mp.cos(x) - 1) / x**2, mpf(-1) / 2), 0, Z4, cos),
        ('TAN' + suffix, even(lambda x: (mp.tan(x) / x - 1) / x**2, mpf(1) / 3), 0, Z4, tan),
        ('EXP' + suffix, exp_rest, '-0.3467', '0.3467', exp, HALF),
        ('ATAN' + suffix, even(lambda x: (mp.atan(x) / x - 1) / x**2, mpf(-1) / 3), 0, 1, atan),
        ('ASIN' + suffix, even(lambda x: (mp.asin(x) / x - 1) / x**2, mpf(1) / 6), 0, '0.331', asin),
        ('TANH' + suffix, even(lambda x: (mp.tanh(x) / x - 1) / x**2, mpf(-1) / 3), 0, '0.3601', tanh),
        ('SINH' + suffix, even(lambda x: (mp.sinh(x) / x - 1) / x**2, mpf(1) / 6), 0, 1, sinh),
        ('ERF' + suffix, even(lambda x: mp.erf(x) / x - 1, 2 / mp.sqrt(mp.pi) - 1), 0, 1, erf),
        ('ERFCX' + suffix, erfcx_shaped, -1, 1, erfcx),
    ]
ROWS += [
    ('COS4F', even(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4, mpf(1) / 24), 0, Z4, 2),
    ('COS4', even(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4, mpf(1) / 24), 0, Z4, 5),
    ('EXPM1', exp_rest, '-0.561', '0.561', 11, HALF),
    ('EXPM1F', exp_rest, '-0.561', '0.561', 6, HALF),
    ('EXP2F', lambda r: mp.log(2) if abs(r) < 1e-30 else mp.expm1(r * mp.log(2)) / r, '-0.5', '0.5', 5),
    ('LOGF', log_rest, mpf(-1) / 3, mpf(1) / 3, 9, (mpf('-0.5'), mpf(1) / 3)),
    ('ATANHF', even(lambda x: (mp.atanh(x) / x - 1) * 2 / x**2, mpf(2) / 3), 0, '0.0296', 3),
    ('ERFTAILF', lambda t: -mp.log(mp.erfc(t + mpf('2.5'))), '-1.5', '1.5', 8),
    ('ATANH', even(lambda x: (mp.atanh(x) / x - 1) * 2 / x**2, mpf(2) / 3), 0, '0.0296', 6),
    # The same without its first term.
    ('ATANH5', even(lambda x: ((mp.atanh(x) / x - 1) * 2 / x**2 - mpf(2) / 3) / x**2, mpf(2) / 5), 0, '0.0296', 6),
    ('STIRLING', stirling, 0, mpf(1) / 64, 8),
    ('LGAMMA1', lambda t: gamma_1(t + 1), '-0.5', '0.5', 26),
    ('LGAMMA2', lambda t: gamma_1(t + 2), '-0.5', 1, 24),
    ('TGAMMA', lambda t: mp.gamma(t + mpf('1.5')), '-0.5', '0.5', 22),
]


def main():
    print('// Made by tools/cuda/polynomials.py, which says what each is.')
    print('#ifndef HEDDLE_POLYNOMIALS_H\n#define HEDDLE_POLYNOMIALS_H\n')
    for row in ROWS:
        macro(*row)
        print()
    print('#endif')


main()
