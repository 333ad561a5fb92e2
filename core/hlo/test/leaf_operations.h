/* Test support: small operations with several operands or results. What they read is found by
 * running them on sets of elements instead of numbers. Each judge's own tests compare the judge
 * with these sets. */
#ifndef CORE_HLO_TEST_LEAF_OPERATIONS_H
#define CORE_HLO_TEST_LEAF_OPERATIONS_H

#include "core/hlo/test/leaf_bitcast.h"

/* ---- batch normalization ---- */

/* The sum of one feature's elements. */
static LeafSet feature_sum(LeafShape shape, uint32_t dimension, uint32_t slot, int64_t feature) {
  LeafSet sum = {};
  for (uint32_t i = 0; i < leaf_count(shape); i++) {
    int64_t at[leaf_rank];
    leaf_at(shape, i, at);
    if (at[dimension] == feature) sum = joined_sets(sum, one_element(slot, i));
  }
  return sum;
}

static void draw_batch_norm(LeafReads *reads) {
  static const char *const names[] = {"training", "inference", "grad"};
  LeafShape x = draw_leaf_shape(reads, 1, 3);
  uint32_t kind = leaf_below(reads, 3), dimension = leaf_below(reads, x.rank);
  LeafShape vector = {.rank = 1, .sizes = {x.sizes[dimension]}};
  (void)add_leaf_operand(reads, "f32", x);
  for (uint32_t i = 0; i < (kind == 0 ? 2 : kind == 1 ? 4 : 3); i++)
    (void)add_leaf_operand(reads, "f32", vector);
  if (kind == 2) (void)add_leaf_operand(reads, "f32", x);
  LeafSet *of_x = add_leaf_result(reads, x), *first = nullptr, *second = nullptr;
  if (kind != 1) first = add_leaf_result(reads, vector), second = add_leaf_result(reads, vector);
  for (uint32_t i = 0; i < leaf_count(x); i++) {
    int64_t at[leaf_rank];
    leaf_at(x, i, at);
    uint32_t feature = (uint32_t)at[dimension];
    LeafSet mean = feature_sum(x, dimension, 0, feature), slope = {};
    LeafSet deviation = joined_sets(one_element(0, i), mean);
    if (kind == 0) {
      LeafSet variance = joined_sets(deviation, mean);
      first[feature] = mean;
      second[feature] = joined_sets(second[feature], variance);
      of_x[i] = joined_sets(joined_sets(deviation, variance),
          joined_sets(one_element(1, feature), one_element(2, feature)));
    } else if (kind == 1) {
      of_x[i] = one_element(0, i);
      for (uint32_t k = 1; k < 5; k++) of_x[i] = joined_sets(of_x[i], one_element(k, feature));
    } else {
      slope = joined_sets(one_element(2, feature), one_element(3, feature));
      LeafSet of_offset = feature_sum(x, dimension, 4, feature);
      LeafSet of_scale = joined_sets(joined_sets(of_offset, mean), slope);
      of_x[i] = joined_sets(joined_sets(of_scale, of_offset), one_element(1, feature));
      first[feature] = of_scale;
      second[feature] = of_offset;
    }
  }
  const char *whole = leaf_text(reads->arena, "f32", x),
             *part = leaf_text(reads->arena, "f32", vector);
  Text root = text_create(reads->arena);
  if (kind == 1) text_string(&root, whole);
  else text_printf(&root, "(%s, %s, %s)", whole, part, part);
  text_printf(&root, " batch-norm-%s(p0, p1, p2", names[kind]);
  if (kind != 0) text_string(&root, ", p3, p4");
  text_printf(&root, "), epsilon=0.001, feature_index=%u", dimension);
  reads->root = root.bytes;
}

/* ---- scans ---- */

