/* Pairs of graphs, for the judges of values: every pair of chains of two operations on one start
 * shape whose results agree in shape. Both graphs have the parameters p0 and p1 of the start shape
 * and the offset p2. A case is its sequence of choices (generate/choices): the start shape, then
 * form and way of each operation.
 * The two judges must not contradict each other, and graphs that either of them calls the same have
 * equal values under three assignments of distinct integers. These values are computed here, form
 * by form, by nobody else's semantics. */
#include <assert.h>
#include <string.h>

#include "core/hlo/read/read.h"
#include "exhaust/exhaust_case.h"
#include "judge/graphs/equiv_values.h"

enum : uint32_t { most_rank = 3, most_elements = 96, assignments = 3 };

typedef struct Array {
  uint32_t rank;
  int64_t sizes[most_rank];
  int64_t values[assignments][most_elements];
} Array;

typedef struct Chain {
  Text *text;         /* null: values alone */
  const Array *start; /* of p1 */
  Array value;
  char name[16];
  uint32_t made;
  Choices *choices;
  bool is_illegal;
} Chain;

typedef struct PairMaker {
  uint32_t forms, starts; /* the first so many */
  Text *text;
  Array results[2];
  bool is_illegal;
} PairMaker;

static int64_t array_elements(const Array *array) {
  int64_t count = 1;
  for (uint32_t i = 0; i < array->rank; i++) count *= array->sizes[i];
  return count;
}

static void array_shape(Text *text, const char *type, const Array *array) {
  text_printf(text, "%s[", type);
  for (uint32_t i = 0; i < array->rank; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : ",", (long long)array->sizes[i]);
  text_string(text, "]");
}

static bool array_same_shape(const Array *a, const Array *b) {
  return a->rank == b->rank && memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0;
}

static void index_of(const Array *array, int64_t at, int64_t *index) {
  for (uint32_t i = array->rank; i-- > 0;) {
    index[i] = at % array->sizes[i];
    at /= array->sizes[i];
  }
}

static int64_t place_of(const Array *array, const int64_t *index) {
  int64_t at = 0;
  for (uint32_t i = 0; i < array->rank; i++) at = at * array->sizes[i] + index[i];
  return at;
}

/* Distinct integers, other ones in each assignment. */
static int64_t assigned(uint32_t assignment, uint32_t parameter, int64_t at) {
  static const int64_t first[assignments] = {3, -40, 1000}, step[assignments] = {7, 11, -13};
  return first[assignment] + step[assignment] * (at + 37 * parameter);
}

static int64_t offset_of(uint32_t assignment) {
  static const int64_t offsets[assignments] = {0, 1, 9};
  return offsets[assignment];
}

static Array parameter_of(const Array *start, uint32_t number) {
  Array array = *start;
  for (uint32_t a = 0; a < assignments; a++)
    for (int64_t i = 0; i < array_elements(start); i++) array.values[a][i] = assigned(a, number, i);
  return array;
}

/* ---- forms: each takes the value at hand and leaves a new one ---- */

/* `vN = SHAPE WHAT`, and the new value's values as `element` gives them. */
typedef struct Made {
  Array out;
  const Array *in, *other;
  uint32_t dimension, way, assignment;
  char from[16]; /* the name of `in` */
} Made;
typedef int64_t Element(const Made *made, int64_t *index);

