/* The forms of maps. Each row of slots is a choice: the slot's name, what separates its items in
 * the words, and the items. A slot with a single item is an abbreviation. */
#include "generate/maps/map_form.h"

#define FORM(id, text, words, ...) \
  const MapForm form_##id = {text, words, (const FormSlot[]){__VA_ARGS__, {}}}
#define SLOT(name, between, kind, ...) \
  { \
    #name, between, kind, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), \
        (const char *const[]) { \
      __VA_ARGS__ \
    } \
  }
#define NUMBERS(name, ...) SLOT(name, ", ", SLOT_ANY, __VA_ARGS__)
#define TEXTS(name, ...) SLOT(name, " | ", SLOT_ANY, __VA_ARGS__)
#define FIRST_TEXTS(name, ...) SLOT(name, " | ", SLOT_FIRST, __VA_ARGS__)
#define BOUNDS(name, ...) SLOT(name, " ", SLOT_ANY, __VA_ARGS__)
/* Five boxes, two of them with negative numbers. */
#define LINEAR_BOUNDS(name) BOUNDS(name, "[0, 3]", "[-3, 2]", "[0, 2]", "[1, 4]", "[0, 7]")
#define DIVISIONS(name) TEXTS(name, "floordiv", "ceildiv", "mod")

/* ((a*d0 + b*s0 + k) op m), alone or within a second operation. */
FORM(linear, "(d0)[s0] -> ($outer), domain: d0 in $d, s0 in $s",
    "((a*d0 + b*s0 + k) op c); a: $a; b: $b; k: $k; c: $c; op: $op; of two levels $outer; both variables in $d",
    SLOT(outer, " ", SLOT_LEVEL, "$E", "($E floordiv 2)", "($E floordiv 3)", "($E ceildiv 2)",
        "($E mod 2)", "($E mod 3)", "($E mod 4)", "($E * 2)", "($E * -3)", "($E + d0)"),
    NUMBERS(a, "-3", "-2", "1", "2", "4", "6"), NUMBERS(b, "-2", "-1", "0", "1", "2", "3"),
    NUMBERS(k, "-1", "0", "1", "3"), NUMBERS(c, "2", "3", "4", "6", "8"), DIVISIONS(op),
    LINEAR_BOUNDS(s), LINEAR_BOUNDS(d), TEXTS(E, "((d0 * $a + s0 * $b + $k) $op $c)"));

/* A digit plus a small term under a second division. */
FORM(digits, "(d0)[s0] -> (((d0 mod $b) * $a + s0 * $e + $k) $op $c), domain: d0 in $d, s0 in $s",
    "((a*(d0 mod b) + e*s0 + k) op c); a: $a; b, c: $b; e: $e; k: $k; op: $op; both variables in $d",
    NUMBERS(a, "-1", "1", "2", "3"), NUMBERS(b, "2", "3", "4", "6"), NUMBERS(e, "-1", "0", "1"),
    NUMBERS(k, "-1", "0", "1", "2"), NUMBERS(c, "2", "3", "4", "6"), DIVISIONS(op),
    LINEAR_BOUNDS(s), LINEAR_BOUNDS(d));

/* Sums of two digits, which are variables, quotients or remainders. A rule that takes one digit for
 * another, or divides summands one by one, is wrong about such a sum. */
FORM(sums, "(d0)[s0] -> ($outer), domain: d0 in $d, s0 in $s",
    "E = (x*f + y*g + k); x: $x; y: $y; f: $f; g: $g; k: $k; divided: $outer; d0 in $d, s0 in $s",
    TEXTS(x, "d0", "d0 floordiv 2", "d0 floordiv 3", "d0 mod 2", "d0 mod 3"),
    TEXTS(y, "s0", "s0 floordiv 2", "s0 mod 2"), NUMBERS(f, "1", "2", "-1", "3", "-2"),
    NUMBERS(g, "1", "2"), NUMBERS(k, "0", "1"),
    TEXTS(outer, "$E", "$E floordiv 2", "$E floordiv 3", "$E floordiv 4"),
    BOUNDS(d, "[0, 5]", "[-3, 2]"), BOUNDS(s, "[0, 3]", "[-2, 1]"),
    TEXTS(E, "(($x) * $f + ($y) * $g + $k)"));

