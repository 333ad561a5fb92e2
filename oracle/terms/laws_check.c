/* Evaluates both sides of a law on the same values, one type at a time. Eight-bit floats are the
 * values of their codes: an operation is computed in doubles, in which it is exact, and rounded to
 * the nearest value, to the even code of two. The payload of a NaN is not modelled, so no law of
 * floats is exact here. */
#include "oracle/terms/laws_check.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "oracle/terms/laws.h"
#include "oracle/terms/ring.h"
#include "oracle/values/element.h"

/* How the codes of a small float are read. `is_finite`: no infinity, and NaN past the largest
 * value. `is_single`: one zero, and one NaN in place of the other zero. `is_whole`: no NaN, and the
 * largest value past it. `is_scale`: powers of two and one NaN, without zero and sign. */
typedef struct LawFormat {
  ElementType type;
  int significand, bias;
  bool is_finite, is_single, is_whole, is_scale;
} LawFormat;

static constexpr LawFormat formats[] = {{.type = TYPE_f8e5m2, .significand = 2, .bias = 15},
    {.type = TYPE_f8e4m3fn, .significand = 3, .bias = 7, .is_finite = true},
    {.type = TYPE_f4e2m1fn, .significand = 1, .bias = 1, .is_finite = true, .is_whole = true},
    {.type = TYPE_f8e8m0fnu, .bias = 127, .is_finite = true, .is_scale = true},
    {.type = TYPE_f8e4m3, .significand = 3, .bias = 7},
    {.type = TYPE_f8e3m4, .significand = 4, .bias = 3},
    {.type = TYPE_f8e5m2fnuz, .significand = 2, .bias = 16, .is_finite = true, .is_single = true},
    {.type = TYPE_f8e4m3fnuz, .significand = 3, .bias = 8, .is_finite = true, .is_single = true},
    {.type = TYPE_f8e4m3b11fnuz,
        .significand = 3,
        .bias = 11,
        .is_finite = true,
        .is_single = true}};
static constexpr LawFormat bf16 = {.type = TYPE_bf16, .significand = 7, .bias = 127},
                           f16 = {.type = TYPE_f16, .significand = 10, .bias = 15};

typedef struct LawTrial {
  const Law *law;
  LawCheck *check;
  bool is_brief;
  ElementType type, wider; /* of the variables, and of the conversion's result */
  int most_exponent;       /* of a power of two of the type */
  const LawFormat *format; /* of a float of at most eight bits; otherwise nullptr */
  double codes[256];       /* the format's values from 0 on, in order; code_count of them */
  uint32_t code_count;
  Instruction *operation;
  Shape shape;
  Element values[law_variables];
} LawTrial;

static double format_value(const LawFormat *format, int width, uint32_t code) {
  if (format->is_scale) return code == 255 ? (double)NAN : ldexp(1, (int)code - format->bias);
  int exponent_bits = width - 1 - format->significand, most = (1 << exponent_bits) - 1;
  uint32_t sign = code >> (width - 1), fraction = code & ((1U << format->significand) - 1);
  int exponent = (int)(code >> format->significand) & most;
  bool is_last = exponent == most && fraction == (1U << format->significand) - 1;
  if (format->is_single && code == 1U << (width - 1)) return (double)NAN;
  if (format->is_finite && !format->is_single && !format->is_whole && is_last) return (double)NAN;
  if (!format->is_finite && exponent == most)
    return fraction != 0 ? (double)NAN : sign ? -(double)INFINITY : (double)INFINITY;
  double value = exponent == 0 ? ldexp(fraction, 1 - format->bias - format->significand)
                               : ldexp(fraction + (1U << format->significand),
                                     exponent - format->bias - format->significand);
  return sign ? -value : value;
}

static void trial_format(LawTrial *trial, const LawFormat *format) {
  trial->format = format;
  trial->code_count = 0;
  uint32_t width = element_type_bits(format->type), codes = 1U << (width - !format->is_scale);
  for (uint32_t code = 0; code < codes; code++) {
    double value = format_value(format, (int)width, code);
    if (isfinite(value)) trial->codes[trial->code_count++] = value;
  }
}