/* A step adds everything that it is given, for each of its results. */
static const char *scan_step(
    LeafReads *reads, const char *slice, uint32_t operands, uint32_t results) {
  Text text = text_create(reads->arena);
  text_string(&text, "step {\n");
  for (uint32_t i = 0; i < operands; i++)
    text_printf(&text, "x%u = %s parameter(%u)\n", i, slice, i);
  text_printf(&text, "s0 = %s add(x0, x%u)\n", slice, operands - 1);
  for (uint32_t i = 1; i < operands; i++)
    text_printf(&text, "s%u = %s add(s%u, x%u)\n", i, slice, i - 1, i);
  text_string(&text, "ROOT t = (");
  for (uint32_t i = 0; i < results; i++) text_printf(&text, "%s%s", i == 0 ? "" : ", ", slice);
  text_string(&text, ") tuple(");
  for (uint32_t i = 0; i < results; i++)
    text_printf(&text, "%ss%u", i == 0 ? "" : ", ", operands - 1);
  text_string(&text, ")\n}\n");
  return text.bytes;
}

static void draw_scan(LeafReads *reads) {
  LeafShape x = draw_leaf_shape(reads, 1, 3);
  uint32_t inputs = 1 + leaf_below(reads, 2), carries = 1 + leaf_below(reads, 2),
           outputs = leaf_below(reads, 3), dimension = leaf_below(reads, x.rank);
  bool is_reversed = leaf_below(reads, 2) == 0;
  LeafShape slice = without_dimension(x, dimension);
  for (uint32_t i = 0; i < inputs; i++) (void)add_leaf_operand(reads, "f32", x);
  for (uint32_t i = 0; i < carries; i++) (void)add_leaf_operand(reads, "f32", slice);
  LeafSet *made[leaf_results];
  for (uint32_t i = 0; i < outputs; i++) made[i] = add_leaf_result(reads, x);
  for (uint32_t i = 0; i < carries; i++) made[outputs + i] = add_leaf_result(reads, slice);
  for (uint32_t line = 0; line < leaf_count(slice); line++) {
    int64_t at[leaf_rank] = {}, slice_at[leaf_rank] = {};
    leaf_at(slice, line, slice_at);
    LeafSet sum = {};
    for (uint32_t i = 0; i < carries; i++) sum = joined_sets(sum, one_element(inputs + i, line));
    for (int64_t step = 0; step < x.sizes[dimension]; step++) {
      for (uint32_t i = 0, kept = 0; i < x.rank; i++)
        at[i] = i != dimension ? slice_at[kept++]
                : is_reversed  ? x.sizes[dimension] - 1 - step
                               : step;
      uint32_t element = leaf_number(x, at);
      for (uint32_t i = 0; i < inputs; i++) sum = joined_sets(sum, one_element(i, element));
      for (uint32_t i = 0; i < outputs; i++) made[i][element] = sum;
    }
    for (uint32_t i = 0; i < carries; i++) made[outputs + i][line] = sum;
  }
  const char *whole = leaf_text(reads->arena, "f32", x),
             *part = leaf_text(reads->arena, "f32", slice);
  reads->computations = scan_step(reads, part, inputs + carries, outputs + carries);
  Text root = text_create(reads->arena);
  for (uint32_t i = 0; i < outputs + carries; i++)
    text_printf(&root, "%s%s", i == 0 ? "(" : ", ", i < outputs ? whole : part);
  text_string(&root, ") scan(");
  for (uint32_t i = 0; i < inputs + carries; i++) text_printf(&root, i == 0 ? "p%u" : ", p%u", i);
  text_printf(&root, "), dimensions={%u}, num_carries=%u, to_apply=step%s", dimension, carries,
      is_reversed ? ", is_reverse=true" : "");
  reads->root = root.bytes;
}

/* ---- scalars beside arrays, and random numbers ---- */