[[gnu::format(printf, 4, 5)]] static void chain_make(
    Chain *chain, Made *made, Element *element, const char *format, ...) {
  char words[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  int64_t index[most_rank];
  assert(array_elements(&made->out) <= most_elements);
  for (uint32_t a = 0; a < assignments; a++) {
    made->assignment = a;
    for (int64_t i = 0; i < array_elements(&made->out); i++) {
      index_of(&made->out, i, index);
      made->out.values[a][i] = element(made, index);
    }
  }
  snprintf(chain->name, sizeof chain->name, "v%u", ++chain->made);
  if (chain->text != nullptr) {
    text_printf(chain->text, "  %s%s = ", chain->made == 2 ? "ROOT " : "", chain->name);
    array_shape(chain->text, "f32", &made->out);
    text_printf(chain->text, " %s\n", words);
  }
  chain->value = made->out;
}

static Made made_like(const Chain *chain, const Array *in) {
  Made made = {.out = chain->value, .in = in};
  memcpy(made.from, chain->name, sizeof made.from);
  return made;
}

static bool choose_dimension(Chain *chain, uint32_t *dimension) {
  *dimension = 0;
  chain->is_illegal |= chain->value.rank == 0;
  if (chain->value.rank > 0) *dimension = (uint32_t)choose(chain->choices, chain->value.rank);
  return chain->value.rank > 0;
}

static int64_t element_negated(const Made *made, int64_t *index) {
  return -made->in->values[made->assignment][place_of(made->in, index)];
}

static void form_negate(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  chain_make(chain, &made, element_negated, "negate(%s)", made.from);
}

static int64_t element_combined(const Made *made, int64_t *index) {
  int64_t at = place_of(made->in, index), x = made->in->values[made->assignment][at],
          y = made->other->values[made->assignment][at];
  return made->way == 0 ? x - y : made->way == 1 ? y - x : x + y;
}

/* x - p1, p1 - x; x + p1, p1 + x. */
static void chain_combine(Chain *chain, bool is_sum) {
  if (!array_same_shape(&chain->value, chain->start)) {
    chain->is_illegal = true;
    return;
  }
  Array in = chain->value, other = parameter_of(chain->start, 1);
  Made made = made_like(chain, &in);
  uint32_t way = (uint32_t)choose(chain->choices, 2);
  made.other = &other;
  made.way = is_sum ? 2 : way;
  chain_make(chain, &made, element_combined, "%s(%s, %s)", is_sum ? "add" : "subtract",
      way == 0 ? made.from : "p1", way == 0 ? "p1" : made.from);
}

static void form_subtract(Chain *chain) { chain_combine(chain, false); }
static void form_add(Chain *chain) { chain_combine(chain, true); }

static int64_t element_moved(const Made *made, int64_t *index) {
  return made->in->values[made->assignment][place_of(made->in, index)];
}

static int64_t element_reversed(const Made *made, int64_t *index) {
  index[made->dimension] = made->in->sizes[made->dimension] - 1 - index[made->dimension];
  return element_moved(made, index);
}

static void form_reverse(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  if (!choose_dimension(chain, &made.dimension)) return;
  chain_make(
      chain, &made, element_reversed, "reverse(%s), dimensions={%u}", made.from, made.dimension);
}

static int64_t element_sliced(const Made *made, int64_t *index) {
  index[made->dimension] += made->way;
  return element_moved(made, index);
}

static void slice_words(const Made *made, size_t capacity, char text[]) {
  size_t length = 0;
  for (uint32_t i = 0; i < made->in->rank; i++) {
    int64_t first = i == made->dimension ? made->way : 0;
    length += (size_t)snprintf(text + length, capacity - length, "%s[%lld:%lld]",
        i == 0 ? "" : ", ", (long long)first, (long long)(first + made->out.sizes[i]));
  }
}

/* All but the last or the first element of a dimension. */
static void form_slice(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  char text[80];
  if (!choose_dimension(chain, &made.dimension)) return;
  made.way = (uint32_t)choose(chain->choices, 2);
  chain->is_illegal |= in.sizes[made.dimension] < 2;
  if (chain->is_illegal) return;
  made.out.sizes[made.dimension]--;
  slice_words(&made, sizeof text, text);
  chain_make(chain, &made, element_sliced, "slice(%s), slice={%s}", made.from, text);
}

static int64_t element_joined(const Made *made, int64_t *index) {
  int64_t size = made->in->sizes[0];
  bool is_second = index[0] >= size;
  const Array *from = is_second == (made->way == 2) ? made->in : made->other;
  if (made->way == 0) from = made->in;
  index[0] -= is_second ? size : 0;
  return from->values[made->assignment][place_of(made->in, index)];
}

/* With itself, with p1 after it, with p1 before it. */
static void form_concatenate(Chain *chain) {
  Array in = chain->value, other = parameter_of(chain->start, 1);
  Made made = made_like(chain, &in);
  chain->is_illegal |= in.rank == 0 || array_elements(&in) > most_elements / 2;
  made.way = (uint32_t)choose(chain->choices, 3);
  chain->is_illegal |= made.way > 0 && !array_same_shape(&in, chain->start);
  if (chain->is_illegal) return;
  made.other = &other;
  made.out.sizes[0] *= 2;
  chain_make(chain, &made, element_joined, "concatenate(%s, %s), dimensions={0}",
      made.way == 2 ? "p1" : made.from, made.way == 1 ? "p1" : made.from);
}

static int64_t element_reduced(const Made *made, int64_t *index) {
  int64_t inner[most_rank] = {}, total = made->way == 0 ? 0 : INT64_MIN;
  for (uint32_t i = 0; i < made->in->rank; i++)
    if (i != made->dimension) inner[i] = index[i < made->dimension ? i : i - 1];
  for (int64_t r = 0; r < made->in->sizes[made->dimension]; r++) {
    inner[made->dimension] = r;
    int64_t value = made->in->values[made->assignment][place_of(made->in, inner)];
    if (made->way == 0) total += value;
    else if (value > total) total = value;
  }
  return total;
}

static void chain_reduce(Chain *chain, uint32_t way) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  made.way = way;
  if (!choose_dimension(chain, &made.dimension)) return;
  made.out.rank--;
  for (uint32_t i = made.dimension; i < made.out.rank; i++) made.out.sizes[i] = in.sizes[i + 1];
  chain_make(chain, &made, element_reduced, "reduce(%s, %s), dimensions={%u}, to_apply=%s",
      made.from, way == 0 ? "zero" : "least", made.dimension, way == 0 ? "sum" : "largest");
}