static double trial_round(const LawTrial *trial, double value) {
  uint32_t low = 0, high = trial->code_count - 1;
  const LawFormat *format = trial->format;
  double size = fabs(value), past = format->is_whole    ? trial->codes[high]
                                    : format->is_finite ? (double)NAN
                                                        : (double)INFINITY;
  if (isnan(value)) return value;
  if (format->is_scale && value <= 0) return (double)NAN;
  double step = trial->codes[high] - trial->codes[high - 1];
  if (size >= trial->codes[high] + step / 2) return copysign(past, value);
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (trial->codes[middle] <= size) low = middle;
    else high = middle;
  }
  double below = size - trial->codes[low], above = trial->codes[high] - size;
  uint32_t nearest = below < above || (below == above && low % 2 == 0) ? low : high;
  double rounded = copysign(trial->codes[nearest], value);
  return format->is_single && rounded == 0 ? 0 : rounded;
}

static ElementType trial_type(const LawTrial *trial) {
  return trial->format != nullptr ? TYPE_f64 : trial->type;
}

/* A constant, rounded to the type. */
static Element trial_element(const LawTrial *trial, double number) {
  if (element_type_is_integral(trial->type))
    return element_of_integer(trial->type, (int64_t)number);
  return element_of_real(
      trial_type(trial), trial->format == nullptr ? number : trial_round(trial, number));
}

static bool trial_side(LawTrial *trial, const LawPattern *pattern, Element *value) {
  Element operands[law_operands];
  if (pattern->kind == LAW_VARIABLE) *value = trial->values[pattern->variable];
  if (pattern->kind == LAW_CONSTANT) *value = trial_element(trial, law_constant(pattern));
  if (pattern->kind == LAW_INVERSE)
    *value = element_of_real(trial_type(trial), 1 / trial->values[pattern->variable].real);
  if (pattern->kind == LAW_OPPOSITE)
    *value = trial_element(trial, -trial->values[pattern->variable].real);
  if (pattern->kind != LAW_OPERATION) return true;
  assert(pattern->count > 0 && pattern->count <= law_operands);
  for (uint32_t i = 0; i < pattern->count; i++)
    if (!trial_side(trial, pattern->children[i], &operands[i])) return false;
  bool is_widening = pattern->opcode == HLO_CONVERT && operands[0].type != trial->wider;
  trial->shape.type = is_widening ? trial->wider : trial_type(trial);
  trial->operation->opcode = pattern->opcode;
  trial->operation->operand_count = pattern->count;
  if (!element_apply_any_zero(trial->operation, pattern->count, operands, value)) return false;
  if (trial->format != nullptr) value->real = trial_round(trial, value->real);
  return true;
}

static bool is_same(const Law *law, const Element *left, const Element *right) {
  if (element_type_is_integral(left->type)) return left->integer == right->integer;
  if (isnan(left->real) || isnan(right->real)) return isnan(left->real) && isnan(right->real);
  return left->real == right->real &&
         (law->grade != LAW_EXACT || signbit(left->real) == signbit(right->real));
}

static void print_value(Text *text, const char *before, Element value) {
  text_string(text, before);
  element_print(text, value);
}

static void say_refuted(LawTrial *trial, Element left, Element right) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  text_string(&text, element_type_name(trial->type));
  for (uint32_t i = 0; i < trial->law->variable_count; i++)
    print_value(&text, arena_printf(arena, " %c = ", trial->law->letters[i]), trial->values[i]);
  print_value(&text, ": left ", left);
  print_value(&text, ", right ", right);
  snprintf(trial->check->why, sizeof trial->check->why, "%s", text.bytes);
  arena_destroy(arena);
}

/* Whether the variable that must be a power of two is one, and its inverse is representable. */
static bool has_its_power(const LawTrial *trial) {
  if (!trial->law->is_power) return true;
  double value = trial->values[trial->law->restricted].real;
  return trial->format == nullptr
             ? law_is_power(trial->type, value)
             : law_is_power(TYPE_f32, value) && trial_round(trial, value) == value &&
                   trial_round(trial, 1 / value) == 1 / value;
}

