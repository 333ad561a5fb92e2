/* Indices that are known because their arithmetic can be folded: eight that count up from a number,
 * of four types, after one operation with a second number, or chosen by a comparison with it. They
 * are moved so that every value from -128 to 127 leads to a row of its own. At an array of size n
 * the larger of both numbers is n or -n; of size 1, both may be 0. p0 stays unread. */
#include <assert.h>
#include <stdio.h>

#include "exhaust/scopes/scope_operation.h"

static const struct {
  const char *name;
  uint32_t bits;
  bool is_signed;
} types[] = {{"s8", 8, true}, {"u8", 8, false}, {"s32", 32, true}, {"s64", 64, true}};
static constexpr uint32_t type_count = sizeof types / sizeof *types;

/* X are the indices that count up, K is the number. */
static const char *const forms[] = {"add(X, K)", "subtract(X, K)", "subtract(K, X)",
    "multiply(X, K)", "divide(X, K)", "divide(K, X)", "remainder(X, K)", "remainder(K, X)",
    "maximum(X, K)", "minimum(X, K)", "and(X, K)", "shift-left(X, K)",
    "shift-right-arithmetic(X, K)", "shift-right-logical(X, K)", "negate(X)", "abs(X)"};
static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
static constexpr uint32_t form_count = sizeof forms / sizeof *forms,
                          direction_count = sizeof directions / sizeof *directions;
static constexpr uint64_t most_number = 16;

/* On the edge of a square about 0. */
static uint64_t pairs_of(uint64_t n) { return n == 1 ? 9 : 8 * n; }

static void pair_at(int n, uint64_t k, int *first, int *second) {
  int side = (int)k / (2 * n), along = (int)k % (2 * n) - n;
  *first = side == 0 ? -n : side == 1 ? along : side == 2 ? n : side == 3 ? -along : 0;
  *second = side == 0 ? along : side == 1 ? n : side == 2 ? -along : side == 3 ? -n : 0;
}

static void write_number(ScopeWriter *writer, uint32_t type, const char *name, int number) {
  const char *t = types[type].name;
  int written = types[type].is_signed || number >= 0 ? number : number + (1 << types[type].bits);
  text_printf(writer->text,
      "  %s0 = %s[] constant(%d)\n  %s = %s[8] broadcast(%s0), dimensions={}\n", name, t, written,
      name, t, name);
}

/* The form with x and k for its letters. */
static void write_form(ScopeWriter *writer, uint32_t type, const char *form) {
  text_printf(writer->text, "  r = %s[8] ", types[type].name);
  for (const char *at = form; *at != 0; at++)
    text_printf(writer->text, "%c", *at == 'X' ? 'x' : *at == 'K' ? 'k' : *at);
  text_string(writer->text, "\n");
}

/* Where it holds what they count up by, else the number: not what was compared, which is equal
 * where bounds touch. */
static void write_chosen(ScopeWriter *writer, uint32_t type, const char *direction) {
  text_printf(writer->text,
      "  p = pred[8] compare(x, k), direction=%s\n  r = %s[8] select(p, i, k)\n", direction,
      types[type].name);
}

bool scope_folded_indices(OperationCase *at_hand, ScopeWriter *writer) {
  uint64_t n = at_hand->in.rank == 1 ? (uint64_t)at_hand->in.sizes[0] : 0;
  if (n == 0 || n > most_number) return false;
  uint32_t type = (uint32_t)choose(at_hand->choices, type_count),
           form = (uint32_t)choose(at_hand->choices, form_count + direction_count);
  int from, number;
  pair_at((int)n, choose(at_hand->choices, pairs_of(n)), &from, &number);
  at_hand->out = (Tensor){.rank = 2, .sizes = {8, 1}};
  if (writer == nullptr) return true;
  uint32_t array = scope_write_parameter(writer, "f32", &(Tensor){.rank = 1, .sizes = {256}});
  text_printf(writer->text, "  i = %s[8] iota(), iota_dimension=0\n", types[type].name);
  write_number(writer, type, "t", from);
  text_printf(writer->text, "  x = %s[8] add(i, t)\n", types[type].name);
  write_number(writer, type, "k", number);
  if (form < form_count) write_form(writer, type, forms[form]);
  else write_chosen(writer, type, directions[form - form_count]);
  text_printf(writer->text,
      "  s = s32[8] convert(r)\n  h0 = s32[] constant(%d)\n  h = s32[8] broadcast(h0), dimensions={}\n  m = s32[8] add(s, h)\n  o = s32[8,1] reshape(m)\n",
      types[type].is_signed ? 128 : 0);
  snprintf(writer->at_hand, sizeof writer->at_hand, "p%u", array);
  scope_write_begin(writer, &at_hand->out, "gather");
  text_string(writer->text,
      ", o), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}");
  scope_write_end(writer);
  return true;
}