static void form_sum(Chain *chain) { chain_reduce(chain, 0); }
static void form_maximum(Chain *chain) { chain_reduce(chain, 1); }

static int64_t element_padded(const Made *made, int64_t *index) {
  index[made->dimension] -= made->way == 0;
  bool is_inside =
      index[made->dimension] >= 0 && index[made->dimension] < made->in->sizes[made->dimension];
  return is_inside ? element_moved(made, index) : 0;
}

/* A zero in front of a dimension or after it. */
static void form_pad(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  char text[64];
  size_t length = 0;
  if (!choose_dimension(chain, &made.dimension)) return;
  made.way = (uint32_t)choose(chain->choices, 2);
  made.out.sizes[made.dimension]++;
  for (uint32_t i = 0; i < in.rank; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%d_%d", i == 0 ? "" : "x",
        i == made.dimension && made.way == 0, i == made.dimension && made.way == 1);
  chain_make(chain, &made, element_padded, "pad(%s, zero), padding=%s", made.from, text);
}

static int64_t element_spread(const Made *made, int64_t *index) {
  return element_moved(made, made->way == 0 ? index + 1 : index);
}

/* A new dimension of 2 in front or after. */
static void form_broadcast(Chain *chain) {
  static const char *const dimensions[2][3] = {{"", "1", "1,2"}, {"", "0", "0,1"}};
  Array in = chain->value;
  Made made = made_like(chain, &in);
  made.way = (uint32_t)choose(chain->choices, 2);
  chain->is_illegal |= in.rank == most_rank || array_elements(&in) > most_elements / 2;
  if (chain->is_illegal) return;
  for (uint32_t i = 0; i < in.rank; i++) made.out.sizes[made.way == 0 ? i + 1 : i] = in.sizes[i];
  made.out.sizes[made.way == 0 ? 0 : in.rank] = 2;
  made.out.rank++;
  chain_make(chain, &made, element_spread, "broadcast(%s), dimensions={%s}", made.from,
      dimensions[made.way][in.rank]);
}

static int64_t element_transposed(const Made *made, int64_t *index) {
  int64_t first = index[0];
  index[0] = index[1];
  index[1] = first;
  return element_moved(made, index);
}