static bool trial_holds(LawTrial *trial) {
  Element left = {}, right = {};
  if (!has_its_power(trial)) return true;
  trial->check->tried++;
  if (!trial_side(trial, trial->law->left, &left) ||
      !trial_side(trial, trial->law->right, &right)) {
    snprintf(trial->check->why, sizeof trial->check->why, "no arithmetic for %s of %s",
        opcode_name(trial->operation->opcode), element_type_name(trial->type));
    trial->check->is_open = true;
    return false;
  }
  if (is_same(trial->law, &left, &right)) return true;
  say_refuted(trial, left, right);
  return false;
}

/* ---- values ---- */

static constexpr double edges[] = {0, -0.0, 1, -1, 2, 0.5, 3, 1e30, -1e30, 1e-40, 3.4e38,
    (double)INFINITY, -(double)INFINITY, (double)NAN, 16777217, 0.1};
static constexpr uint32_t edge_count = sizeof edges / sizeof *edges;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005 + 1442695040888963407;
  return *state >> 11;
}

/* Edge `at` of the type; false if there are no more. */
static bool edge_of(const LawTrial *trial, uint32_t at, Element *value) {
  static constexpr int64_t near[] = {0, 1, -1, 2, 3, 7, 100, 127, -128, -127, 64, 85};
  static constexpr uint32_t near_count = sizeof near / sizeof *near;
  if (!element_type_is_integral(trial->type)) {
    *value = element_of_real(trial_type(trial), edges[at % edge_count]);
    if (trial->format != nullptr) value->real = trial_round(trial, value->real);
    return at < edge_count;
  }
  uint32_t bits = element_type_bits(trial->type);
  uint64_t lowest = UINT64_C(1) << (bits - 1);
  const uint64_t others[] = {lowest, lowest - 1, lowest + 1, UINT64_C(1) << (bits / 2)};
  *value = element_of_integer(
      trial->type, at < near_count ? near[at] : (int64_t)others[(at - near_count) % 4]);
  return at < near_count + 4;
}

/* Power `at` of two of the type, of both signs; false if there are no more. */
static bool power_of(const LawTrial *trial, uint32_t at, Element *value) {
  int exponent = (int)(at / 2) - trial->most_exponent;
  *value = element_of_real(trial->type, ldexp(at % 2 == 0 ? 1 : -1, exponent));
  return exponent <= trial->most_exponent;
}

/* Value `at` of variable `number` where not all codes are tried. */
static bool choice_of(const LawTrial *trial, uint32_t number, uint32_t at, Element *value) {
  bool is_power = trial->law->is_power && number == trial->law->restricted;
  return is_power && trial->format == nullptr ? power_of(trial, at, value)
                                              : edge_of(trial, at, value);
}

/* Value `code` of a type of at most 16 bits. */
static Element code_of(const LawTrial *trial, uint32_t code) {
  if (element_type_is_integral(trial->type)) return element_of_integer(trial->type, code);
  if (trial->format != nullptr)
    return element_of_real(
        TYPE_f64, format_value(trial->format, (int)element_type_bits(trial->format->type), code));
  return element_of_real(
      trial->type, format_value(trial->type == TYPE_bf16 ? &bf16 : &f16, 16, code));
}

static bool holds_on_edges(LawTrial *trial, uint32_t from) {
  if (from >= trial->law->variable_count) return trial_holds(trial);
  for (uint32_t at = 0; choice_of(trial, from, at, &trial->values[from]); at++)
    if (!holds_on_edges(trial, from + 1)) return false;
  return true;
}

