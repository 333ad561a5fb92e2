/* Ways to give an offset or an index that is computed, not a parameter or a constant alone: what a
 * program can know of it is folded, and
 * has to be clamped as the value itself would be.
 * computed-offset: a dynamic-slice; along one dimension the slice has any size and the offset one
 * of the forms below, along the others the slice is whole. known-indices: a gather of rows along
 * one dimension by a vector of indices that is constant, counts up, or is computed. */
#include <assert.h>
#include <stdio.h>

#include "exhaust/scopes/scope_operation.h"

/* The last line leaves the offset in `o`. %d is a constant from -1 to the size. */
static const char *const forms[] = {
    "  k = s32[] constant(%d)\n  o = s32[] add(x, k)\n",
    "  k = s32[] constant(%d)\n  o = s32[] subtract(k, x)\n",
    "  k = s32[] constant(%d)\n  o = s32[] multiply(x, k)\n",
    "  k = s32[] constant(%d)\n  o = s32[] maximum(x, k)\n",
    "  k = s32[] constant(%d)\n  o = s32[] minimum(k, x)\n",
    "  k = s32[] constant(%d)\n  z = s32[] constant(0)\n  o = s32[] clamp(z, x, k)\n",
    "  k = s32[] constant(%d)\n  n = s32[] negate(k)\n  o = s32[] add(n, k)\n",
    "  k = s32[] constant(%d)\n  t = s32[] constant(2)\n  o = s32[] multiply(k, t)\n",
    "  k = s32[] constant(%d)\n  t = s32[] constant(2)\n  o = s32[] divide(k, t)\n",
    "  k = s32[] constant(%d)\n  t = s32[] constant(2)\n  o = s32[] remainder(k, t)\n",
    "  k = s8[] constant(%d)\n  o = s32[] convert(k)\n",
    "  k = s32[] constant(%d)\n  o = u8[] convert(k)\n",
    "  k = s32[2] constant({0, %d})\n  s = s32[1] slice(k), slice={[1:2]}\n  o = s32[] reshape(s)\n",
    "  k = s32[] constant(%d)\n  i = s32[3] iota(), iota_dimension=0\n  s = s32[1] slice(i), slice={[2:3]}\n  r = s32[] reshape(s)\n  o = s32[] subtract(r, k)\n",
    "  k = s32[] constant(%d)\n  z = s32[] constant(0)\n  l = pred[] compare(x, z), direction=LT\n  o = s32[] select(l, k, x)\n",
};
/* After the forms: an element of an iota as it is, without arithmetic. */
static constexpr uint32_t iota_form = sizeof forms / sizeof *forms, form_count = iota_form + 1,
                          unsigned_form = 11;

/* The printf format is one of the forms above. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
static void write_form(ScopeWriter *writer, uint64_t form, int constant) {
  assert(form < form_count);
  text_string(writer->text, "  x = s32[] parameter(1)\n");
  if (form < iota_form) text_printf(writer->text, forms[form], constant);
  else
    text_printf(writer->text,
        "  i = s32[%d] iota(), iota_dimension=0\n  s = s32[1] slice(i), slice={[%d:%d]}\n  o = s32[] reshape(s)\n",
        constant + 2, constant + 1, constant + 2);
}
#pragma clang diagnostic pop

static int choose_constant(Choices *choices, int64_t size) {
  return (int)choose_between(choices, -1, size);
}

bool scope_computed_offset(OperationCase *at_hand, ScopeWriter *writer) {
  const Tensor *in = &at_hand->in;
  Tensor *out = &at_hand->out;
  if (in->rank == 0) return false;
  uint32_t along = (uint32_t)choose(at_hand->choices, in->rank);
  int64_t size = in->sizes[along];
  *out = *in;
  out->sizes[along] = choose_between(at_hand->choices, 0, size);
  int constant = choose_constant(at_hand->choices, size);
  uint64_t form = choose(at_hand->choices, form_count);
  if (writer == nullptr) return true;
  write_form(writer, form, constant);
  const char *type = form == unsigned_form ? "u8" : "s32";
  text_printf(writer->text, "  w = %s[] constant(0)\n", type);
  scope_write_begin(writer, out, "dynamic-slice");
  for (uint32_t i = 0; i < in->rank; i++) text_string(writer->text, i == along ? ", o" : ", w");
  text_string(writer->text, ")");
  scope_write_sizes(writer->text, "dynamic_slice_sizes", out->rank, out->sizes);
  scope_write_end(writer);
  return true;
}

/* Vectors of n indices; the last line leaves them in `o`. */
static constexpr int most_indices = 3;
static constexpr uint32_t vector_count = 7;

