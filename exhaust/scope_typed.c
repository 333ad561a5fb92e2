/* Ways to give an offset or an index of a small element type to an array that ends about where the
 * type does: dynamic-slice, dynamic-update-slice, gather and scatter. Along one dimension of size n
 * the array has n elements more than the last value that the type holds, and slices of 0 to n + 1
 * elements: the last feasible place lies past that value, on it, and below. The array is a
 * parameter of its own; p0 stays unread. */
#include <assert.h>
#include <stdio.h>

#include "exhaust/scope_operation.h"

static const struct {
  const char *name;
  int64_t first, last;
} types[] = {{"pred", 0, 1}, {"s1", -1, 0}, {"u1", 0, 1}, {"s2", -2, 1}, {"u2", 0, 3},
    {"s4", -8, 7}, {"u4", 0, 15}, {"s8", -128, 127}, {"u8", 0, 255}};
static constexpr uint64_t type_count = sizeof types / sizeof *types;

typedef enum TypedForm : uint8_t {
  TYPED_SLICE,
  TYPED_UPDATE,
  TYPED_GATHER,
  TYPED_SCATTER
} TypedForm;
static constexpr uint64_t form_count = 4;
static constexpr uint64_t offset_kinds =
    3; /* of each offset: a parameter, the type's first value, its last one */
static constexpr uint64_t index_kinds =
    4; /* of all indices: one index vector or two, a parameter or the type's ends */

static bool has_offsets(TypedForm form) { return form == TYPED_SLICE || form == TYPED_UPDATE; }

static uint64_t kinds_of(TypedForm form, uint32_t rank) {
  uint64_t ways = has_offsets(form) ? 1 : index_kinds;
  for (uint32_t i = 0; i < rank && has_offsets(form); i++) ways *= offset_kinds;
  return ways;
}

/* What all cases of a stretch of numbers have in common. */
typedef struct TypedClass {
  uint32_t along;
  TypedForm form;
  uint64_t type;
} TypedClass;

/* One more than the array has elements beyond the last value; of s1, whose last value is 0, that is
 * one too many. */
static uint64_t parts_of(const Tensor *in, const TypedClass *class, uint32_t dimension) {
  return (uint64_t)in->sizes[dimension] + 1 +
         (dimension == class->along && types[class->type].last > 0);
}

static uint64_t class_ways(const Tensor *in, const TypedClass *class) {
  uint64_t ways = kinds_of(class->form, in->rank);
  if (types[class->type].last == 0 && class->along > 0)
    return 0; /* the same array as along the first dimension */
  for (uint32_t i = 0; i < in->rank; i++) ways *= parts_of(in, class, i);
  return ways;
}

static bool next_class(const Tensor *in, TypedClass *class) {
  if (++class->type < type_count) return true;
  class->type = 0;
  if (++class->form < form_count) return true;
  class->form = TYPED_SLICE;
  return ++class->along < in->rank;
}

uint64_t count_typed_offset(const ScopeLimits *, const Tensor *in) {
  uint64_t count = 0;
  if (in->rank == 0) return 0;
  TypedClass class = {};
  do count += class_ways(in, &class);
  while (next_class(in, &class));
  return count;
}

typedef struct TypedWay {
  TypedClass class;
  uint64_t kinds;
  Tensor whole, part;
} TypedWay;

static TypedWay way_at(const Tensor *in, uint64_t way) {
  TypedWay typed = {.whole = *in, .part = {.rank = in->rank}};
  for (uint64_t ways; way >= (ways = class_ways(in, &typed.class)); way -= ways) {
    [[maybe_unused]] bool is_there = next_class(in, &typed.class);
    assert(is_there);
  }
  for (uint32_t i = 0; i < in->rank; i++)
    typed.part.sizes[i] = (int64_t)digit_take(&way, parts_of(in, &typed.class, i));
  typed.whole.sizes[typed.class.along] += types[typed.class.type].last;
  typed.kinds = way;
  assert(way < kinds_of(typed.class.form, in->rank));
  return typed;
}

static const char *type_name(const TypedWay *typed) { return types[typed->class.type].name; }

/* A literal of pred says false and true. */
static void write_value(Text *text, const TypedWay *typed, bool is_last) {
  if (typed->class.type == 0) text_string(text, is_last ? "true" : "false");
  else text_integer(text, is_last ? types[typed->class.type].last : types[typed->class.type].first);
}

static void write_offsets(
    ScopeWriter *writer, const TypedWay *typed, char *letters, uint32_t *numbers) {
  uint64_t kinds = typed->kinds;
  for (uint32_t i = 0; i < typed->whole.rank; i++) {
    uint64_t kind = digit_take(&kinds, offset_kinds);
    letters[i] = kind == 0 ? 'p' : 'c';
    if (kind == 0) {
      numbers[i] = scope_write_parameter(writer, type_name(typed), &(Tensor){});
      continue;
    }
    numbers[i] = writer->constant_count++;
    text_printf(writer->text, "  c%u = %s[] constant(", numbers[i], type_name(typed));
    write_value(writer->text, typed, kind == 2);
    text_string(writer->text, ")\n");
  }
}

