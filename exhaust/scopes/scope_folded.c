/* Offsets that are known because their arithmetic can be folded: one operation on numbers of ten
 * types, and every value that it can give leads to an element of its own. Numbers stand in an order
 * for each type; at an array of size n one of the operands is the n-th, the other one no later, so
 * that all sizes up to n have all pairs of the first n. Of types of 4 and 8 bits one operand may be
 * a parameter. Of wider ones the offset is the result's lowest byte, or its highest. p0 stays
 * unread. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "exhaust/scopes/scope_operation.h"

static const struct {
  const char *name;
  uint32_t bits;
  bool is_signed;
} types[] = {{"s4", 4, true}, {"u4", 4, false}, {"s8", 8, true}, {"u8", 8, false},
    {"s16", 16, true}, {"u16", 16, false}, {"s32", 32, true}, {"u32", 32, false}, {"s64", 64, true},
    {"u64", 64, false}};
static constexpr uint32_t type_count = sizeof types / sizeof *types;

static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
static const char *const binaries[] = {"add", "subtract", "multiply", "divide", "remainder",
    "maximum", "minimum", "and", "or", "xor", "shift-left", "shift-right-arithmetic",
    "shift-right-logical"};
static const char *const unaries[] = {
    "negate", "not", "abs", "sign", "popcnt", "count-leading-zeros"};
static constexpr uint32_t direction_count = sizeof directions / sizeof *directions,
                          binary_count = sizeof binaries / sizeof *binaries,
                          unary_count = sizeof unaries / sizeof *unaries;
/* Comparisons, operations on two numbers, operations on one, conversions to each type. */
static constexpr uint32_t first_binary = direction_count, first_unary = first_binary + binary_count,
                          first_convert = first_unary + unary_count,
                          operation_count = first_convert + type_count;

static constexpr uint32_t most_numbers = 16;

static uint64_t bits_of(uint32_t type, uint64_t number) {
  return types[type].bits == 64 ? number : number & ((UINT64_C(1) << types[type].bits) - 1);
}

/* The k-th number: small ones, the type's ends, and the amounts about which a shift leaves the
 * type. All are different. */
static uint64_t number_at(uint32_t type, uint64_t k) {
  uint64_t bits = types[type].bits, first = UINT64_C(1) << (bits - 1), minus = UINT64_MAX;
  const uint64_t narrow[] = {0, 1, minus, 2, first, first - 1, 3, minus - 1, 4, first + 1, 5,
      minus - 2, 6, minus - 3, minus - 4, minus - 5};
  const uint64_t wide[] = {0, 1, minus, 2, first, first - 1, 3, minus - 1, bits - 1, bits,
      first + 1, 5, minus - 2, 100, 0 - bits, 10};
  assert(k < most_numbers);
  return bits_of(type, bits == 4 ? narrow[k] : wide[k]);
}

typedef struct FoldedClass {
  uint32_t type, operation;
} FoldedClass;

static bool is_compare(const FoldedClass *class) { return class->operation < first_binary; }
static bool has_two(const FoldedClass *class) { return class->operation < first_unary; }
static bool is_convert(const FoldedClass *class) { return class->operation >= first_convert; }
static uint32_t result_type(const FoldedClass *class) {
  return is_convert(class) ? class->operation - first_convert : class->type;
}
/* An absolute value and a sign are of signed types. */
static bool is_legal(const FoldedClass *class) {
  uint32_t unary = class->operation - first_unary;
  return class->operation < first_unary || is_convert(class) || types[class->type].is_signed ||
         (unary != 2 && unary != 3);
}

typedef struct FoldedWay {
  FoldedClass class;
  bool is_high; /* the highest byte of a wide result */
  bool is_parameter[2];
  uint64_t numbers[2]; /* where it is none: its place in the order */
} FoldedWay;

/* Pairs of which the one is the n-th number; then, of narrow types, a parameter in each place. Of
 * one number the parameter stands at size 1 alone. */
static void choose_numbers(Choices *choices, uint64_t n, FoldedWay *folded) {
  bool two = has_two(&folded->class), is_narrow = types[folded->class.type].bits <= 8;
  uint64_t pairs = two ? 2 * n - 1 : 1,
           parameters = !is_narrow ? 0
                        : two      ? 2
                                   : n == 1,
           way = choose(choices, pairs + parameters);
  folded->numbers[0] = way < n ? way : n - 1;
  folded->numbers[1] = way < n ? n - 1 : way - n;
  if (!two) folded->numbers[0] = n - 1;
  if (way >= pairs) {
    folded->is_parameter[way - pairs] = true;
    folded->numbers[0] = folded->numbers[1] = n - 1;
  }
}