static void form_transpose(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  chain->is_illegal |= in.rank < 2;
  if (chain->is_illegal) return;
  made.out.sizes[0] = in.sizes[1];
  made.out.sizes[1] = in.sizes[0];
  chain_make(chain, &made, element_transposed, "transpose(%s), dimensions={1,0%s}", made.from,
      in.rank == 3 ? ",2" : "");
}

static int64_t element_reshaped(const Made *made, int64_t *index) {
  return made->in->values[made->assignment][place_of(&made->out, index)];
}

/* All in one dimension, or a last one of size 1 more. */
static void form_reshape(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  bool is_longer = choose(chain->choices, 2) == 1;
  chain->is_illegal |= is_longer ? in.rank == most_rank : in.rank < 2;
  if (chain->is_illegal) return;
  if (is_longer) made.out.sizes[made.out.rank++] = 1;
  else made.out = (Array){.rank = 1, .sizes = {array_elements(&in)}};
  chain_make(chain, &made, element_reshaped, "reshape(%s)", made.from);
}

static int64_t element_at_offset(const Made *made, int64_t *index) {
  int64_t offset = offset_of(made->assignment), most = made->in->sizes[0] - made->out.sizes[0];
  index[0] += offset > most ? most : offset;
  return element_moved(made, index);
}

/* One element less of the first dimension, from p2 on. */
static void form_dynamic_slice(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  char sizes[40];
  size_t length = 0;
  chain->is_illegal |= in.rank == 0 || in.sizes[0] < 2;
  if (chain->is_illegal) return;
  made.out.sizes[0]--;
  for (uint32_t i = 0; i < in.rank; i++)
    length += (size_t)snprintf(sizes + length, sizeof sizes - length, "%s%lld", i == 0 ? "" : ",",
        (long long)made.out.sizes[i]);
  chain_make(chain, &made, element_at_offset, "dynamic-slice(%s, p2%s%s), dynamic_slice_sizes={%s}",
      made.from, in.rank > 1 ? ", none" : "", in.rank > 2 ? ", none" : "", sizes);
}

static int64_t element_contracted(const Made *made, int64_t *index) {
  int64_t total = 0;
  (void)index;
  for (int64_t i = 0; i < made->in->sizes[0]; i++) {
    const int64_t *x = made->in->values[made->assignment],
                  *y = made->other->values[made->assignment];
    total += x[i] * y[i];
  }
  return total;
}

/* With p1 along the only dimension. */
static void form_dot(Chain *chain) {
  Array in = chain->value, other = parameter_of(chain->start, 1);
  Made made = made_like(chain, &in);
  bool is_second = choose_bool(chain->choices);
  chain->is_illegal |= in.rank != 1 || !array_same_shape(&in, chain->start);
  if (chain->is_illegal) return;
  made.other = &other;
  made.out.rank = 0;
  chain_make(chain, &made, element_contracted,
      "dot(%s, %s), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
      is_second ? "p1" : made.from, is_second ? made.from : "p1");
}

static int64_t element_windowed(const Made *made, int64_t *index) {
  int64_t first = element_moved(made, index);
  index[0]++;
  return first + element_moved(made, index);
}

/* Sums of two neighbours along the first dimension. */
static void form_window(Chain *chain) {
  Array in = chain->value;
  Made made = made_like(chain, &in);
  chain->is_illegal |= in.rank == 0 || in.sizes[0] < 2;
  if (chain->is_illegal) return;
  made.out.sizes[0]--;
  chain_make(chain, &made, element_windowed,
      "reduce-window(%s, zero), window={size=2%s}, to_apply=sum", made.from,
      in.rank == 1   ? ""
      : in.rank == 2 ? "x1"
                     : "x1x1");
}

static const struct {
  const char *words;
  void (*make)(Chain *chain);
} forms[] = {{"negate", form_negate}, {"x - p1, p1 - x", form_subtract},
    {"reverse of a dimension", form_reverse}, {"slice without the last or first place", form_slice},
    {"concatenate with itself, p1 after, p1 before", form_concatenate},
    {"sum over a dimension", form_sum}, {"pad with a zero in front or after", form_pad},
    {"transpose of the first two dimensions", form_transpose},
    {"broadcast to a new dimension of 2, first or last", form_broadcast},
    {"reshape to one dimension, or to one more of size 1", form_reshape},
    {"dynamic-slice from p2 on", form_dynamic_slice}, {"x + p1, p1 + x", form_add},
    {"dot with p1, either way round", form_dot}, {"maximum over a dimension", form_maximum},
    {"window of two places", form_window}};