static void draw_scalars(LeafReads *reads) {
  LeafShape x = draw_leaf_shape(reads, 0, 3), scalar = {};
  uint32_t kind = leaf_below(reads, 4);
  bool first = leaf_below(reads, 2) == 0, last = leaf_below(reads, 2) == 0;
  bool is_scalar[3] = {kind < 2 && first, false, kind == 1 && last};
  const char *type = kind == 0 ? "pred" : "f32",
             *words = kind == 0   ? "select(p0, p1, p2)"
                      : kind == 1 ? "clamp(p0, p1, p2)"
                      : kind == 2 ? "add(p0, p1)"
                                  : "rng(p0, p1), distribution=rng_uniform";
  uint32_t count = kind < 2 ? 3 : 2;
  for (uint32_t i = 0; i < count; i++)
    (void)add_leaf_operand(reads, i == 0 ? type : "f32", is_scalar[i] || kind == 3 ? scalar : x);
  LeafSet *made = add_leaf_result(reads, x);
  for (uint32_t element = 0; element < leaf_count(x); element++)
    for (uint32_t i = 0; i < count; i++)
      made[element] =
          joined_sets(made[element], one_element(i, is_scalar[i] || kind == 3 ? 0 : element));
  reads->root = arena_printf(reads->arena, "%s %s", leaf_text(reads->arena, "f32", x), words);
}

/* ---- tuples ---- */

/* Each result is one slot, element by element; without a slot it reads nothing. */
static void result_is_slot(LeafReads *reads, LeafShape shape, uint32_t slot) {
  LeafSet *made = add_leaf_result(reads, shape);
  for (uint32_t i = 0; slot < leaf_slots && i < leaf_count(shape); i++)
    made[i] = one_element(slot, i);
}

/* Two parameters: ((a, b), c) and d, each with its own shape. */
static const char *draw_nested(LeafReads *reads, const char *texts[4]) {
  for (uint32_t i = 0; i < 4; i++) {
    reads->slots[i].operand = i == 3;
    reads->slots[i].leaf = i % 3;
    reads->slots[i].shape = draw_leaf_shape(reads, 0, 3);
    texts[i] = leaf_text(reads->arena, "f32", reads->slots[i].shape);
  }
  reads->slot_count = 4;
  const char *nested = arena_printf(reads->arena, "((%s, %s), %s)", texts[0], texts[1], texts[2]);
  text_printf(&reads->parameters, "p0 = %s parameter(0)\np1 = %s parameter(1)\n", nested, texts[3]);
  return nested;
}

static void draw_tuple(LeafReads *reads) {
  const char *texts[4], *nested = draw_nested(reads, texts);
  uint32_t first = 0, end = 4;
  switch (leaf_below(reads, 4)) {
    case 0:
      reads->root = arena_printf(reads->arena, "(%s, %s) tuple(p0, p1)", nested, texts[3]);
      break;
    case 1:
      reads->root =
          arena_printf(reads->arena, "(%s, %s) get-tuple-element(p0), index=0", texts[0], texts[1]);
      end = 2;
      break;
    case 2:
      reads->root = arena_printf(reads->arena, "%s get-tuple-element(p0), index=1", texts[2]);
      first = 2;
      end = 3;
      break;
    case 3:
      reads->root = arena_printf(reads->arena, "%s opt-barrier(p0)", nested);
      end = 3;
      break;
    default: fail();
  }
  if (end < 4) reads->slot_count = 3; /* p1 is no operand */
  for (uint32_t i = first; i < end; i++) result_is_slot(reads, reads->slots[i].shape, i);
}

/* The copy, its source, and a context that reads nothing. */
static void draw_copy(LeafReads *reads) {
  LeafShape x = draw_leaf_shape(reads, 0, 3), context = {};
  const char *text = leaf_text(reads->arena, "f32", x);
  (void)add_leaf_operand(reads, "f32", x);
  result_is_slot(reads, x, 0);
  result_is_slot(reads, x, 0);
  result_is_slot(reads, context, leaf_slots);
  reads->root = arena_printf(reads->arena, "(%s, %s, u32[]) copy-start(p0)", text, text);
}

/* ---- collectives ---- */

typedef enum LeafCollective : uint8_t {
  LEAF_ALL_REDUCE,
  LEAF_ALL_GATHER,
  LEAF_ALL_GATHER_START,
  LEAF_REDUCE_SCATTER,
  LEAF_ALL_TO_ALL,
  LEAF_ALL_TO_ALL_OF_SEVERAL,
  LEAF_BROADCAST,
  LEAF_PERMUTE,
  LEAF_PERMUTE_START,
  LEAF_COLLECTIVES
} LeafCollective;

