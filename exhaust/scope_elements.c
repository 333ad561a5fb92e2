/* Ways to apply every elementwise opcode, and bitcast-convert. The opcodes are those of
 * opcodes.def: a new one takes part by itself. An operand is of the type that the opcode takes;
 * those that are not f32 are parameters of their own, and p0 then stays unread. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/hlo/graph.h"
#include "exhaust/scope_operation.h"

static const Tensor scalar = {};

typedef struct ElementForm {
  Opcode opcode;
  const char *operands, *result, *attributes; /* operands: a letter each: f f32, s s32, u u32, p
                                                 pred, c c64; capital: a scalar */
} ElementForm;

/* Opcodes that take something else than f32 and give something else; the others take f32 as often
 * as their row says. */
static const ElementForm special[] = {
    {HLO_AND, "ss", "s32", ""},
    {HLO_OR, "ss", "s32", ""},
    {HLO_XOR, "ss", "s32", ""},
    {HLO_NOT, "s", "s32", ""},
    {HLO_POPCNT, "s", "s32", ""},
    {HLO_COUNT_LEADING_ZEROS, "s", "s32", ""},
    {HLO_SHIFT_LEFT, "ss", "s32", ""},
    {HLO_SHIFT_RIGHT_ARITHMETIC, "ss", "s32", ""},
    {HLO_SHIFT_RIGHT_LOGICAL, "ss", "s32", ""},
    {HLO_COMPARE, "ff", "pred", ", direction=LT"},
    {HLO_COMPLEX, "ff", "c64", ""},
    {HLO_REAL, "c", "f32", ""},
    {HLO_IMAG, "c", "f32", ""},
    {HLO_ABS, "c", "f32", ""},
    {HLO_ABS, "f", "f32", ""},
    {HLO_IS_FINITE, "f", "pred", ""},
    {HLO_CONVERT, "f", "s32", ""},
    {HLO_STOCHASTIC_CONVERT, "fu", "s8", ""},
    {HLO_REDUCE_PRECISION, "f", "f32", ", exponent_bits=5, mantissa_bits=10"},
    {HLO_SELECT, "pff", "f32", ""},
    {HLO_SELECT, "Pff", "f32", ""},
    {HLO_CLAMP, "fff", "f32", ""},
    {HLO_CLAMP, "Fff", "f32", ""},
    {HLO_CLAMP, "ffF", "f32", ""},
    {HLO_CLAMP, "FfF", "f32", ""},
    {HLO_MAP, "f", "f32",
        ", to_apply={\n    a = f32[] parameter(0)\n    ROOT n = f32[] negate(a) }"},
    {HLO_MAP, "ff", "f32",
        ", to_apply={\n    a = f32[] parameter(0)\n    b = f32[] parameter(1)\n    ROOT n = f32[] add(a, b) }"},
};
static constexpr uint32_t special_count = sizeof special / sizeof *special;

typedef struct OpcodeRow {
  Opcode opcode;
  int operands;
} OpcodeRow;

static const OpcodeRow opcode_rows[] = {
#define OPCODE(id, text, least, most, group) {HLO_##id, least},
#include "core/hlo/opcodes.def"
#undef OPCODE
};
static constexpr uint32_t row_count = sizeof opcode_rows / sizeof *opcode_rows;

static bool is_special(Opcode opcode) {
  for (uint32_t i = 0; i < special_count; i++)
    if (special[i].opcode == opcode) return true;
  return false;
}

static bool has_scalar(const ElementForm *form) {
  for (const char *letter = form->operands; *letter != 0; letter++)
    if (*letter >= 'A' && *letter <= 'Z') return true;
  return false;
}

/* The form with that number; with number == nullptr none. Gives how many there are up to it. Of a
 * scalar there are none with a scalar beside it. */