static bool choose_folded(Choices *choices, uint64_t n, FoldedWay *folded) {
  FoldedClass *class = &folded->class;
  class->type = (uint32_t)choose(choices, type_count);
  class->operation = (uint32_t)choose(choices, operation_count);
  if (!is_legal(class)) return false;
  folded->is_high =
      !is_compare(class) && types[result_type(class)].bits > 8 && choose_bool(choices);
  choose_numbers(choices, n, folded);
  return true;
}

static void write_number(Text *text, uint32_t type, uint64_t bits) {
  uint64_t sign = UINT64_C(1) << (types[type].bits - 1);
  if (types[type].is_signed) text_printf(text, "%" PRId64, (int64_t)((bits ^ sign) - sign));
  else text_printf(text, "%" PRIu64, bits);
}

/* "c0" or "p1", made by a line. */
typedef struct ScopeFoldedName {
  char text[16];
} ScopeFoldedName;

static ScopeFoldedName write_constant(ScopeWriter *writer, uint32_t type, uint64_t bits) {
  ScopeFoldedName name;
  snprintf(name.text, sizeof name.text, "c%u", writer->constant_count++);
  text_printf(writer->text, "  %s = %s[] constant(", name.text, types[type].name);
  write_number(writer->text, type, bits);
  text_string(writer->text, ")\n");
  return name;
}

static ScopeFoldedName write_operand(ScopeWriter *writer, const FoldedWay *folded, uint32_t place) {
  uint32_t type = folded->class.type;
  ScopeFoldedName name;
  if (!folded->is_parameter[place])
    return write_constant(writer, type, number_at(type, folded->numbers[place]));
  snprintf(name.text, sizeof name.text, "p%u",
      scope_write_parameter(writer, types[type].name, &(Tensor){}));
  return name;
}

/* The result is in `r`. */
static void write_operation(ScopeWriter *writer, const FoldedWay *folded) {
  const FoldedClass *class = &folded->class;
  ScopeFoldedName a = write_operand(writer, folded, 0),
                  b = has_two(class) ? write_operand(writer, folded, 1) : (ScopeFoldedName){};
  const char *type = types[result_type(class)].name;
  if (is_compare(class))
    text_printf(writer->text, "  r = pred[] compare(%s, %s), direction=%s\n", a.text, b.text,
        directions[class->operation]);
  else if (has_two(class))
    text_printf(writer->text, "  r = %s[] %s(%s, %s)\n", type,
        binaries[class->operation - first_binary], a.text, b.text);
  else if (is_convert(class)) text_printf(writer->text, "  r = %s[] convert(%s)\n", type, a.text);
  else
    text_printf(
        writer->text, "  r = %s[] %s(%s)\n", type, unaries[class->operation - first_unary], a.text);
}

/* From `r` the offset `o`: from 0 on, and every value another one. */
static void write_offset(ScopeWriter *writer, const FoldedWay *folded) {
  uint32_t type = result_type(&folded->class), bits = types[type].bits;
  const char *from = "r";
  if (!is_compare(&folded->class) && bits > 8) {
    ScopeFoldedName byte = write_constant(writer, type, folded->is_high ? bits - 8 : 255);
    text_printf(writer->text, "  b = %s[] %s(r, %s)\n", types[type].name,
        folded->is_high ? "shift-right-logical" : "and", byte.text);
    from = "b";
  }
  bool is_moved = !is_compare(&folded->class) && bits <= 8 && types[type].is_signed;
  text_printf(writer->text, "  %s = s32[] convert(%s)\n", is_moved ? "s" : "o", from);
  if (is_moved)
    text_printf(writer->text, "  h = s32[] constant(%d)\n  o = s32[] add(s, h)\n", 1 << (bits - 1));
}

static Tensor whole_of(const FoldedClass *class) {
  uint32_t bits = types[result_type(class)].bits;
  return (Tensor){.rank = 1, .sizes = {is_compare(class) ? 2 : bits == 4 ? 16 : 256}};
}

bool scope_folded_offset(OperationCase *at_hand, ScopeWriter *writer) {
  FoldedWay folded = {};
  if (at_hand->in.rank != 1 || at_hand->in.sizes[0] > most_numbers ||
      !choose_folded(at_hand->choices, (uint64_t)at_hand->in.sizes[0], &folded))
    return false;
  at_hand->out = (Tensor){.rank = 1, .sizes = {1}};
  if (writer == nullptr) return true;
  Tensor whole = whole_of(&folded.class);
  uint32_t array = scope_write_parameter(writer, "f32", &whole);
  write_operation(writer, &folded);
  write_offset(writer, &folded);
  snprintf(writer->at_hand, sizeof writer->at_hand, "p%u", array);
  scope_write_begin(writer, &at_hand->out, "dynamic-slice");
  text_string(writer->text, ", o), dynamic_slice_sizes={1}");
  scope_write_end(writer);
  return true;
}
