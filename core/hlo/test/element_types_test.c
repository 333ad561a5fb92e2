/* Which element types each elementwise operation takes: the operations that reject a type, listed
 * by type, against every opcode of the group. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/hlo/graph.h"
#include "core/hlo/read/from_text.h"

#define OF_FLOATS \
  " cbrt ceil erf floor is-finite reduce-precision round-nearest-afz round-nearest-even "
#define OF_FLOATS_AND_COMPLEX \
  " acos acosh asin asinh atanh cosh cosine exponential exponential-minus-one imag log" \
  " log-plus-one logistic real rsqrt sine sinh sqrt tan tanh "
#define OF_NUMBERS \
  " atan2 divide negate power remainder shift-left shift-right-arithmetic shift-right-logical" \
  " subtract "
#define OF_BITS " and not or xor "
#define OF_INTEGERS " count-leading-zeros popcnt "
#define OF_SIGNED " abs sign "

static const struct {
  const char *type, *rejected_by;
} rows[] = {
    {"pred", OF_FLOATS OF_FLOATS_AND_COMPLEX OF_NUMBERS OF_INTEGERS OF_SIGNED},
    {"s8", OF_FLOATS OF_FLOATS_AND_COMPLEX},
    {"s64", OF_FLOATS OF_FLOATS_AND_COMPLEX},
    {"u4", OF_FLOATS OF_FLOATS_AND_COMPLEX OF_SIGNED},
    {"u32", OF_FLOATS OF_FLOATS_AND_COMPLEX OF_SIGNED},
    {"bf16", OF_BITS OF_INTEGERS},
    {"f8e4m3fn", OF_BITS OF_INTEGERS},
    {"f64", OF_BITS OF_INTEGERS},
    {"c64", OF_FLOATS OF_BITS OF_INTEGERS},
    {"c128", OF_FLOATS OF_BITS OF_INTEGERS},
};

/* Other operands, attributes and results than those of the rows' texts. */
static bool has_rows_of_its_own(const char *opcode) {
  return strstr(" clamp complex convert select stochastic-convert ",
             opcode) != nullptr;
}

static const char *text_of(Arena *arena, const char *type, const char *opcode, uint32_t operands) {
  const char *attributes = strcmp(opcode, "compare") == 0 ? ", direction=EQ"
                           : strcmp(opcode, "reduce-precision") == 0
                               ? ", exponent_bits=3, mantissa_bits=2"
                               : "";
  return arena_printf(arena, "ENTRY e { p = %s[4] parameter(0) ROOT r = %s(p%s)%s }", type, opcode,
      operands == 2 ? ", p" : "", attributes);
}

static void each_type_is_taken_or_rejected(void **) {
  static const struct {
    const char *text;
    uint32_t operands;
    OpcodeGroup group;
  } opcodes[] = {
#define OPCODE(id, text, least, most, group, effect) {text, least, GROUP_##group},
#include "core/hlo/opcodes.def"
#undef OPCODE
  };
  Arena *arena = arena_create();
  int wrong = 0, rejected = 0;
  for (size_t t = 0; t < sizeof rows / sizeof *rows; t++)
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
      const char *opcode = opcodes[i].text;
      if (opcodes[i].group != GROUP_elementwise || has_rows_of_its_own(opcode)) continue;
      const char *said = rejection(arena, text_of(arena, rows[t].type, opcode, opcodes[i].operands));
      bool is_listed =
          strstr(rows[t].rejected_by, arena_printf(arena, " %s ", opcode)) != nullptr;
      bool is_rejected = strstr(said, arena_printf(arena, "%s: operand 0 has element type %s, not ",
                                          opcode, rows[t].type)) != nullptr;
      rejected += is_listed;
      if (is_listed == is_rejected && (is_rejected || strcmp(said, "read") == 0)) continue;
      print_message("%s of %s: %s\n", opcode, rows[t].type, said);
      wrong++;
    }
  assert_int_equal(wrong, 0);
  assert_true(rejected > 150);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_type_is_taken_or_rejected)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