/* Tries all values of the first variable, and all values of the second if there are at most 256. */
static bool holds_on_codes(LawTrial *trial, uint32_t every) {
  uint32_t bits = element_type_bits(trial->type), variables = trial->law->variable_count;
  uint32_t count = trial->type == TYPE_pred ? 2 : 1U << bits, edges_here = 0, choices = 0;
  Element edge;
  while (edge_of(trial, edges_here, &edge)) edges_here++;
  assert(edges_here > 0); /* each type has a zero */
  while (choice_of(trial, 1, choices, &edge)) choices++;
  uint32_t seconds = variables < 2 ? 1 : bits <= 8 ? count : choices;
  bool is_turning = trial->is_brief || bits > 8 || trial->format != nullptr;
  uint32_t thirds = variables < 3 || is_turning ? 1 : edges_here;
  for (uint32_t x = 0; x < count; x += every)
    for (uint32_t y = 0; y < seconds; y++)
      for (uint32_t z = 0; z < thirds; z++) {
        trial->values[0] = code_of(trial, x);
        if (bits <= 8) trial->values[1] = code_of(trial, y);
        else (void)choice_of(trial, 1, y, &trial->values[1]);
        for (uint32_t k = 2; k < variables; k++)
          (void)edge_of(trial, (thirds > 1 ? z : x + y) % edges_here, &trial->values[k]);
        if (!trial_holds(trial)) return false;
      }
  return true;
}

static bool holds_at_random(LawTrial *trial, uint32_t count) {
  uint64_t state = 12345;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < trial->law->variable_count; k++) {
      uint64_t bits = next_random(&state) << 11 ^ next_random(&state);
      double value;
      memcpy(&value, &bits, sizeof value);
      if (trial->type == TYPE_f32)
        value = ldexp((double)(int32_t)bits, (int)(bits >> 40) % 200 - 100);
      trial->values[k] = element_type_is_integral(trial->type)
                             ? element_of_integer(trial->type, (int64_t)bits)
                             : element_of_real(trial->type, value);
      if (trial->law->is_power && k == trial->law->restricted)
        (void)power_of(trial, (uint32_t)(bits >> 32) % 2000, &trial->values[k]);
    }
    if (!trial_holds(trial)) return false;
  }
  return true;
}

/* For laws that change the order of operations, which are exact only on small integers. */
static bool holds_on_small_reals(LawTrial *trial) {
  static constexpr uint32_t small = 17, middle = small / 2;
  uint32_t count = 1;
  for (uint32_t k = 0; k < trial->law->variable_count; k++) count *= small;
  trial->type = TYPE_f32;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t rest = i;
    for (uint32_t k = 0; k < trial->law->variable_count; k++, rest /= small)
      trial->values[k] = element_of_real(TYPE_f32, (double)(rest % small) - middle);
    if (!trial_holds(trial)) return false;
  }
  return true;
}

/* ---- types ---- */