static const Array starts[] = {{.rank = 1, .sizes = {2}}, {.rank = 2, .sizes = {2, 2}},
    {.rank = 1, .sizes = {3}}, {.rank = 2, .sizes = {1, 3}}, {.rank = 2, .sizes = {3, 2}}};

/* ---- cases ---- */

static uint64_t shape_word(const Array *array) {
  uint64_t word = array->rank;
  for (uint32_t i = 0; i < array->rank; i++) word = word << 16 | (uint64_t)array->sizes[i];
  return word;
}

static void join_chain(const Chain *chain, const PairMaker *maker, uint32_t side) {
  ChoiceKey key = {};
  choice_key_add(&key, 0x6772617068730000);
  choice_key_add(&key, maker->forms | (uint64_t)side << 32 | (uint64_t)chain->made << 40);
  choice_key_add(&key, shape_word(chain->start));
  choice_key_add(&key, shape_word(&chain->value));
  choice_key_add(&key, side == 0 ? 0 : shape_word(&maker->results[0]));
  choices_join(chain->choices, &key);
}

static void begin_text(Text *text, const Array *start, uint32_t side) {
  text_printf(text,
      "HloModule %s\n\nsum {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}\n\n"
      "largest {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] maximum(x, y)\n}\n\nENTRY e {\n",
      side == 0 ? "before" : "after");
  for (uint32_t i = 0; i < 2; i++) {
    text_printf(text, "  p%u = ", i);
    array_shape(text, "f32", start);
    text_printf(text, " parameter(%u)\n", i);
  }
  text_string(text,
      "  p2 = s32[] parameter(2)\n  none = s32[] constant(0)\n  zero = f32[] constant(0)\n  least = f32[] constant(-inf)\n");
}

/* The second chain ends in the shape of the first one. */
static void make_pair(void *generator, Choices *choices) {
  PairMaker *maker = generator;
  Array start = starts[choose(choices, maker->starts)];
  maker->is_illegal = false;
  for (uint32_t side = 0; side < 2 && !maker->is_illegal; side++) {
    Chain chain = {.text = maker->text, .start = &start, .choices = choices, .name = "p0"};
    chain.value = parameter_of(&start, 0);
    if (chain.text != nullptr) begin_text(chain.text, &start, side);
    for (uint32_t step = 0; step < 2 && !chain.is_illegal; step++) {
      join_chain(&chain, maker, side);
      forms[choose(choices, maker->forms)].make(&chain);
    }
    if (chain.text != nullptr) text_string(chain.text, "}\n\n");
    maker->results[side] = chain.value;
    maker->is_illegal = chain.is_illegal;
  }
  maker->is_illegal |= !array_same_shape(&maker->results[0], &maker->results[1]);
  if (maker->is_illegal) choices_reject(choices);
}

static PairMaker maker_of(const ScopePlan *plan) {
  assert(plan->limits.rank <= sizeof forms / sizeof *forms &&
         (uint64_t)plan->limits.elements <= sizeof starts / sizeof *starts);
  return (PairMaker){.forms = plan->limits.rank, .starts = (uint32_t)plan->limits.elements};
}

static ChoiceKey pair_key(const PairMaker *maker) {
  ChoiceKey key = {};
  choice_key_add(&key, 0x6772617068730001);
  choice_key_add(&key, maker->forms);
  choice_key_add(&key, maker->starts);
  return key;
}

uint64_t scope_graphs_count(ScopePlan *plan) {
  PairMaker maker = maker_of(plan);
  ChoiceKey key = pair_key(&maker);
  plan->limits.numbering = numbering_create(plan->arena);
  return numbering_count(plan->limits.numbering, &key, make_pair, &maker);
}

