/* Test support: folds of three elements from either end, by windows with padding at several places,
 * against a definition. Each fold is a sequence of elements and positions of padding. Two folds are
 * the same if the sequences are. If the order does not matter, they are the same if the elements
 * are, in any order, and as many positions are padding, unless the initial value is neutral.
 * Include it after cmocka.h. */
#ifndef CORE_HLO_TEST_FOLD_FUNCTIONS_H
#define CORE_HLO_TEST_FOLD_FUNCTIONS_H

#include <string.h>

#include "core/base/law_grade.h"
#include "core/base/test/length.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"

static constexpr uint32_t fold_elements = 3, padding_count = 6, folds_total = 12;

/* From which grade on the order does not matter: without padding, and with padding. */
typedef struct FoldFunction {
  const char *type, *lines;
  LawGrade any_order, any_padding;
  bool is_neutral;         /* the initial value */
  const char *accumulator; /* its type; nullptr: that of the elements */
  const char *called;      /* a computation that the function calls, or nullptr */
} FoldFunction;

static constexpr LawGrade at_no_grade = LAW_FAST + 1;
/* The operation of both arguments after conversions to one type and to another. */
#define CONVERTED(one, other, operation) \
  "d = " one "[] convert(a) e = " one "[] convert(b) " \
  "i = " other "[] convert(d) k = " other "[] convert(e) " \
  "ROOT c = " other "[] " operation "(i, k)"
#define PRECISION(exponent, mantissa) ", exponent_bits=" #exponent ", mantissa_bits=" #mantissa
#define CALLED(type, lines) \
  "g { a = " type "[] parameter(0) b = " type "[] parameter(1) " lines " }"
#define SELECTED(direction, first, second) \
  "p = pred[] compare(a, b), direction=" direction " ROOT c = %s[] select(p, " first ", " second ")"

static const FoldFunction fold_functions[] = {
    {"s32", "ROOT c = %s[] add(a, b)", LAW_EXACT, LAW_EXACT, .is_neutral = false},
    {"s32", "ROOT c = %s[] maximum(a, b)", LAW_EXACT, LAW_EXACT, .is_neutral = true},
    {"s32", SELECTED("GE", "a", "b"), LAW_EXACT, LAW_EXACT, .is_neutral = false},
    {"s32", SELECTED("LT", "b", "a"), LAW_EXACT, LAW_EXACT, .is_neutral = false},
    {"s32", SELECTED("EQ", "a", "b"), at_no_grade, at_no_grade, .is_neutral = false},
    {"s32", "ROOT c = %s[] subtract(a, b)", at_no_grade, at_no_grade, .is_neutral = false},
    {"s32", "ROOT c = %s[] copy(b)", at_no_grade, at_no_grade, .is_neutral = false},
    {"f32", "ROOT c = %s[] add(a, b)", LAW_EXACT, LAW_FAST, .is_neutral = false},
    {"f32", "ROOT c = %s[] multiply(b, a)", LAW_EXACT, LAW_FAST, .is_neutral = false},
    {"f32", "ROOT c = %s[] minimum(a, b)", LAW_EXACT, LAW_EXACT, .is_neutral = true},
    {"f32", SELECTED("GT", "a", "b"), at_no_grade, at_no_grade, .is_neutral = false},
    {"f32", SELECTED("GE", "a", "b"), at_no_grade, at_no_grade, .is_neutral = false},
    {"f32", SELECTED("LE", "a", "b"), at_no_grade, at_no_grade, .is_neutral = false},
    {"bf16",
        "d = f32[] convert(a) e = f32[] convert(b) s = f32[] add(d, e) ROOT c = %s[] convert(s)",
        LAW_EXACT, LAW_FAST, .is_neutral = false},
    {"s8", "d = s32[] convert(a) e = s32[] convert(b) s = s32[] add(d, e) ROOT c = %s[] convert(s)",
        LAW_EXACT, LAW_EXACT, .is_neutral = false},
    {"u8",
        "d = s16[] convert(a) e = s16[] convert(b) s = s16[] maximum(d, e) h = u16[] convert(s) "
        "ROOT c = %s[] convert(h)",
        LAW_EXACT, LAW_EXACT, .is_neutral = false},
    {"s32", CONVERTED("pred", "s32", "add"), at_no_grade, at_no_grade, .is_neutral = false},
    {"s32", CONVERTED("u8", "s32", "add"), at_no_grade, at_no_grade, .is_neutral = false},
    {"s32", CONVERTED("f32", "s32", "add"), at_no_grade, at_no_grade, .is_neutral = false},
    {"f32", CONVERTED("f4e2m1fn", "f32", "add"), at_no_grade, at_no_grade, .is_neutral = false},
    {"s32", "s = s32[] add(a, b) d = pred[] convert(s) ROOT c = %s[] convert(d)", at_no_grade,
        at_no_grade, .is_neutral = false},
    {"f32", "s = f32[] add(a, b) d = s8[] convert(s) ROOT c = %s[] convert(d)", at_no_grade,
        at_no_grade, .is_neutral = false},
    {"s32",
        "p = pred[] compare(a, b), direction=GT s = s32[] select(p, a, b) d = s8[] convert(s) "
        "ROOT c = %s[] convert(d)",
        at_no_grade, at_no_grade, .is_neutral = false},
    {"bf16", "d = f32[] convert(b) ROOT c = %s[] add(a, d)", LAW_EXACT, LAW_FAST,
        .accumulator = "f32"},
    {"f32", "s = f32[] add(a, b) ROOT c = %s[] reduce-precision(s)" PRECISION(5, 7), LAW_EXACT,
        LAW_FAST, .is_neutral = false},
    {"f32", "s = f32[] add(a, b) ROOT c = %s[] reduce-precision(s)" PRECISION(4, 7), at_no_grade,
        at_no_grade, .is_neutral = false},
    {"f32", "s = f32[] add(a, b) ROOT c = %s[] reduce-precision(s)" PRECISION(8, 6), at_no_grade,
        at_no_grade, .is_neutral = false},
    {"bf16",
        "d = f32[] convert(a) e = f32[] convert(b) s = f32[] call(e, d), to_apply=g "
        "ROOT c = %s[] convert(s)",
        LAW_EXACT, LAW_FAST, .called = CALLED("f32", "ROOT c = f32[] add(a, b)")},
    {"s8", "ROOT c = %s[] fusion(a, b), kind=kLoop, calls=g", LAW_EXACT, LAW_EXACT,
        .called = CALLED("s8", "d = s32[] convert(a) e = s32[] convert(b) s = s32[] add(d, e) "
                               "ROOT c = s8[] convert(s)")},
    {"s32", "ROOT c = %s[] call(a, b), to_apply=g", LAW_EXACT, LAW_EXACT,
        .called = CALLED("s32", "ROOT c = s32[] multiply(b, a)")},
    {"s32", "ROOT c = %s[] call(a, b), to_apply=g", at_no_grade, at_no_grade,
        .called = CALLED("s32", "ROOT c = s32[] subtract(a, b)")},
    {"s32", "ROOT c = %s[] call(a, b), to_apply=g", at_no_grade, at_no_grade,
        .called =
            CALLED("s32", "d = u8[] convert(a) e = s32[] convert(d) ROOT c = s32[] add(e, b)")},
    {"s32", "s = %s[] add(a, b) ROOT c = %s[] call(b, s), to_apply=g", at_no_grade, at_no_grade,
        .called = CALLED("s32", "ROOT c = s32[] add(a, b)")},
};