static uint64_t forms(const Tensor *in, const uint64_t *number, ElementForm *form) {
  static const char *const plain[] = {"", "f", "ff", "fff"};
  uint64_t count = 0;
  for (uint32_t i = 0; i < special_count; i++) {
    if (in->rank == 0 && has_scalar(&special[i])) continue;
    if (number != nullptr && count == *number) {
      *form = special[i];
      return count;
    }
    count++;
  }
  for (uint32_t i = 0; i < row_count; i++) {
    const OpcodeRow *row = &opcode_rows[i];
    if (opcode_family(row->opcode) != FAMILY_ELEMENTWISE || is_special(row->opcode)) continue;
    assert(row->operands >= 1 && row->operands <= 3);
    if (number != nullptr && count == *number) {
      *form = (ElementForm){row->opcode, plain[row->operands], "f32", ""};
      return count;
    }
    count++;
  }
  return count;
}

uint64_t count_opcodes(const ScopeLimits *, const Tensor *in) {
  return forms(in, nullptr, nullptr);
}

static const char *type_of(char letter) {
  switch (letter | 32) {
    case 's': return "s32";
    case 'u': return "u32";
    case 'p': return "pred";
    case 'c': return "c64";
    default: return "f32";
  }
}

void write_opcodes(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  *out = *in;
  if (writer == nullptr) return;
  ElementForm form = {};
  (void)forms(in, &way, &form);
  char operands[96] = "";
  int at = 0;
  bool uses_at_hand = false;
  for (const char *letter = form.operands; *letter != 0; letter++) {
    bool is_scalar = *letter >= 'A' && *letter <= 'Z', is_at_hand = *letter == 'f' && !uses_at_hand;
    uses_at_hand |= is_at_hand;
    const char *comma = at == 0 ? "" : ", ";
    if (is_at_hand)
      at += snprintf(operands + at, sizeof operands - (size_t)at, "%s%s", comma, writer->at_hand);
    else
      at += snprintf(operands + at, sizeof operands - (size_t)at, "%sp%u", comma,
          scope_write_parameter(writer, type_of(*letter), is_scalar ? &scalar : in));
  }
  scope_write_form(writer, scope_shape_words(form.result, out).text, "%s(%s)%s",
      opcode_name(form.opcode), operands, form.attributes);
}

typedef struct Cast {
  const char *from, *to;
  int64_t splits, joins; /* the dimension that is added, that must be there; 0: none */
} Cast;
static const Cast casts[] = {{"f32", "s32", 0, 0}, {"f32", "s16", 2, 0}, {"f32", "u8", 4, 0},
    {"f32", "s4", 8, 0}, {"f32", "f64", 0, 2}, {"u8", "s32", 0, 4}, {"s16", "f32", 0, 2},
    {"s16", "s64", 0, 4}, {"s4", "s32", 0, 8}};

static bool casts_to(const Cast *cast, const Tensor *in) {
  return cast->joins == 0 || (in->rank > 0 && in->sizes[in->rank - 1] == cast->joins);
}

uint64_t count_bitcast_convert(const ScopeLimits *, const Tensor *in) {
  uint64_t count = 0;
  for (size_t i = 0; i < sizeof casts / sizeof *casts; i++) count += casts_to(&casts[i], in);
  return count;
}

void write_bitcast_convert(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  const Cast *cast = casts;
  for (;; cast++)
    if (casts_to(cast, in) && way-- == 0) break;
  *out = *in;
  if (cast->splits > 0) out->sizes[out->rank++] = cast->splits;
  if (cast->joins > 0) out->rank--;
  if (writer == nullptr) return;
  if (strcmp(cast->from, "f32") != 0)
    snprintf(writer->at_hand, sizeof writer->at_hand, "p%u",
        scope_write_parameter(writer, cast->from, in));
  char operand[16];
  memcpy(operand, writer->at_hand, sizeof operand);
  scope_write_form(writer, scope_shape_words(cast->to, out).text, "bitcast-convert(%s)", operand);
}