static void make_case(const ScopePlan *plan, uint64_t k, PairMaker *maker) {
  Sequence sequence;
  ChoiceKey key = pair_key(maker);
  numbering_at(plan->limits.numbering, &key, k, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  make_pair(maker, &given.choices);
  assert(!maker->is_illegal);
}

void scope_write_graphs(const ScopePlan *plan, uint64_t k, Text *text) {
  PairMaker maker = maker_of(plan);
  maker.text = text;
  make_case(plan, k, &maker);
}

void scope_write_graphs_words(Text *text) {
  text_string(text, "two of these, one after another, the first so many:");
  for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++)
    text_printf(text, "%s %s", i == 0 ? "" : ";", forms[i].words);
  text_string(text, "\n  on f32 of these shapes, the first so many:");
  for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    text_string(text, i == 0 ? " " : ", ");
    array_shape(text, "", &starts[i]);
  }
}

/* ---- judging ---- */

/* The first element that three assignments tell apart. */
static bool values_differ(const PairMaker *maker, uint32_t *assignment, int64_t *at) {
  for (*assignment = 0; *assignment < assignments; ++*assignment)
    for (*at = 0; *at < array_elements(&maker->results[0]); ++*at)
      if (maker->results[0].values[*assignment][*at] != maker->results[1].values[*assignment][*at])
        return true;
  return false;
}

static void values_judge_same(
    CaseRun *run, const EquivValuesVerdict *verdict, const PairMaker *maker) {
  uint32_t assignment;
  int64_t at;
  if (values_differ(maker, &assignment, &at))
    exhaust_fault(run, EXHAUST_contradicted,
        "%s says the same values, and element %lld is %lld before, %lld after, under assignment %u",
        verdict->judges, (long long)at, (long long)maker->results[0].values[assignment][at],
        (long long)maker->results[1].values[assignment][at], assignment);
  else exhaust_note(run, EXHAUST_algebra);
}

static void values_judge_pair(
    CaseRun *run, const EquivValuesVerdict *verdict, const PairMaker *maker) {
  if (verdict->is_disagreement) {
    exhaust_fault(run, EXHAUST_contradicted, "%s", verdict->reason);
    return;
  }
  switch (verdict->values.answer) {
    case VALUES_SAME: values_judge_same(run, verdict, maker); return;
    case VALUES_DIFFERENT: exhaust_note(run, EXHAUST_algebra); return;
    case VALUES_SAME_READS:
    case VALUES_FEWER_READS:
    case VALUES_TRIED:
    case VALUES_MORE_READS: exhaust_note(run, EXHAUST_alike); return;
    case VALUES_UNKNOWN: exhaust_fault(run, EXHAUST_not_judged, "%s", verdict->reason); return;
  }
}

static bool read_pair(CaseRun *run, const Module *modules[2], Error *error) {
  uint32_t count;
  Source *parts;
  Arena *arena = run->examiner->arena;
  if (!hlo_split(arena, &run->source, &count, &parts, error)) return false;
  assert(count == 2);
  return hlo_read(arena, &parts[0], &modules[0], error) &&
         hlo_read(arena, &parts[1], &modules[1], error);
}

void exhaust_two_graphs(CaseRun *run) {
  const Module *modules[2];
  Error error = {};
  EquivValues values;
  PairMaker maker = maker_of(run->examiner->plan);
  make_case(run->examiner->plan, run->examiner->number, &maker);
  if (!read_pair(run, modules, &error) ||
      !equiv_values_open(run->examiner->arena, modules[0], modules[1], nullptr,
          run->examiner->judge->smt, &values, &error)) {
    exhaust_fault(run, EXHAUST_unread, "%s", error.message);
    return;
  }
  EquivValuesVerdict *verdict = ARENA_NEW(run->examiner->arena, EquivValuesVerdict, 1);
  equiv_values_judge(&values, 0, verdict);
  values_judge_pair(run, verdict, &maker);
  if (verdict->values.answer == VALUES_SAME && verdict->proof.status != VERDICT_PROVED)
    exhaust_note(run, EXHAUST_alone);
  equiv_values_close(&values);
}