/* ---- the definition ---- */

typedef struct FoldForm {
  bool is_reversed;
  uint32_t before, after; /* positions of padding before and after the elements */
} FoldForm;

static FoldForm fold_form(uint32_t code) {
  static const uint32_t paddings[padding_count][2] = {
      {0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}};
  const uint32_t *padding = paddings[code % padding_count];
  return (FoldForm){code >= padding_count, padding[0], padding[1]};
}

static bool are_defined_the_same(
    const FoldFunction *function, LawGrade grade, const FoldForm *a, const FoldForm *b) {
  uint32_t one = a->before + a->after, other = b->before + b->after;
  if (a->is_reversed == b->is_reversed && a->before == b->before && a->after == b->after)
    return true;
  if (function->is_neutral || one + other == 0) return grade >= function->any_order;
  return one == other && grade >= function->any_padding;
}

static const Computation *fold_entry(
    Arena *arena, const FoldFunction *function, const FoldForm *form) {
  const char *type = function->type,
             *sum = function->accumulator == nullptr ? type : function->accumulator;
  Text text = text_create(arena);
  text_printf(&text, "HloModule m\n%s\n", function->called == nullptr ? "" : function->called);
  text_printf(&text, "f { a = %s[] parameter(0) b = %s[] parameter(1) ", sum, type);
  for (const char *c = function->lines; *c != 0; c++)
    if (strncmp(c, "%s", 2) == 0) text_string(&text, sum), c++;
    else text_printf(&text, "%c", *c);
  text_printf(&text, " }\nENTRY e { x = %s[3] parameter(0) z = %s[] constant(5)\n", type, sum);
  text_printf(&text,
      "y = %s[3] reverse(x), dimensions={0}\n"
      "ROOT r = %s[1] reduce-window(%s, z), window={size=%u pad=%u_%u}, to_apply=f }\n",
      type, sum, form->is_reversed ? "y" : "x", fold_elements + form->before + form->after,
      form->before, form->after);
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text.bytes, .length = strlen(text.bytes)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  return module->entry;
}

/* Whether a judge proves at the grade that the first values of two graphs are the same. */
typedef bool FoldsAreProved(
    Arena *arena, const Computation *before, const Computation *after, LawGrade grade);

static void check_fold_order(FoldsAreProved *are_proved, const FoldFunction *function,
    LawGrade grade, const FoldForm *a, const FoldForm *b) {
  Arena *arena = arena_create();
  bool is_proved =
      are_proved(arena, fold_entry(arena, function, a), fold_entry(arena, function, b), grade);
  if (is_proved != are_defined_the_same(function, grade, a, b))
    fail_msg(
        "%s the same values of %s %s at grade %u: reversed %d, padding %u and %u; reversed %d, "
        "padding %u and %u",
        is_proved ? "proves" : "does not prove", function->type, function->lines, grade,
        a->is_reversed, a->before, a->after, b->is_reversed, b->before, b->after);
  arena_destroy(arena);
}

static void check_all_fold_orders(FoldsAreProved *are_proved) {
  const uint32_t stride = test_length(5, 23, 47);
  const uint32_t functions = sizeof fold_functions / sizeof *fold_functions;
  uint32_t number = 0;
  for (uint32_t i = 0; i < functions; i++)
    for (LawGrade grade = LAW_EXACT; grade <= LAW_FAST; grade++)
      for (uint32_t one = 0; one < padding_count; one++)
        for (uint32_t other = 0; other < folds_total; other++) {
          bool is_plain = one == 0 && other == padding_count;
          if (number++ % stride != 0 && !is_plain) continue;
          FoldForm a = fold_form(one), b = fold_form(other);
          check_fold_order(are_proved, &fold_functions[i], grade, &a, &b);
        }
}

#endif