/* The parameter becomes the value that the operation takes. */
static void hold(ScopeWriter *writer, uint32_t parameter) {
  snprintf(writer->at_hand, sizeof writer->at_hand, "p%u", parameter);
}

static void write_sliced(ScopeWriter *writer, const TypedWay *typed, const Tensor *out) {
  char letters[tensor_max_rank];
  uint32_t numbers[tensor_max_rank], operand = scope_write_parameter(writer, "f32", &typed->whole);
  uint32_t update =
      typed->class.form == TYPED_UPDATE ? scope_write_parameter(writer, "f32", &typed->part) : 0;
  write_offsets(writer, typed, letters, numbers);
  hold(writer, operand);
  scope_write_begin(
      writer, out, typed->class.form == TYPED_UPDATE ? "dynamic-update-slice" : "dynamic-slice");
  if (typed->class.form == TYPED_UPDATE) text_printf(writer->text, ", p%u", update);
  for (uint32_t i = 0; i < typed->whole.rank; i++)
    text_printf(writer->text, ", %c%u", letters[i], numbers[i]);
  text_string(writer->text, ")");
  if (typed->class.form == TYPED_SLICE)
    scope_write_sizes(writer->text, "dynamic_slice_sizes", out->rank, out->sizes);
  scope_write_end(writer);
}

static bool has_batch(const TypedWay *typed) { return (typed->kinds & 1) != 0; }

/* Of two vectors the second has the ends the other way round. */
static void write_ends(Text *text, const TypedWay *typed) {
  text_string(text, has_batch(typed) ? " constant({" : " constant(");
  for (uint32_t row = 0; row < 1u + has_batch(typed); row++) {
    text_string(text, row == 0 ? "{" : ", {");
    for (uint32_t i = 0; i < typed->whole.rank; i++) {
      if (i > 0) text_string(text, ", ");
      write_value(text, typed, (i + row) % 2 == 0);
    }
    text_string(text, "}");
  }
  text_string(text, has_batch(typed) ? "})\n" : ")\n");
}

/* ", p3" or ", c0" behind the operand. */
typedef struct Operand {
  char text[16];
} Operand;

static Operand write_indices(ScopeWriter *writer, const TypedWay *typed) {
  Tensor shape =
      has_batch(typed) ? (Tensor){2, {2, typed->whole.rank}} : (Tensor){1, {typed->whole.rank}};
  bool is_known = (typed->kinds & 2) != 0;
  uint32_t number =
      is_known ? writer->constant_count++ : scope_write_parameter(writer, type_name(typed), &shape);
  Operand operand;
  snprintf(operand.text, sizeof operand.text, ", %c%u", is_known ? 'c' : 'p', number);
  if (!is_known) return operand;
  text_printf(writer->text, "  c%u = ", number);
  scope_write_shape(writer->text, type_name(typed), &shape, nullptr);
  write_ends(writer->text, typed);
  return operand;
}

static void write_gathered(
    ScopeWriter *writer, const TypedWay *typed, const Tensor *out, const Tensor *gathered) {
  uint32_t all[tensor_max_rank], window[tensor_max_rank], rank = typed->whole.rank;
  for (uint32_t i = 0; i < rank; i++) {
    all[i] = i;
    window[i] = i + has_batch(typed);
  }
  bool is_gather = typed->class.form == TYPED_GATHER;
  uint32_t operand = scope_write_parameter(writer, "f32", &typed->whole);
  uint32_t update = is_gather ? 0 : scope_write_parameter(writer, "f32", gathered);
  Operand indices = write_indices(writer, typed);
  hold(writer, operand);
  scope_write_begin(writer, out, is_gather ? "gather" : "scatter");
  text_string(writer->text, indices.text);
  if (!is_gather) text_printf(writer->text, ", p%u", update);
  text_string(writer->text, ")");
  scope_write_numbers(writer->text, is_gather ? "offset_dims" : "update_window_dims", rank, window);
  scope_write_numbers(
      writer->text, is_gather ? "collapsed_slice_dims" : "inserted_window_dims", 0, all);
  scope_write_numbers(
      writer->text, is_gather ? "start_index_map" : "scatter_dims_to_operand_dims", rank, all);
  text_printf(writer->text, ", index_vector_dim=%d", has_batch(typed));
  if (is_gather) scope_write_sizes(writer->text, "slice_sizes", rank, typed->part.sizes);
  else text_string(writer->text, ", to_apply=add");
  scope_write_end(writer);
}

void write_typed_offset(
    const ScopeLimits *, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer) {
  TypedWay typed = way_at(in, way);
  Tensor gathered = typed.part;
  if (!has_offsets(typed.class.form) && has_batch(&typed)) {
    gathered = (Tensor){.rank = in->rank + 1, .sizes = {2}};
    for (uint32_t i = 0; i < in->rank; i++) gathered.sizes[i + 1] = typed.part.sizes[i];
  }
  *out = typed.class.form == TYPED_SLICE    ? typed.part
         : typed.class.form == TYPED_GATHER ? gathered
                                            : typed.whole;
  if (writer == nullptr) return;
  if (has_offsets(typed.class.form)) write_sliced(writer, &typed, out);
  else write_gathered(writer, &typed, out, &gathered);
}