static const char *const leaf_collectives[LEAF_COLLECTIVES] = {"all-reduce", "all-gather",
    "all-gather-start", "reduce-scatter", "all-to-all", "all-to-all", "collective-broadcast",
    "collective-permute", "collective-permute-start"};

/* Where an element arrives that one device sends to another: on any devices, so that devices are
 * left out of the sets. */
static void send_leaf(LeafCollective kind, LeafShape in, LeafShape out, uint32_t along,
    int64_t members, uint32_t slot, uint32_t element, LeafSet *made) {
  int64_t at[leaf_rank] = {}, part = in.sizes[along] / members, place;
  leaf_at(in, element, at);
  place = at[along];
  for (int64_t from = 0; from < members; from++)
    for (int64_t to = 0; to < members; to++) {
      bool is_sent = true;
      at[along] = place;
      if (kind == LEAF_ALL_GATHER || kind == LEAF_ALL_GATHER_START)
        at[along] = from * in.sizes[along] + place;
      if (kind == LEAF_REDUCE_SCATTER || kind == LEAF_ALL_TO_ALL) {
        is_sent = place / part == to;
        at[along] = place % part + (kind == LEAF_ALL_TO_ALL ? from * part : 0);
      }
      if (!is_sent) continue;
      uint32_t number = leaf_number(out, at);
      made[number] = joined_sets(made[number], one_element(slot, element));
    }
}

/* Operands of one collective may differ in their sizes, but those of an exchange. */
static void draw_collective_shapes(LeafReads *reads, LeafCollective kind, uint32_t rank,
    uint32_t along, int64_t members, LeafShape *in, LeafShape *out) {
  *in = (LeafShape){.rank = rank};
  for (uint32_t i = 0; i < rank; i++) in->sizes[i] = 1 + leaf_below(reads, 2);
  if (kind == LEAF_ALL_TO_ALL) in->sizes[along] *= members;
  *out = *in;
  if (kind == LEAF_REDUCE_SCATTER) in->sizes[along] *= members;
  if (kind == LEAF_ALL_GATHER || kind == LEAF_ALL_GATHER_START) out->sizes[along] *= members;
}

static void print_leaf_shapes(
    LeafReads *reads, Text *text, uint32_t count, const LeafShape *shapes, bool is_tuple) {
  text_string(text, is_tuple ? "(" : "");
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "%s%s", i == 0 ? "" : ", ", leaf_text(reads->arena, "f32", shapes[i]));
  text_string(text, is_tuple ? ")" : "");
}

static void print_members(Text *root, int64_t members, bool is_permute) {
  text_string(root, is_permute ? ", source_target_pairs={" : ", replica_groups={{");
  for (int64_t i = 0; !is_permute && i < members; i++)
    text_printf(root, "%s%lld", i == 0 ? "" : ",", (long long)(members - 1 - i));
  for (int64_t i = 1; is_permute && i < members; i++)
    text_printf(root, "%s{%lld,%lld}", i == 1 ? "" : ",", (long long)i, (long long)i - 1);
  text_string(root, is_permute ? "}" : "}}");
}