/* a*d0 + b*s0 + k in an interval, with |a| and |b| different. */
FORM(two_variables, "(d0)[s0] -> ($result), domain: d0 in $d, s0 in $s, $ab + $k in $I",
    "a*d0 + b*s0 + k in I; a, b: (1, 2) (1, -2) (2, 3) (2, -3) (3, -5) (4, 6) (-2, 5) (6, 1) (3, 1) (-4, 3); "
    "k: $k; I: $I\n  results, the first so many: $result; both variables in $d",
    FIRST_TEXTS(result, "d0", "s0", "d0 * 3 + s0", "(d0 + s0) mod 4", "d0 floordiv 2 + s0"),
    TEXTS(ab, "d0 * 1 + s0 * 2", "d0 * 1 + s0 * -2", "d0 * 2 + s0 * 3", "d0 * 2 + s0 * -3",
        "d0 * 3 + s0 * -5", "d0 * 4 + s0 * 6", "d0 * -2 + s0 * 5", "d0 * 6 + s0 * 1",
        "d0 * 3 + s0 * 1", "d0 * -4 + s0 * 3"),
    LINEAR_BOUNDS(s), LINEAR_BOUNDS(d), NUMBERS(k, "0", "-1", "3"),
    BOUNDS(I, "[0, 0]", "[-1, 2]", "[0, 5]", "[-7, -2]"));

/* One variable under two congruences, whose intervals may be partly or completely negative. */
#define ADDED(name) NUMBERS(name, "0", "-1")
#define MODULI(name) NUMBERS(name, "2", "3", "4", "6", "8")
#define CONGRUENCES(name) \
  SLOT(name, " ", SLOT_SECOND, "[0, 0]", "[1, 1]", "[-1, 0]", "[-2, 1]", "[0, 1]", "[-3, -1]", \
      "[1, 4]")
FORM(congruences, "$map, (x + $k) mod $m in $I, (x + $l) mod $n in $J",
    "(x + k) mod m in I twice, x = d0 or s0; k: $k; m: $m; I, the first so many: $I\n"
    "  results, the first so many: $result; x in $line",
    TEXTS(map, "(x)[y] -> ($result), domain: x in $line, y in [0, 1]",
        "(y)[x] -> ($result), domain: y in [0, 1], x in $line"),
    FIRST_TEXTS(result, "x", "x floordiv 2", "x mod 6"),
    BOUNDS(line, "[0, 11]", "[-6, 7]", "[3, 20]", "[-9, -1]"), ADDED(k), MODULI(m), CONGRUENCES(I),
    ADDED(l), MODULI(n), CONGRUENCES(J));

/* A sum in which one summand is a product of two variables. */
FORM(products, "(d0, d1)[s0] -> ($result), domain: d0 in $d, d1 in $e, s0 in $range",
    "d0*a + d1*b or d0*s0*a + d1*b in I; a: $a; b: $b; I: $I\n  d0 in $d, d1 in $e, "
    "s0 in [0, 0] [0, 2] [-1, 1] [0, 5] where s0 mod 8 is 0; results, the first so many: $result",
    FIRST_TEXTS(result, "d0", "d0 * s0 + d1", "d1 - d0"),
    TEXTS(
        range, "[0, 0], $sum", "[0, 2], $sum", "[-1, 1], $sum", "[0, 5], $sum, s0 mod 8 in [0, 0]"),
    TEXTS(factor, " * s0", ""), NUMBERS(a, "1", "4", "2", "-3"), NUMBERS(b, "1", "0", "-1", "2"),
    BOUNDS(d, "[0, 3]", "[0, 1]", "[-3, 2]"), BOUNDS(e, "[0, 3]", "[4, 5]", "[-2, 1]"),
    BOUNDS(I, "[0, 3]", "[0, 0]", "[0, 9]", "[-2, 1]"),
    TEXTS(sum, "d0 * $a$factor + d1 * $b in $I"));

