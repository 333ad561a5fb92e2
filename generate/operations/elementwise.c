/* Every elementwise opcode, in every form that its operand types allow, and bitcast-convert. The
 * opcodes come from opcodes.def, so a new one is included automatically. */

#include "generate/operations/operation.h"

#include <assert.h>

/* One letter per operand: f a float, n a number of the current type, = the current operand again, s
 * s32, u u32, p pred, c c64; a capital letter: a scalar. The result type is given by a letter
 * too. */
typedef struct ElementForm {
  const char *operands;
  Opcode opcode;
  char result;
} ElementForm;

static const ElementForm chain_forms[] = {{"n", HLO_NEGATE, 'n'}, {"n=", HLO_ADD, 'n'},
    {"nn", HLO_ADD, 'n'}, {"nn", HLO_SUBTRACT, 'n'}, {"Pnn", HLO_SELECT, 'n'},
    {"NnN", HLO_CLAMP, 'n'}};
static constexpr uint32_t chain_form_count = sizeof chain_forms / sizeof *chain_forms;

/* Opcodes whose operands and result are not all floats. The others take as many floats as their row
 * has operands. */
static const ElementForm special[] = {{"ss", HLO_AND, 's'}, {"ss", HLO_OR, 's'},
    {"ss", HLO_XOR, 's'}, {"s", HLO_NOT, 's'}, {"s", HLO_POPCNT, 's'},
    {"s", HLO_COUNT_LEADING_ZEROS, 's'}, {"ss", HLO_SHIFT_LEFT, 's'},
    {"ss", HLO_SHIFT_RIGHT_ARITHMETIC, 's'}, {"ss", HLO_SHIFT_RIGHT_LOGICAL, 's'},
    {"nn", HLO_ADD, 'n'}, {"n", HLO_COPY, 'n'}, {"nn", HLO_DIVIDE, 'n'}, {"nn", HLO_MAXIMUM, 'n'},
    {"nn", HLO_MINIMUM, 'n'}, {"nn", HLO_MULTIPLY, 'n'}, {"n", HLO_NEGATE, 'n'},
    {"nn", HLO_POWER, 'n'}, {"nn", HLO_REMAINDER, 'n'}, {"n", HLO_SIGN, 'n'},
    {"nn", HLO_SUBTRACT, 'n'}, {"nn", HLO_COMPARE, 'p'}, {"ff", HLO_COMPLEX, 'c'},
    {"c", HLO_REAL, 'f'}, {"c", HLO_IMAG, 'f'}, {"c", HLO_ABS, 'f'}, {"n", HLO_ABS, 'n'},
    {"f", HLO_IS_FINITE, 'p'}, {"n", HLO_CONVERT, 's'}, {"fu", HLO_STOCHASTIC_CONVERT, 'b'},
    {"f", HLO_REDUCE_PRECISION, 'f'}, {"pnn", HLO_SELECT, 'n'}, {"Pnn", HLO_SELECT, 'n'},
    {"nnn", HLO_CLAMP, 'n'}, {"Nnn", HLO_CLAMP, 'n'}, {"nnN", HLO_CLAMP, 'n'},
    {"NnN", HLO_CLAMP, 'n'}, {"n", HLO_MAP, 'n'}, {"nn", HLO_MAP, 'n'}};
static constexpr uint32_t special_count = sizeof special / sizeof *special;

typedef struct OpcodeRow {
  Opcode opcode;
  int operands;
} OpcodeRow;
static const OpcodeRow opcode_rows[] = {
#define OPCODE(id, text, least, most, group, effect) {HLO_##id, least},
#include "core/hlo/opcodes.def"
#undef OPCODE
};
static constexpr uint32_t row_count = sizeof opcode_rows / sizeof *opcode_rows;

static bool is_scalar(char letter) { return letter >= 'A' && letter <= 'Z'; }

/* A scalar operand has no forms with an additional scalar. */
static bool takes_form(const OperationCase *at_hand, const ElementForm *form) {
  if (at_hand->limits->one_opcode != 0 && at_hand->limits->one_opcode != form->opcode + 1u)
    return false;
  for (const char *letter = form->operands; *letter != 0; letter++)
    if (at_hand->in.rank == 0 && is_scalar(*letter)) return false;
  return true;
}

/* Finds form `number` among those that the operand allows, in table order. Returns the count up to
 * it. */
