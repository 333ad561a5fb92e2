/* Test support: pieces of HLO text for the rows of same_values_test.c. A module is E of its entry's
 * lines, or M of its other computations and these lines. */
#ifndef ORACLE_EQUIVALENCE_TEST_VALUES_MODULES_H
#define ORACLE_EQUIVALENCE_TEST_VALUES_MODULES_H

#define ADD "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
#define ADD_EXCHANGED \
  "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(y, x)\n}\n"
#define MAX \
  "max {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] maximum(x, y)\n}\n"
#define E(lines) "HloModule m\nENTRY e {\n" lines "\n}\n"
#define M(computations, lines) "HloModule m\n" computations "ENTRY e {\n" lines "\n}\n"
#define AB "a = f32[2,3] parameter(0)\nb = f32[2,3] parameter(1)\n"
#define DOT "a = f32[2,3] parameter(0)\nb = f32[3,2] parameter(1)\n"

#define LOOP(type, count, next) \
  "body {\np = " type " parameter(0)\n" next "}\n" \
  "more {\np = " type " parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
  "n = s32[] constant(" count ")\nROOT c = pred[] compare(i, n), direction=LT\n}\n"
#define IAB "(s32[], f32[2], f32[2])"
#define IA "(s32[], f32[2])"
#define NEXT_I \
  "i = s32[] get-tuple-element(p), index=0\none = s32[] constant(1)\nj = s32[] add(i, one)\n"
#define AB2 "a = f32[2] parameter(0)\nb = f32[2] parameter(1)\nz = s32[] constant(0)\n"
#define ADDS_B \
  M(LOOP(IAB, "9", \
        NEXT_I \
        "x = f32[2] get-tuple-element(p), index=1\ny = f32[2] get-tuple-element(p), index=2\n" \
        "d = f32[2] add(x, y)\nROOT t = " IAB " tuple(j, d, y)\n"), \
      AB2 "t = " IAB " tuple(z, a, b)\nw = " IAB " while(t), condition=more, body=body\n" \
          "ROOT r = f32[2] get-tuple-element(w), index=1")
#define ADDS_B_IN_ORDER(count, next) \
  M(LOOP(IAB, count, \
        NEXT_I \
        "y = f32[2] get-tuple-element(p), index=1\nx = f32[2] get-tuple-element(p), index=2\n" next \
        "ROOT t = " IAB " tuple(j, y, d)\n"), \
      AB2 "t = " IAB " tuple(z, b, a)\nw = " IAB " while(t), condition=more, body=body\n" \
          "ROOT r = f32[2] get-tuple-element(w), index=2")
#define ADDS_ONE(sunk) \
  M(LOOP(IA, "9", \
        NEXT_I "x = f32[2] get-tuple-element(p), index=1\no = f32[2] constant({" sunk "})\n" \
               "d = f32[2] add(x, o)\nROOT t = " IA " tuple(j, d)\n"), \
      AB2 "t = " IA " tuple(z, a)\nw = " IA " while(t), condition=more, body=body\n" \
          "ROOT r = f32[2] get-tuple-element(w), index=1")
#define ADDS_A_CONSTANT \
  M(LOOP(IAB, "9", \
        NEXT_I \
        "x = f32[2] get-tuple-element(p), index=1\ny = f32[2] get-tuple-element(p), index=2\n" \
        "d = f32[2] add(x, y)\nROOT t = " IAB " tuple(j, d, y)\n"), \
      AB2 "o = f32[2] constant({1, 1})\nt = " IAB " tuple(z, a, o)\n" \
          "w = " IAB \
          " while(t), condition=more, body=body\nROOT r = f32[2] get-tuple-element(w), index=1")
/* The loop ends when its counter equals a parameter; `until` is n, or n - i. */
#define ADDS_UNTIL(step, until) \
  "HloModule m\nbody {\np = (s32[], s32[], f32[2]) parameter(0)\ni = s32[] get-tuple-element(p), index=0\n" \
  "n = s32[] get-tuple-element(p), index=1\nx = f32[2] get-tuple-element(p), index=2\n" \
  "one = s32[] constant(1)\nj = s32[] add(i, one)\no = f32[2] constant({" step \
  ", 1})\nd = f32[2] add(x, o)\n" \
  "ROOT t = (s32[], s32[], f32[2]) tuple(j, n, d)\n}\nmore {\np = (s32[], s32[], f32[2]) parameter(0)\n" \
  "i = s32[] get-tuple-element(p), index=0\nn = s32[] get-tuple-element(p), index=1\n" \
  "i2 = s32[] subtract(n, i)\nROOT c = pred[] compare(i, " until "), direction=LT\n}\nENTRY e {\n" \
  "a = f32[2] parameter(0)\nk = s32[] parameter(1)\nz = s32[] constant(0)\n" \
  "t = (s32[], s32[], f32[2]) tuple(z, k, a)\nw = (s32[], s32[], f32[2]) while(t), condition=more, body=body\n" \
  "ROOT r = f32[2] get-tuple-element(w), index=2\n}\n"
#define ADD_S32 \
  "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n"
#define PRODUCT_S32 \
  "product {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] multiply(x, y)\n}\n"
#define MAX_S32 \
  "max {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] maximum(x, y)\n}\n"
#define XYZ "x = s32[] parameter(0)\ny = s32[] parameter(1)\nz = s32[] parameter(2)\n"
#define LESS \
  "less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = pred[] compare(x, y), direction=LT\n}\n"
#define MORE \
  "less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = pred[] compare(x, y), direction=GT\n}\n"
#define LESS_OF_TWO \
  "less {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nv = s32[] parameter(2)\nw = s32[] parameter(3)\n" \
  "ROOT s = pred[] compare(x, y), direction=LT\n}\n"
#define AB4 "a = s32[4] parameter(0)\nb = s32[4] parameter(1)\n"
#define PAIR_SORTED AB4 "s = (s32[4], s32[4]) sort(a, b), dimensions={0}"
#define SCATTER_LINE \
  "ROOT r = s32[4] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, " \
  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"
#define SCATTER_ONE(index) \
  M(ADD_S32, "a = s32[4] parameter(0)\ni = " index "\nu = s32[1] parameter(1)\n" SCATTER_LINE)
/* The sum of three numbers and a parameter. */
#define SUM_OF(numbers) \
  M(ADD, "a = f32[] parameter(0)\nk = f32[3] constant({" numbers "})\nz = f32[] constant(0)\n" \
         "c = f32[] reduce(k, z), dimensions={0}, to_apply=add\nROOT r = f32[] add(c, a)")
#define DOT_OF(numbers) \
  E("a = f32[] parameter(0)\nk = f32[3] constant({" numbers "})\no = f32[3] constant({1, 1, 1})\n" \
    "c = f32[] dot(k, o), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n" \
    "ROOT r = f32[] add(c, a)")

#endif