/* An equation between two variables beside a second constraint. */
FORM(equations,
    "(d0, d1, d2) -> ($result), domain: d0 in $d, d1 in $d, d2 in $d, d1 * $a - d2 in [0, 0], "
    "d1 + d0 * $b + d2 * $c + $k in $I",
    "d1*a - d2 = 0; a: $a; d1 + d0*b + d2*c + k in I; b: $b; c: $c; k: $k; I: $I\n"
    "  all three variables in $d; results, the first so many: $result",
    FIRST_TEXTS(result, "d0", "d1 + d2 * 3", "d0 * 2 - d1"),
    BOUNDS(d, "[0, 4]", "[0, 2]", "[-1, 2]"), NUMBERS(a, "2", "1", "3", "-2"),
    NUMBERS(b, "-1", "1", "2"), NUMBERS(c, "0", "1", "-1"), NUMBERS(k, "1", "0", "-2"),
    BOUNDS(I, "[0, 9]", "[0, 0]", "[-1, 3]"));

/* A minimum or maximum under a division. */
FORM(extremes, "(d0)[s0] -> ($E(d0 * $a, $x) $op $m), domain: d0 in $d, s0 in $s",
    "E(d0*a, x) op m; E: $E; a, the first so many: $a; x: $x; op: $op; m: $m; both variables in $d",
    SLOT(a, ", ", SLOT_FIRST, "2", "1", "-2", "3"), TEXTS(E, "max", "min"),
    TEXTS(x, "2", "0", "-1", "3", "s0"), TEXTS(op, "mod", "floordiv", "ceildiv"),
    NUMBERS(m, "6", "2", "3", "4"), LINEAR_BOUNDS(s), LINEAR_BOUNDS(d));

/* A consumer and a producer, to be composed. The consumer's results are partly outside the
 * producer's box. */
FORM(compositions,
    "(d0)[s0] -> ($result), domain: d0 in $d, s0 in $s, $constraint ; "
    "(d0, d1)[s0] -> ($produced), domain: d0 in $e, d1 in $f, s0 in [0, 1], $other",
    "consumers (d0)[s0], results, the first so many: $result; d0 in $d, s0 in $s; constraints: $constraint\n"
    "  producers (d0, d1)[s0], results, the first so many: $produced; d0 in $e, d1 in $f; constraints: $other",
    FIRST_TEXTS(
        result, "d0, s0", "d0 floordiv 2, d0 mod 2", "d0 + s0, d0", "s0, d0", "d0 * 2 + s0, 1"),
    BOUNDS(d, "[0, 3]", "[-2, 2]"), BOUNDS(s, "[0, 1]", "[0, 2]", "[1, 0]"),
    TEXTS(constraint, "$none", "d0 + s0 in [1, 3]", "d0 mod 2 in [0, 0]"),
    FIRST_TEXTS(
        produced, "d1 * 4 + d0", "(d0 + d1 + s0) mod 3", "d0 floordiv 2, s0", "d0", "min(d0, d1)"),
    BOUNDS(e, "[0, 2]", "[-1, 3]"), BOUNDS(f, "[0, 1]", "[0, 3]"),
    TEXTS(other, "$none", "d0 + d1 * -1 in [-1, 1]", "(d0 + s0) mod 2 in [1, 1]"), TEXTS(none, ""));

/* Three variables of all kinds: one-to-one maps and others, digits and shuffles of them, results
 * that leave a box by one, and congruences. */
