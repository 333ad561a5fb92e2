/* Ways to give an offset or an index of a small element type to an array that ends about where the
 * type does: dynamic-slice, dynamic-update-slice, gather and scatter. Along one dimension of size n
 * the array has n elements more than the last value that the type holds, and slices of 0 to n + 1
 * elements: the last feasible place lies past that value, on it, and below. The array is a
 * parameter of its own; p0 stays unread. */
#include <assert.h>
#include <stdio.h>

#include "exhaust/scopes/scope_operation.h"

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

typedef struct TypedClass {
  uint32_t along;
  TypedForm form;
  uint64_t type;
} TypedClass;

typedef struct TypedWay {
  TypedClass class;
  uint64_t kinds[tensor_max_rank]; /* of all indices: the first one */
  Tensor whole, part;
} TypedWay;

/* One more than the array has elements beyond the last value; of s1, whose last value is 0, that is
 * one too many. */
static void choose_parts(OperationCase *at_hand, TypedWay *typed) {
  const TypedClass *class = &typed->class;
  int64_t last = types[class->type].last;
  typed->whole = at_hand->in;
  typed->part.rank = at_hand->in.rank;
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    operation_join(at_hand, scope_key(SCOPE_typed_offset), i,
        class->along + 16 * (class->form + form_count * class->type));
    typed->part.sizes[i] =
        choose_between(at_hand->choices, 0, at_hand->in.sizes[i] + (i == class->along && last > 0));
    if (has_offsets(class->form)) typed->kinds[i] = choose(at_hand->choices, offset_kinds);
  }
  if (!has_offsets(class->form)) typed->kinds[0] = choose(at_hand->choices, index_kinds);
  typed->whole.sizes[class->along] += last;
}

/* Of a type whose last value is 0 the array is the same along any dimension. */
static bool choose_typed(OperationCase *at_hand, TypedWay *typed) {
  if (at_hand->in.rank == 0) return false;
  typed->class = (TypedClass){.along = (uint32_t)choose(at_hand->choices, at_hand->in.rank),
      .form = (TypedForm)choose(at_hand->choices, form_count),
      .type = choose(at_hand->choices, type_count)};
  if (types[typed->class.type].last == 0 && typed->class.along > 0) return false;
  choose_parts(at_hand, typed);
  return true;
}

static const char *type_name(const TypedWay *typed) { return types[typed->class.type].name; }

/* A literal of pred says false and true. */
static void write_value(Text *text, const TypedWay *typed, bool is_last) {
  if (typed->class.type == 0) text_string(text, is_last ? "true" : "false");
  else text_integer(text, is_last ? types[typed->class.type].last : types[typed->class.type].first);
}

static void write_offsets(
    ScopeWriter *writer, const TypedWay *typed, char *letters, uint32_t *numbers) {
  for (uint32_t i = 0; i < typed->whole.rank; i++) {
    uint64_t kind = typed->kinds[i];
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

static bool has_batch(const TypedWay *typed) { return (typed->kinds[0] & 1) != 0; }

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

/* ", p3" or ", c0" after the operand. */
typedef struct ScopeTypedOperand {
  char text[16];
} ScopeTypedOperand;

static ScopeTypedOperand write_indices(ScopeWriter *writer, const TypedWay *typed) {
  Tensor shape =
      has_batch(typed) ? (Tensor){2, {2, typed->whole.rank}} : (Tensor){1, {typed->whole.rank}};
  bool is_known = (typed->kinds[0] & 2) != 0;
  uint32_t number =
      is_known ? writer->constant_count++ : scope_write_parameter(writer, type_name(typed), &shape);
  ScopeTypedOperand operand;
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
  ScopeTypedOperand indices = write_indices(writer, typed);
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

bool scope_typed_offset(OperationCase *at_hand, ScopeWriter *writer) {
  TypedWay typed = {};
  if (!choose_typed(at_hand, &typed)) return false;
  TypedForm form = typed.class.form;
  Tensor gathered = typed.part;
  if (!has_offsets(form) && has_batch(&typed)) {
    gathered = (Tensor){.rank = at_hand->in.rank + 1, .sizes = {2}};
    for (uint32_t i = 0; i < at_hand->in.rank; i++) gathered.sizes[i + 1] = typed.part.sizes[i];
  }
  at_hand->out = form == TYPED_SLICE ? typed.part : form == TYPED_GATHER ? gathered : typed.whole;
  if (writer == nullptr) return true;
  if (has_offsets(form)) write_sliced(writer, &typed, &at_hand->out);
  else write_gathered(writer, &typed, &at_hand->out, &gathered);
  return true;
}