static uint32_t find_form(const OperationCase *at_hand, uint32_t number, ElementForm *form) {
  static const char *const floats[] = {"", "f", "ff", "fff"};
  bool is_special[opcode_count] = {};
  uint32_t count = 0;
  for (uint32_t i = 0; i < special_count; i++) {
    is_special[special[i].opcode] = true;
    *form = special[i];
    if (takes_form(at_hand, form) && count++ == number) return count;
  }
  for (uint32_t i = 0; i < row_count; i++) {
    const OpcodeRow *row = &opcode_rows[i];
    if (is_special[row->opcode] || opcode_family(row->opcode) != FAMILY_ELEMENTWISE) continue;
    *form = (ElementForm){floats[row->operands & 3], row->opcode, 'f'};
    if (takes_form(at_hand, form) && count++ == number) return count;
  }
  return count;
}

static ElementType type_of(const OperationCase *at_hand, char letter) {
  switch (letter | 32) {
    case 's': return TYPE_s32;
    case 'u': return TYPE_u32;
    case 'p': return TYPE_pred;
    case 'c': return TYPE_c64;
    case 'b': return TYPE_s8;
    case 'n': return at_hand->type == TYPE_s32 ? TYPE_s32 : TYPE_f32;
    default: return TYPE_f32;
  }
}

/* The first float or number operand is the current array. If there is none, the first array is
 * converted from it. */
static uint32_t find_at_hand(const char *operands) {
  for (uint32_t i = 0; operands[i] != 0; i++)
    if (operands[i] == 'f' || operands[i] == 'n') return i;
  return 0;
}

static uint32_t make_operands(
    OperationCase *at_hand, const ElementForm *form, Instruction *operands[3]) {
  static const Tensor scalar = {};
  OperandSource *source = at_hand->source;
  uint32_t at = find_at_hand(form->operands), count = 0;
  for (const char *letter = form->operands; *letter != 0; letter++, count++) {
    ElementType type = type_of(at_hand, *letter);
    assert(*letter != '=' || at < count);
    if (*letter == '=') operands[count] = operands[at];
    else if (count == at)
      operands[count] = source->of_type(source, at_hand->operand, type, &at_hand->in);
    else operands[count] = source->array(source, type, is_scalar(*letter) ? &scalar : &at_hand->in);
  }
  return count;
}

static Computation *negate_of_one(ModuleBuilder *module, ElementType type) {
  Builder builder = hlo_build_computation(module, "call");
  Instruction *parameter =
      hlo_build_parameter(&builder, hlo_build_shape(&builder, type, 0, nullptr));
  return hlo_build_finish(&builder, hlo_build_elementwise(&builder, HLO_NEGATE, 1, &parameter));
}

static void set_map(OperationCase *at_hand, Instruction *map, uint32_t operands) {
  int64_t dimensions[tensor_max_rank];
  OperandSource *source = at_hand->source;
  ElementType type = type_of(at_hand, 'n');
  for (uint32_t i = 0; i < at_hand->in.rank; i++) dimensions[i] = i;
  if (map != nullptr && at_hand->limits->all_forms)
    map->dimensions = hlo_build_ints(at_hand->builder, at_hand->in.rank, dimensions);
  hlo_build_call(at_hand->builder, map, "to_apply",
      operands == 1 ? source->called(source, negate_of_one(at_hand->builder->module, type))
                    : source->reducer(source, 1, &type));
}

/* Chooses a direction and a result type, if the opcode has them. */
static void choose_attributes(OperationCase *at_hand, uint32_t *direction, ElementType *result) {
  static const ElementType converted[] = {
      TYPE_s32, TYPE_f32, TYPE_s8, TYPE_bf16, TYPE_f64, TYPE_u8, TYPE_pred, TYPE_c64};
  uint64_t chosen = at_hand->limits->all_forms ? choose(at_hand->choices, 8) : 0;
  *direction = (uint32_t)chosen % 6;
  *result = converted[chosen];
}