static void write_vector(ScopeWriter *writer, uint64_t kind, int n, int k) {
  Text *text = writer->text;
  switch (kind) {
    case 0:
      text_printf(text, "  o = s32[%d,1] constant({", n);
      for (int i = 0; i < n; i++)
        text_printf(text, "%s{%d}", i == 0 ? "" : ", ", i == 0 ? k : i - 2);
      text_string(text, "})\n");
      return;
    case 1:
      text_printf(text,
          "  i = s32[%d,1] iota(), iota_dimension=0\n  k = s32[] constant(%d)\n  b = s32[%d,1] broadcast(k), dimensions={}\n  o = s32[%d,1] add(i, b)\n",
          n, k, n, n);
      return;
    case 2:
      text_printf(text,
          "  i = s32[%d,1] iota(), iota_dimension=0\n  k = s32[] constant(%d)\n  b = s32[%d,1] broadcast(k), dimensions={}\n  o = s32[%d,1] multiply(i, b)\n",
          n, k, n, n);
      return;
    case 3:
      text_printf(text,
          "  i = s32[%d,1] iota(), iota_dimension=0\n  k = s32[] constant(%d)\n  b = s32[%d,1] broadcast(k), dimensions={}\n  o = s32[%d,1] subtract(b, i)\n",
          n, k, n, n);
      return;
    case 4:
      text_printf(
          text, "  k = s32[] constant(%d)\n  o = s32[%d,1] broadcast(k), dimensions={}\n", k, n);
      return;
    case 5:
      if (k < 0) text_printf(text, "  o = s32[%d,1] iota(), iota_dimension=0\n", n);
      else
        text_printf(text,
            "  i = s32[%d] iota(), iota_dimension=0\n  s = s32[%d] slice(i), slice={[%d:%d]}\n  o = s32[%d,1] reshape(s)\n",
            k + n, n, k, k + n, n);
      return;
    default:
      text_printf(text,
          "  x = s32[%d,1] parameter(1)\n  k = s32[] constant(%d)\n  b = s32[%d,1] broadcast(k), dimensions={}\n  o = s32[%d,1] add(x, b)\n",
          n, k, n, n);
      return;
  }
}

bool scope_known_indices(OperationCase *at_hand, ScopeWriter *writer) {
  const Tensor *in = &at_hand->in;
  Tensor *out = &at_hand->out, slice = *in;
  uint32_t offsets[tensor_max_rank];
  if (in->rank == 0) return false;
  uint32_t along = (uint32_t)choose(at_hand->choices, in->rank);
  int constant = choose_constant(at_hand->choices, in->sizes[along]);
  slice.sizes[along] = choose_between(at_hand->choices, 0, in->sizes[along]);
  uint64_t kind = choose(at_hand->choices, vector_count);
  int n = (int)choose_between(at_hand->choices, 1, most_indices);
  *out = (Tensor){.rank = in->rank + 1, .sizes = {n}};
  for (uint32_t i = 0; i < in->rank; i++) out->sizes[i + 1] = slice.sizes[i];
  if (writer == nullptr) return true;
  for (uint32_t i = 0; i < in->rank; i++) offsets[i] = i + 1;
  write_vector(writer, kind, n, constant);
  scope_write_begin(writer, out, "gather");
  text_string(writer->text, ", o)");
  scope_write_numbers(writer->text, "offset_dims", in->rank, offsets);
  scope_write_numbers(writer->text, "collapsed_slice_dims", 0, offsets);
  scope_write_numbers(writer->text, "start_index_map", 1, &along);
  text_string(writer->text, ", index_vector_dim=1");
  scope_write_sizes(writer->text, "slice_sizes", in->rank, slice.sizes);
  scope_write_end(writer);
  return true;
}