static void draw_collective(LeafReads *reads) {
  LeafCollective kind = (LeafCollective)leaf_below(reads, LEAF_COLLECTIVES);
  LeafShape in[leaf_slots], out[leaf_slots];
  uint32_t rank = 1 + leaf_below(reads, leaf_rank), along = leaf_below(reads, rank),
           members = 1 + leaf_below(reads, 3);
  bool is_permute = kind == LEAF_PERMUTE || kind == LEAF_PERMUTE_START,
       is_start = kind == LEAF_ALL_GATHER_START || kind == LEAF_PERMUTE_START,
       is_exchange = kind == LEAF_ALL_TO_ALL_OF_SEVERAL, moves = !is_permute || members > 1,
       has_contexts = kind == LEAF_PERMUTE_START && leaf_below(reads, 2) == 0;
  uint32_t count = is_exchange                   ? members
                   : kind <= LEAF_REDUCE_SCATTER ? 1 + leaf_below(reads, 2)
                                                 : 1;
  for (uint32_t i = 0; i < count; i++) {
    draw_collective_shapes(reads, kind, rank, along, members, &in[i], &out[i]);
    if (is_exchange) in[i] = out[i] = in[0];
    (void)add_leaf_operand(reads, "f32", in[i]);
  }
  for (uint32_t i = 0; is_start && i < count; i++) result_is_slot(reads, in[i], i);
  for (uint32_t i = 0; i < count; i++) {
    LeafSet *made = add_leaf_result(reads, out[i]);
    for (uint32_t slot = 0; moves && slot < count; slot++)
      for (uint32_t k = 0; (is_exchange || slot == i) && k < leaf_count(in[slot]); k++)
        send_leaf(kind, in[slot], out[i], along, members, slot, k, made);
  }
  for (uint32_t i = 0; has_contexts && i < 2; i++) (void)add_leaf_result(reads, (LeafShape){});
  Text root = text_create(reads->arena);
  bool is_tuple = count > 1 || is_exchange;
  if (is_start) text_string(&root, "(");
  if (is_start) print_leaf_shapes(reads, &root, count, in, is_tuple);
  if (is_start) text_string(&root, ", ");
  print_leaf_shapes(reads, &root, count, out, is_tuple);
  if (has_contexts) text_string(&root, ", u32[], u32[]");
  text_printf(&root, "%s %s(", is_start ? ")" : "", leaf_collectives[kind]);
  for (uint32_t i = 0; i < count; i++) text_printf(&root, i == 0 ? "p%u" : ", p%u", i);
  text_string(&root, ")");
  if (kind >= LEAF_ALL_GATHER && kind <= LEAF_ALL_TO_ALL)
    text_printf(&root, ", dimensions={%u}", along);
  if (kind == LEAF_ALL_REDUCE || kind == LEAF_REDUCE_SCATTER) text_string(&root, ", to_apply=add");
  print_members(&root, members, is_permute);
  reads->computations =
      "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n";
  reads->root = root.bytes;
}

/* The second half of an operation in two halves: the results are leaves of the first half, after
 * the operands that it holds, or in their place. */
static void draw_done(LeafReads *reads) {
  static const char *const names[] = {"copy", "collective-permute", "all-gather", "all-reduce"};
  LeafShape x = draw_leaf_shape(reads, 1, 3), made = x, context = {};
  uint32_t kind = leaf_below(reads, 4), count = kind < 2 ? 1 : 1 + leaf_below(reads, 2);
  const char *whole = leaf_text(reads->arena, "f32", x), *part = whole, *attributes = "";
  if (kind == 1) attributes = ", source_target_pairs={{0,1}}";
  if (kind == 2) attributes = ", replica_groups={{0,1}}, dimensions={0}", made.sizes[0] *= 2;
  if (kind == 3) attributes = ", replica_groups={{0,1}}, to_apply=add";
  part = leaf_text(reads->arena, "f32", made);
  bool is_pair = count == 2;
  for (uint32_t i = 0; i < count; i++)
    text_printf(&reads->parameters, "p%u = %s parameter(%u)\n", i, whole, i);
  Text start = text_create(reads->arena), result = text_create(reads->arena);
  text_printf(&result, is_pair ? "(%s, %s)" : "%s", part, part);
  if (kind == 3) text_string(&start, result.bytes);
  else if (is_pair) text_printf(&start, "((%s, %s), %s)", whole, whole, result.bytes);
  else text_printf(&start, "(%s, %s%s)", whole, result.bytes, kind == 0 ? ", u32[]" : "");
  text_printf(&reads->parameters, "s = %s %s-start(%s)%s\n", start.bytes, names[kind],
      is_pair ? "p0, p1" : "p0", attributes);
  for (uint32_t i = 0; kind < 3 && i < count; i++) reads->slots[reads->slot_count++].shape = x;
  uint32_t first = kind == 0 ? 0 : reads->slot_count;
  for (uint32_t i = 0; i < count; i++) reads->slots[reads->slot_count++].shape = made;
  if (kind == 0) reads->slots[reads->slot_count++].shape = context;
  for (uint32_t i = 0; i < reads->slot_count; i++) reads->slots[i].leaf = i;
  for (uint32_t i = 0; i < count; i++) result_is_slot(reads, made, first + i);
  reads->computations =
      "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n";
  reads->root = arena_printf(reads->arena, "%s %s-done(s)", result.bytes, names[kind]);
}