static bool holds_in_type(LawTrial *trial, ElementType type) {
  uint32_t bits = element_type_bits(type), variables = trial->law->variable_count;
  bool is_brief = trial->is_brief;
  trial->type = type;
  trial->most_exponent = 0;
  while (law_is_power(type, ldexp(1, trial->most_exponent + 1))) trial->most_exponent++;
  bool is_part = is_brief && type != TYPE_pred;
  if (bits <= 8) return holds_on_codes(trial, is_part && variables > 1 ? 7 : 1);
  if (bits == 16 && !holds_on_codes(trial, !is_part ? 1 : variables > 1 ? 251 : 7)) return false;
  if (!(is_brief && variables > 2) && !holds_on_edges(trial, 0)) return false;
  bool is_exact = element_type_is_integral(type);
  return bits == 16 || holds_at_random(trial, is_brief ? 500 : is_exact ? 50'000 : 1'000'000);
}

static constexpr ElementType integers[] = {TYPE_s8, TYPE_u8, TYPE_s16, TYPE_u16, TYPE_s32, TYPE_u32,
    TYPE_s64, TYPE_u64, TYPE_s4, TYPE_u4, TYPE_s2, TYPE_u2, TYPE_s1, TYPE_u1},
                             floats[] = {TYPE_bf16, TYPE_f16, TYPE_f32, TYPE_f64};
static constexpr uint32_t integer_count = sizeof integers / sizeof *integers,
                          float_count = sizeof floats / sizeof *floats;

/* Tries a law of conversions through each wider type. */
static bool holds_through(LawTrial *trial, ElementType type) {
  trial->wider = type;
  if (!trial->law->is_through_wider) return holds_in_type(trial, type);
  for (uint32_t i = 0; i < integer_count + float_count; i++) {
    trial->wider = i < integer_count ? integers[i] : floats[i - integer_count];
    if (trial->wider != type && type_keeps_values(type, trial->wider) &&
        !holds_in_type(trial, type))
      return false;
  }
  return true;
}

/* Whether a law applies to a type of powers of two only: laws of zeros, signs or differences do
 * not. */
static bool speaks_of_scales(const LawPattern *pattern) {
  bool speaks = pattern->opcode != HLO_NEGATE && pattern->opcode != HLO_SUBTRACT;
  if (pattern->kind != LAW_OPERATION) return pattern->kind != LAW_CONSTANT || pattern->constant > 0;
  for (uint32_t i = 0; i < pattern->count; i++) speaks &= speaks_of_scales(pattern->children[i]);
  return speaks;
}

static bool speaks_of_infinity(const LawPattern *pattern) {
  bool speaks = pattern->kind == LAW_CONSTANT && pattern->infinity != 0;
  for (uint32_t i = 0; i < pattern->count; i++) speaks |= speaks_of_infinity(pattern->children[i]);
  return speaks;
}

static bool holds_in_formats(LawTrial *trial) {
  static constexpr uint32_t few = 4, all = sizeof formats / sizeof *formats;
  for (uint32_t i = 0; i < (trial->is_brief ? few : all); i++) {
    if (formats[i].is_scale && !speaks_of_scales(trial->law->left)) continue;
    if (formats[i].is_finite && speaks_of_infinity(trial->law->left)) continue;
    trial_format(trial, &formats[i]);
    trial->wider = formats[i].type;
    if (!holds_in_type(trial, formats[i].type)) return false;
  }
  trial->format = nullptr;
  return true;
}

static bool holds_in_types(LawTrial *trial) {
  switch (trial->law->types) {
    case LAW_PRED: return holds_through(trial, TYPE_pred);
    case LAW_INTEGRAL:
      for (uint32_t i = 0; i < integer_count; i++)
        if (!holds_through(trial, integers[i])) return false;
      return true;
    case LAW_FLOATING: break;
  }
  if (trial->law->grade == LAW_FAST) return holds_on_small_reals(trial);
  if (!trial->law->is_through_wider && !holds_in_formats(trial)) return false;
  for (uint32_t i = 0; i < float_count; i++)
    if (!holds_through(trial, floats[i])) return false;
  return true;
}

const Laws *law_check_read(Arena *arena, const Source *source, uint32_t *count, Error *error) {
  Laws *laws = ARENA_NEW(arena, Laws, 1);
  bool is_read =
      source == nullptr ? laws_own(arena, laws, error) : laws_read(arena, source, laws, error);
  *count = is_read ? laws->count : 0;
  return is_read ? laws : nullptr;
}

void law_check(Arena *arena, const Laws *laws, uint32_t at, bool is_brief, LawCheck *check) {
  const Law *law = &laws->items[at];
  LawTrial trial = {.law = law, .check = check, .is_brief = is_brief};
  *check = (LawCheck){.name = law->name, .text = law->text, .line = law->line};
  trial.operation = ARENA_NEW(arena, Instruction, 1);
  *trial.operation = (Instruction){.shape = &trial.shape};
  check->holds = holds_in_types(&trial);
  if (!check->holds || law->types != LAW_FLOATING || law->grade != LAW_EXACT) return;
  check->holds = false;
  snprintf(check->why, sizeof check->why,
      "the payload of a NaN is not modelled: no law of floats is exact here");
}

const char *law_check_left_out(void) {
  return "six of seven first values of two and of 16 bits, third integers all at once, five of "
         "eight floats of eight bits, most random values; of floats that are powers of two laws of "
         "zeros and signs; of floats without infinities laws of them";
}