FORM(algebra, "$kinds -> ($results), domain: x in $x, y in $y, z in $z, $constraints",
    "kinds of x, y and z: ddd | dds | ddr | dss | dsr | drr | sss | ssr | srr | rrr\n"
    "  x in $x\n  y in $y\n  z in $z\n  results, up to so many: $results\n"
    "  constraints, up to so many: $constraints",
    TEXTS(kinds, "(x, y, z)", "(x, y)[z]", "(x, y){z}", "(x)[y, z]", "(x)[y]{z}", "(x){y, z}",
        "()[x, y, z]", "()[x, y]{z}", "()[x]{y, z}", "(){x, y, z}"),
    BOUNDS(x, "[0, 3]", "[-2, 1]"), BOUNDS(y, "[0, 2]", "[1, 2]"),
    BOUNDS(z, "[0, 1]", "[0, 0]", "[1, 0]"),
    SLOT(constraints, " | ", SLOT_LIST_SECOND, "x + y in [1, 2]", "x mod 2 in [0, 0]",
        "x mod 3 in [1, 2]", "y mod 2 in [1, 1]", "(y + 1) mod 2 in [1, 1]", "z in [1, 1]",
        "(x + z) mod 2 in [0, 0]", "x * 2 - y * 3 in [-2, 3]", "(x + y * 4) mod 3 in [0, 1]",
        "y + z floordiv 2 in [0, 1]"),
    SLOT(results, " | ", SLOT_LIST_FIRST, "x", "y", "z", "1", "-x + 3", "x + y", "y * 4 + x",
        "x * 6 + y * 2 + z", "x floordiv 2", "x mod 2", "(x + y) mod 3", "min(x, y)"));

/* Two maps to compare. The second one has the same variables, one more range variable, or a
 * variable of another kind. Each map is therefore also compared with itself. */
#define X_BOUNDS(name) BOUNDS(name, "[0, 2]", "[1, 3]")
#define Y_BOUNDS(name) BOUNDS(name, "[0, 1]", "[1, 2]", "[1, 0]")
#define PAIR_CONSTRAINTS(name) \
  SLOT(name, " | ", SLOT_SECOND, "", "x + y in [1, 3]", "x mod 2 in [0, 0]", "y - x in [-1, 0]", \
      "(x + y * 2) mod 3 in [1, 2]", "x in [1, 1]")
#define PAIR_RESULTS(name) \
  FIRST_TEXTS(name, "x + y", "x", "x, y", "x mod 2", "$nothing", "y, x", "(x + y) floordiv 2", \
      "y * 2 + x")
FORM(pairs, "$kinds",
    "kinds of x, y and z, left and right: dd dd | ds ds | dr dr | ss ss | sr sr | rr rr | dd dds | ds dss | ds dd | ss ds\n"
    "  x in $x, y in $y, z in [0, 1]\n  results, the first so many: $result\n"
    "  constraints, none and the first so many less one: $constraint",
    TEXTS(kinds, "(x, y)$left ; (x, y)$right", "(x)[y]$left ; (x)[y]$right",
        "(x){y}$left ; (x){y}$right", "()[x, y]$left ; ()[x, y]$right",
        "()[x]{y}$left ; ()[x]{y}$right", "(){x, y}$left ; (){x, y}$right",
        "(x, y)$left ; (x, y)[z]$wider", "(x)[y]$left ; (x)[y, z]$wider",
        "(x)[y]$left ; (x, y)$right", "()[x, y]$left ; (x)[y]$right"),
    X_BOUNDS(x), Y_BOUNDS(y), PAIR_CONSTRAINTS(constraint), PAIR_RESULTS(result), X_BOUNDS(v),
    Y_BOUNDS(w), PAIR_CONSTRAINTS(other), PAIR_RESULTS(second),
    TEXTS(left, " -> ($result), domain: x in $x, y in $y, $constraint"),
    TEXTS(right, " -> ($second), domain: x in $v, y in $w, $other"),
    TEXTS(wider, " -> ($second), domain: x in $v, y in $w, z in [0, 1], $other"),
    TEXTS(nothing, ""));