/* ---- reshapes ---- */

static void draw_reshape(LeafReads *reads) {
  LeafShape from, to;
  do {
    from = draw_leaf_shape(reads, 0, 4);
    to = draw_leaf_shape(reads, 0, 4);
  } while (leaf_count(from) != leaf_count(to));
  (void)add_leaf_operand(reads, "f32", from);
  result_is_slot(reads, to, 0);
  reads->root = arena_printf(reads->arena, "%s reshape(p0)", leaf_text(reads->arena, "f32", to));
}

/* ---- whole lines ---- */

/* The largest elements of each last line, or a transform of the last dimensions. */
static void draw_lines(LeafReads *reads) {
  LeafShape x = draw_leaf_shape(reads, 1, 3), made = x;
  uint32_t lines = 1 + leaf_below(reads, x.rank), last = x.rank - 1, kind = leaf_below(reads, 3);
  Text lengths = text_create(reads->arena);
  for (uint32_t i = x.rank - lines; i < x.rank; i++)
    text_printf(&lengths, "%s%lld", lengths.length == 0 ? "" : ",", (long long)x.sizes[i]);
  if (kind == 0) lines = 1, made.sizes[last] = 1 + leaf_below(reads, (uint32_t)x.sizes[last]);
  if (kind == 1) made.sizes[last] = x.sizes[last] / 2 + 1;
  (void)add_leaf_operand(reads, kind == 2 ? "c64" : "f32", x);
  for (uint32_t result = 0; result < (kind == 0 ? 2 : 1); result++) {
    LeafSet *set = add_leaf_result(reads, made);
    for (uint32_t i = 0; i < leaf_count(made); i++)
      for (uint32_t k = 0; k < leaf_count(x); k++) {
        int64_t to[leaf_rank] = {}, from[leaf_rank] = {};
        leaf_at(made, i, to);
        leaf_at(x, k, from);
        if (memcmp(to, from, (x.rank - lines) * sizeof *to) == 0)
          set[i] = joined_sets(set[i], one_element(0, k));
      }
  }
  const char *part = leaf_text(reads->arena, kind == 0 ? "f32" : "c64", made);
  reads->root = kind == 0
                    ? arena_printf(reads->arena, "(%s, %s) topk(p0), k=%lld, largest=true", part,
                          leaf_text(reads->arena, "s32", made), (long long)made.sizes[last])
                    : arena_printf(reads->arena, "%s fft(p0), fft_type=%s, fft_length={%s}", part,
                          kind == 1 ? "RFFT" : "FFT", lengths.bytes);
}

/* ---- numbers of another width ---- */

/* The parts of a number are the last dimension. */
static void draw_parts(LeafReads *reads) {
  LeafShape whole = draw_leaf_shape(reads, 0, 2), parts = whole;
  static const char *const types[] = {"s8", "s16", "s32"};
  uint32_t narrow = leaf_below(reads, 3), wide = leaf_below(reads, 3);
  bool is_joined = narrow < wide, is_same = narrow == wide;
  uint32_t count = is_same ? 1 : 1u << (is_joined ? wide - narrow : narrow - wide);
  if (whole.rank == leaf_rank) whole = parts = without_dimension(whole, 0);
  if (!is_same) parts.sizes[parts.rank++] = count;
  LeafShape from = is_joined ? parts : whole, to = is_joined ? whole : parts;
  (void)add_leaf_operand(reads, types[narrow], from);
  LeafSet *set = add_leaf_result(reads, to);
  for (uint32_t i = 0; i < leaf_count(whole); i++)
    for (uint32_t part = 0; part < count; part++) {
      uint32_t number = i * count + part;
      uint32_t read = is_joined ? number : i, made = is_joined ? i : number;
      set[made] = joined_sets(set[made], one_element(0, read));
    }
  reads->root = arena_printf(
      reads->arena, "%s bitcast-convert(p0)", leaf_text(reads->arena, types[wide], to));
}

/* ---- scaled contractions ---- */