static bool generate_form(OperationCase *at_hand, const ElementForm *form) {
  static const char *const directions[] = {"LT", "GT", "LE", "EQ", "NE", "GE"};
  uint32_t direction = 0;
  ElementType result = type_of(at_hand, form->result), converted = result;
  if (form->opcode == HLO_COMPARE || form->opcode == HLO_CONVERT)
    choose_attributes(at_hand, &direction, &converted);
  at_hand->out = at_hand->in;
  if (at_hand->builder == nullptr) return true;
  Builder *builder = at_hand->builder;
  Instruction *operands[3];
  uint32_t count = make_operands(at_hand, form, operands);
  Instruction *made = hlo_build_begin(builder, form->opcode, count, operands);
  if (form->opcode == HLO_COMPARE) {
    hlo_build_attribute(builder, made, "direction", directions[direction]);
    if (direction == 2) hlo_build_attribute(builder, made, "type", "TOTALORDER");
  }
  if (form->opcode == HLO_CONVERT) result = converted;
  if (form->opcode == HLO_REDUCE_PRECISION) {
    hlo_build_attribute(builder, made, "exponent_bits", "5");
    hlo_build_attribute(builder, made, "mantissa_bits", "10");
  }
  if (form->opcode == HLO_MAP) set_map(at_hand, made, count);
  at_hand->result = hlo_build_end(
      builder, made, hlo_build_shape(builder, result, at_hand->in.rank, at_hand->in.sizes));
  return true;
}

bool generate_elementwise(OperationCase *at_hand) {
  return generate_form(at_hand, &chain_forms[choose(at_hand->choices, chain_form_count)]);
}

bool generate_opcodes(OperationCase *at_hand) {
  ElementForm form;
  uint32_t count = find_form(at_hand, UINT32_MAX, &form);
  if (count == 0) return false;
  (void)find_form(at_hand, (uint32_t)choose(at_hand->choices, count), &form);
  return generate_form(at_hand, &form);
}

typedef struct Cast {
  ElementType from, to;
  int64_t splits, joins; /* size of the dimension that is added, or required; 0: none */
} Cast;
static constexpr uint32_t own_casts = 9; /* casts that use a separate array if the current one is
                                            not f32 */
static const Cast casts[] = {{TYPE_f32, TYPE_s32, 0, 0}, {TYPE_f32, TYPE_s16, 2, 0},
    {TYPE_f32, TYPE_u8, 4, 0}, {TYPE_f32, TYPE_s4, 8, 0}, {TYPE_f32, TYPE_f64, 0, 2},
    {TYPE_u8, TYPE_s32, 0, 4}, {TYPE_s16, TYPE_f32, 0, 2}, {TYPE_s16, TYPE_s64, 0, 4},
    {TYPE_s4, TYPE_s32, 0, 8}, {TYPE_s32, TYPE_f32, 0, 0}, {TYPE_f32, TYPE_s8, 4, 0},
    {TYPE_s32, TYPE_s8, 4, 0}, {TYPE_f32, TYPE_bf16, 2, 0}, {TYPE_s32, TYPE_bf16, 2, 0},
    {TYPE_s8, TYPE_s32, 0, 4}, {TYPE_s8, TYPE_f32, 0, 4}, {TYPE_bf16, TYPE_s32, 0, 2},
    {TYPE_bf16, TYPE_f32, 0, 2}};
static constexpr uint32_t cast_count = sizeof casts / sizeof *casts;

/* With all_forms, only casts from the current type; else also casts from a separate array. */
static bool casts_to(const OperationCase *at_hand, uint32_t number) {
  const Cast *cast = &casts[number];
  const Tensor *in = &at_hand->in;
  assert(in->rank <= tensor_max_rank);
  bool has_type = at_hand->limits->all_forms ? cast->from == at_hand->type : number < own_casts;
  return has_type && in->rank + (cast->splits > 0) <= tensor_max_rank &&
         (cast->joins == 0 || (in->rank > 0 && in->sizes[in->rank - 1] == cast->joins));
}

bool generate_bitcast_convert(OperationCase *at_hand) {
  const Cast *found[cast_count];
  uint32_t count = 0;
  for (uint32_t i = 0; i < cast_count; i++)
    if (casts_to(at_hand, i)) found[count++] = &casts[i];
  if (count == 0) return false;
  const Cast *cast = found[choose(at_hand->choices, count)];
  at_hand->out = at_hand->in;
  if (cast->splits > 0) at_hand->out.sizes[at_hand->out.rank++] = cast->splits;
  if (cast->joins > 0) at_hand->out.rank--;
  if (at_hand->builder == nullptr) return true;
  Instruction *operand =
      at_hand->source->of_type(at_hand->source, at_hand->operand, cast->from, &at_hand->in);
  at_hand->result = hlo_build_dimensions(at_hand->builder, HLO_BITCAST_CONVERT, 1, &operand, 0,
      nullptr, hlo_build_shape(at_hand->builder, cast->to, at_hand->out.rank, at_hand->out.sizes));
  return true;
}