/* A scale of each block of an array, or one scale. */
static LeafShape draw_scale(LeafReads *reads, LeafShape of) {
  LeafShape scale = {};
  if (leaf_below(reads, 4) == 0) return scale;
  scale.rank = of.rank;
  for (uint32_t i = 0; i < of.rank; i++) {
    do scale.sizes[i] = 1 + leaf_below(reads, (uint32_t)of.sizes[i]);
    while (of.sizes[i] % scale.sizes[i] != 0);
  }
  return scale;
}

/* The element and its scale. */
static LeafSet scaled_element(LeafShape of, LeafShape scale, uint32_t slot, const int64_t *at) {
  int64_t block[leaf_rank] = {};
  for (uint32_t i = 0; i < scale.rank; i++) block[i] = at[i] / (of.sizes[i] / scale.sizes[i]);
  return joined_sets(
      one_element(slot, leaf_number(of, at)), one_element(slot + 2, leaf_number(scale, block)));
}

/* Of matrices, or of batches of them; the contracted dimension is anywhere. */
static void draw_scaled_dot(LeafReads *reads) {
  int64_t rows = 1 + leaf_below(reads, 3), columns = 1 + leaf_below(reads, 3),
          depth = 1 + leaf_below(reads, 4), batches = 1 + leaf_below(reads, 2);
  bool has_batches = leaf_below(reads, 2) == 0, is_left_first = leaf_below(reads, 2) == 0,
       is_right_first = leaf_below(reads, 2) == 0;
  uint32_t first = has_batches ? 1 : 0;
  LeafShape left = {.rank = first + 2, .sizes = {batches}}, right = left, made = left;
  left.sizes[first + is_left_first] = rows, left.sizes[first + !is_left_first] = depth;
  right.sizes[first + is_right_first] = columns, right.sizes[first + !is_right_first] = depth;
  made.sizes[first] = rows, made.sizes[first + 1] = columns;
  LeafShape left_scale = draw_scale(reads, left), right_scale = draw_scale(reads, right);
  (void)add_leaf_operand(reads, "f8e4m3fn", left);
  (void)add_leaf_operand(reads, "f8e4m3fn", right);
  (void)add_leaf_operand(reads, "f8e8m0fnu", left_scale);
  (void)add_leaf_operand(reads, "f8e8m0fnu", right_scale);
  LeafSet *set = add_leaf_result(reads, made);
  for (uint32_t i = 0; i < leaf_count(made); i++)
    for (int64_t k = 0; k < depth; k++) {
      int64_t at[leaf_rank] = {}, x[leaf_rank] = {}, y[leaf_rank] = {};
      leaf_at(made, i, at);
      x[0] = y[0] = at[0]; /* overwritten without batches */
      x[first + is_left_first] = at[first], x[first + !is_left_first] = k;
      y[first + is_right_first] = at[first + 1], y[first + !is_right_first] = k;
      set[i] = joined_sets(set[i], joined_sets(scaled_element(left, left_scale, 0, x),
                                       scaled_element(right, right_scale, 1, y)));
    }
  const char *batch = has_batches ? ", lhs_batch_dims={0}, rhs_batch_dims={0}" : "";
  reads->root = arena_printf(reads->arena,
      "%s scaled-dot(p0, p1, p2, p3)%s, lhs_contracting_dims={%u}, rhs_contracting_dims={%u}",
      leaf_text(reads->arena, "f32", made), batch, first + !is_left_first, first + !is_right_first);
}

/* ---- the module ---- */

[[maybe_unused]] static DrawLeafReads *const leaf_operations[] = {draw_batch_norm, draw_scan,
    draw_scalars, draw_tuple, draw_copy, draw_collective, draw_done, draw_reshape, draw_lines,
    draw_parts, draw_scaled_dot, draw_bitcast};

static const char *leaf_module(LeafReads *reads, DrawLeafReads *draw) {
  reads->parameters = text_create(reads->arena);
  reads->computations = "";
  draw(reads);
  return arena_printf(reads->arena, "HloModule m\n%sENTRY e {\n%sROOT r = %s\n}\n",
      reads->computations, reads->parameters.bytes, reads->root);
}

#endif
