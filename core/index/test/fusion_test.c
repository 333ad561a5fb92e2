/* Maps through computations: unions, tuples, runtime sources, projection, and a long chain of
 * diamonds. */

#include "core/base/clock.h"
#include "core/index/test/test_bench.h"

static void fusion_reads_one_input_twice(void **) {
  IndexFixture bench = bench_open(
      "f {\n p = f32[10,10] parameter(0)\n u = f32[3] parameter(1)\n t = f32[10,10] transpose(p), dimensions={1,0}\n"
      " ROOT a = f32[10,10] add(p, t)\n}\nENTRY e {\n x = f32[10,10] parameter(0)\n y = f32[3] parameter(1)\n"
      " ROOT r = f32[10,10] fusion(x, y), kind=kLoop, calls=f\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.count, 2);
  assert_string_equal(texts_of(&bench, &maps),
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9]\n"
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 9]");
  maps = query_of(&bench, root_of(&bench), false, 0, 1, 0);
  assert_int_equal(maps.count, 0);
  assert_int_equal(maps.claim, INDEX_EXACT);
  check_inverse(&bench, root_of(&bench), 0, 0, 0);
  bench_close(&bench);
}

/* The cached maps of the body were allocated after the mark: they must be computed again, because
 * the memory has been reused. */
static void a_rewind_forgets_what_was_remembered(void **) {
  IndexFixture bench = bench_open(
      "f {\n p = f32[5] parameter(0)\n q = f32[3] parameter(1)\n ROOT c = f32[8] concatenate(p, q), dimensions={0}\n}\n"
      "ENTRY e {\n x = f32[5] parameter(0)\n y = f32[3] parameter(1)\n ROOT r = f32[8] fusion(x, y), kind=kLoop, calls=f\n}",
      true);
  for (int forward = 0; forward < 2; forward++) {
    MapMark mark = map_context_mark(bench.context);
    MapSet maps = query_of(&bench, root_of(&bench), forward == 1, 0, 1, 0);
    const char *before = texts_of(&bench, &maps);
    assert_int_equal(maps.count, 1);
    map_context_rewind(bench.context, mark);
    for (int64_t i = 1; i < 100; i++) assert_non_null(map_identity(bench.context, 1, &i));
    maps = query_of(&bench, root_of(&bench), forward == 1, 0, 1, 0);
    assert_int_equal(maps.count, 1);
    assert_string_equal(texts_of(&bench, &maps), before);
  }
  bench_close(&bench);
}

/* The instructions `at` of the bodies share a name with each other or with the caller's: no two may
 * print alike. */
static void sources_of_one_name_are_distinguished(void **) {
  IndexFixture bench = bench_open(
      "one {\n x = s32[16] parameter(0)\n k = s32[] parameter(1)\n at = s32[] negate(k)\n lone = s32[] abs(k)\n"
      " u = s32[8] dynamic-slice(x, at), dynamic_slice_sizes={8}\n ROOT r = s32[4] dynamic-slice(u, lone), dynamic_slice_sizes={4}\n}\n"
      "two {\n x = s32[4] parameter(0)\n k = s32[] parameter(1)\n at = s32[] negate(k)\n"
      " ROOT r = s32[2] dynamic-slice(x, at), dynamic_slice_sizes={2}\n}\n"
      "mid {\n y = s32[16] parameter(0)\n m = s32[] parameter(1)\n f = s32[4] fusion(y, m), kind=kLoop, calls=one\n"
      " ROOT g = s32[2] fusion(f, m), kind=kLoop, calls=two\n}\n"
      "ENTRY e {\n a = s32[16] parameter(0)\n k = s32[] parameter(1)\n ROOT h = s32[2] fusion(a, k), kind=kLoop, calls=mid\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  const char *text = texts_of(&bench, &maps);
  assert_int_equal(maps.count, 1);
  assert_non_null(strstr(text, ": one/at; "));
  assert_non_null(strstr(text, ": two/at; "));
  assert_non_null(strstr(text, ": lone; "));
  bench_close(&bench);
}

static void sizes_of_one_do_not_keep_maps_apart(void **) {
  IndexFixture bench = bench_open(
      "f {\n p = f32[1,10] parameter(0)\n a = f32[10] reshape(p)\n b = f32[1,10] reshape(a)\n"
      " ROOT c = f32[1,10] add(p, b)\n}\n"
      "ENTRY e {\n x = f32[1,10] parameter(0)\n ROOT r = f32[1,10] fusion(x), kind=kLoop, calls=f\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(
      texts_of(&bench, &maps), "(d0, d1) -> (d0, d1), domain: d0 in [0, 0], d1 in [0, 9]");
  bench_close(&bench);
}

static void producers_are_listed_in_order(void **) {
  IndexFixture bench = bench_open(
      "p = f32[4,6] parameter(0)\nq = f32[9] parameter(1)\nn = f32[9] negate(q)\nt = f32[6,4] transpose(p), dimensions={1,0}\n"
      "r = f32[6,4] reverse(t), dimensions={0}\nROOT a = f32[6,4] add(t, r)",
      true);
  uint32_t count;
  const ProducerMaps *producers;
  Error error = {};
  assert_true(index_computation_by_producer(
      bench.indexer, bench.module->entry, 0, &count, &producers, &error));
  static const char *const names[] = {"p", "t", "r", "a"};
  static const uint32_t maps[] = {2, 2, 1, 1};
  assert_int_equal(count, 4);
  for (uint32_t i = 0; i < 4; i++) {
    assert_string_equal(producers[i].producer->name, names[i]);
    assert_int_equal(producers[i].maps.count, maps[i]);
  }
  assert_string_equal(texts_of(&bench, &producers[1].maps),
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 3]\n"
      "(d0, d1) -> (-d0 + 5, d1), domain: d0 in [0, 5], d1 in [0, 3]");
  assert_false(index_computation_by_producer(
      bench.indexer, bench.module->entry, 1, &count, &producers, &error));
  bench_close(&bench);
}

/* Maps flow only through leaves from which the other end is reached. */
static void leaves_in_between_connect_the_ends(void **) {
  static const bool connects[4][4] = {{0, 1, 0, 1}, {1}, {}, {0, 1, 1}};
  IndexFixture bench = bench_open(
      "p = (f32[4], f32[6], f32[4]) parameter(0)\nq = f32[4] parameter(1)\nc = f32[] constant(1)\n"
      "b = f32[4] broadcast(c), dimensions={}\nx = f32[4] get-tuple-element(p), index=0\n"
      "y = f32[6] get-tuple-element(p), index=1\nz = f32[4] get-tuple-element(p), index=2\n"
      "s = (f32[4], f32[4], u32[]) copy-start(x)\nd = f32[4] copy-done(s)\na = f32[4] add(b, d)\n"
      "h = f32[4] get-tuple-element(s), index=1\n"
      "t = (f32[6], f32[4]) tuple(y, a)\nu = (f32[4], (f32[6], f32[4])) tuple(b, t)\n"
      "o = (f32[4], (f32[6], f32[4])) opt-barrier(u)\n"
      "v = (f32[6], f32[4]) get-tuple-element(o), index=1\nw = f32[4] get-tuple-element(v), index=1\n"
      "k = f32[6] get-tuple-element(v), index=0\ne = f32[4] add(w, q)\n"
      "ROOT r = (f32[6], f32[4], f32[4], f32[4]) tuple(k, e, q, h)",
      true);
  for (uint32_t from = 0; from < 4; from++)
    for (uint32_t to = 0; to < 4; to++) {
      MapSet reads, reached;
      Error error = {};
      assert_true(index_computation_output_to_input(
          bench.indexer, bench.module->entry, to, from == 3, from % 3, &reads, &error));
      assert_true(index_computation_input_to_output(
          bench.indexer, bench.module->entry, from == 3, from % 3, to, &reached, &error));
      assert_int_equal(reads.count, connects[from][to]);
      assert_int_equal(reached.count, connects[from][to]);
    }
  bench_close(&bench);
}

static const ProducerMaps *producer_named(
    const ProducerMaps *producers, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(producers[i].producer->name, name) == 0) return &producers[i];
  fail_msg("no producer %s", name);
  return nullptr;
}

/* Two calls of one computation: an offset that it computes has a value in each, which one runtime
 * variable cannot name. An offset that is its parameter is two operands of the caller. */
static void producers_through_calls_keep_the_runs_apart(void **) {
#define CALLED(name, offset) \
  name " {\n x = f32[8] parameter(0)\n i = s32[] parameter(1)\n o = s32[] negate(i)\n" \
       " ROOT d = f32[2] dynamic-slice(x, " offset "), dynamic_slice_sizes={2}\n}\n"
#define SUM_OF(first, second) \
  "ENTRY e {\n x = f32[8] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n" \
  " a = f32[2] call(x, i), to_apply=" first "\n b = f32[2] call(x, j), to_apply=" second \
  "\n ROOT r = f32[2] add(a, b)\n}"
  static const struct {
    const char *lines;
    IndexClaim claim;
    uint32_t count;
    const char *names[2];
  } rows[] = {{CALLED("f", "o") SUM_OF("f", "f"), INDEX_OVER_APPROXIMATION, 1, {}},
      {CALLED("f", "i") SUM_OF("f", "f"), INDEX_EXACT, 2, {"j", "i"}},
      {CALLED("f", "o") CALLED("g", "o") SUM_OF("f", "g"), INDEX_EXACT, 2, {"g/o", "f/o"}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    IndexFixture bench = bench_open(rows[i].lines, true);
    uint32_t count;
    const ProducerMaps *producers;
    Error error = {};
    assert_true(index_computation_by_producer(
        bench.indexer, bench.module->entry, 0, &count, &producers, &error));
    const MapSet *maps = &producer_named(producers, count, "x")->maps;
    assert_int_equal(maps->claim, rows[i].claim);
    assert_int_equal(maps->count, rows[i].count);
    for (uint32_t k = 0; k < maps->count; k++) {
      assert_int_equal(maps->maps[k]->runtime_count, rows[i].names[k] != nullptr);
      if (rows[i].names[k] != nullptr)
        assert_string_equal(maps->maps[k]->sources[0].name, rows[i].names[k]);
    }
    bench_close(&bench);
  }
}

static void fusion_of_a_part_keeps_the_part(void **) {
  IndexFixture bench = bench_open(
      "f {\n p = f32[5] parameter(0)\n q = f32[3] parameter(1)\n ROOT c = f32[8] concatenate(p, q), dimensions={0}\n}\n"
      "ENTRY e {\n x = f32[5] parameter(0)\n y = f32[3] parameter(1)\n"
      " ROOT r = f32[8] fusion(x, y), kind=kLoop, calls=f\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (d0), domain: d0 in [0, 4]");
  for (uint32_t k = 0; k < 2; k++) check_inverse(&bench, root_of(&bench), 0, k, 0);
  bench_close(&bench);
}

static void map_reads_what_its_body_reads(void **) {
  IndexFixture bench = bench_open(
      "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT n = f32[] negate(b)\n}\n"
      "ENTRY e {\n x = f32[5] parameter(0)\n y = f32[5] parameter(1)\n"
      " ROOT r = f32[5] map(x, y), dimensions={0}, to_apply=f\n}",
      true);
  assert_int_equal(query_of(&bench, root_of(&bench), false, 0, 0, 0).count, 0);
  assert_int_equal(query_of(&bench, root_of(&bench), false, 0, 1, 0).count, 1);
  for (uint32_t k = 0; k < 2; k++) check_inverse(&bench, root_of(&bench), 0, k, 0);
  bench_close(&bench);
}

static void fusion_with_tuples_keeps_positions(void **) {
  IndexFixture bench = bench_open(
      "f {\n p = (f32[4], (f32[2], f32[4])) parameter(0)\n a = f32[4] get-tuple-element(p), index=0\n"
      " b = (f32[2], f32[4]) get-tuple-element(p), index=1\n c = f32[4] get-tuple-element(b), index=1\n"
      " r = f32[4] reverse(c), dimensions={0}\n u = (f32[4]) tuple(a)\n ROOT t = ((f32[4]), f32[4]) tuple(u, r)\n}\n"
      "ENTRY e {\n x = (f32[4], (f32[2], f32[4])) parameter(0)\n"
      " ROOT r = ((f32[4]), f32[4]) fusion(x), kind=kLoop, calls=f\n}",
      true);
  const Instruction *root = root_of(&bench);
  uint32_t counts[2][3] = {{1, 0, 0}, {0, 0, 1}};
  for (uint32_t o = 0; o < 2; o++)
    for (uint32_t l = 0; l < 3; l++) {
      assert_int_equal(query_of(&bench, root, false, o, 0, l).count, counts[o][l]);
      check_inverse(&bench, root, o, 0, l);
    }
  MapSet maps = query_of(&bench, root, false, 1, 0, 2);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (-d0 + 3), domain: d0 in [0, 3]");
  bench_close(&bench);
}

static void runtime_sources_are_the_caller_s_operands(void **) {
  IndexFixture bench = bench_open(
      "g {\n p = f32[20] parameter(0)\n i = s32[] parameter(1)\n ROOT s = f32[10] dynamic-slice(p, i), dynamic_slice_sizes={10}\n}\n"
      "f {\n p = f32[20] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n k = s32[] add(i, j)\n"
      " a = f32[10] fusion(p, k), kind=kLoop, calls=g\n ROOT s = f32[5] dynamic-slice(a, j), dynamic_slice_sizes={5}\n}\n"
      "ENTRY e {\n x = f32[20] parameter(0)\n y = s32[] parameter(1)\n z = s32[] parameter(2)\n"
      " ROOT r = f32[5] fusion(x, y, z), kind=kLoop, calls=f\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_int_equal(maps.count, 1);
  assert_int_equal(maps.maps[0]->runtime_count, 2);
  assert_string_equal(maps.maps[0]->sources[0].name, "z");
  assert_ptr_equal(maps.maps[0]->sources[0].instruction, bench.module->entry->parameters[2]);
  assert_string_equal(maps.maps[0]->sources[1].name, "k");
  check_inverse(&bench, root_of(&bench), 0, 0, 0);
  bench_close(&bench);
}

static void offsets_known_to_the_caller_fold(void **) {
  IndexFixture bench = bench_open(
      "g {\n p = f32[20] parameter(0)\n i = s32[] parameter(1)\n ROOT s = f32[10] dynamic-slice(p, i), dynamic_slice_sizes={10}\n}\n"
      "ENTRY e {\n x = f32[20] parameter(0)\n c = s32[] constant(4)\n ROOT r = f32[10] fusion(x, c), kind=kLoop, calls=g\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (d0 + 4), domain: d0 in [0, 9]");
  bench_close(&bench);
}

static const char *const fusions[] = {
    "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
    "f {\n p = f32[5,6] parameter(0)\n v = f32[] parameter(1)\n"
    " w = f32[5,6] reduce-window(p, v), window={size=3x3 pad=1_1x1_1}, to_apply=add\n"
    " x = f32[2,3] reduce-window(w, v), window={size=3x2 stride=2x2}, to_apply=add\n"
    " ROOT r = f32[2] reduce(x, v), dimensions={1}, to_apply=add\n}\n"
    "ENTRY e {\n p = f32[5,6] parameter(0)\n v = f32[] parameter(1)\n ROOT r = f32[2] fusion(p, v), kind=kLoop, calls=f\n}",
    "f {\n p = f32[4,6] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n u = f32[2,2] parameter(3)\n"
    " d = f32[4,6] dynamic-update-slice(p, u, i, j)\n a = f32[4,2] slice(d), slice={[0:4],[4:6]}\n"
    " b = f32[4,4] slice(d), slice={[0:4],[0:4]}\n c = f32[4,6] concatenate(a, b), dimensions={1}\n"
    " ROOT s = f32[2,3] dynamic-slice(c, j, i), dynamic_slice_sizes={2,3}\n}\n"
    "ENTRY e {\n p = f32[4,6] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n u = f32[2,2] parameter(3)\n"
    " ROOT r = f32[2,3] fusion(p, i, j, u), kind=kLoop, calls=f\n}",
    "f {\n p = f32[6,2] parameter(0)\n q = f32[2,4] parameter(1)\n v = f32[] parameter(2)\n a = f32[13,2] pad(p, v), padding=1_1_1x0_0_0\n"
    " d = f32[13,4] dot(a, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n b = f32[52] reshape(d)\n c = f32[4,13] reshape(b)\n"
    " ROOT s = f32[2,5] slice(c), slice={[1:4:2],[2:12:2]}\n}\n"
    "ENTRY e {\n p = f32[6,2] parameter(0)\n q = f32[2,4] parameter(1)\n v = f32[] parameter(2)\n"
    " ROOT r = f32[2,5] fusion(p, q, v), kind=kLoop, calls=f\n}",
};

static void check_same_relation(
    IndexFixture *raw, IndexFixture *canonical, uint32_t operand, bool forward) {
  MapSet a = query_of(raw, root_of(raw), forward, 0, operand, 0),
         b = query_of(canonical, root_of(canonical), forward, 0, operand, 0);
  const Shape *output = root_of(raw)->shape, *input = root_of(raw)->operands[operand]->shape;
  for (uint32_t seed = 0; seed < 5; seed++) {
    Pairs x =
        relation_of(raw, &a, forward ? input : output, forward ? output : input, forward, seed);
    Pairs y = relation_of(
        canonical, &b, forward ? input : output, forward ? output : input, forward, seed);
    assert_int_equal(x.count, y.count);
    if (x.count > 0) assert_memory_equal(x.items, y.items, x.count * sizeof *x.items);
  }
}

static void settling_keeps_the_relation(void **) {
  for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++) {
    IndexFixture raw = bench_open(fusions[i], false), canonical = bench_open(fusions[i], true);
    for (uint32_t k = 0; k < root_of(&raw)->operand_count; k++) {
      check_same_relation(&raw, &canonical, k, false);
      check_same_relation(&raw, &canonical, k, true);
      check_inverse(&canonical, root_of(&canonical), 0, k, 0);
    }
    bench_close(&raw);
    bench_close(&canonical);
  }
}

static void windows_that_nothing_needs_vanish(void **) {
  IndexFixture bench = bench_open(
      "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n"
      "f {\n p = f32[5] parameter(0)\n v = f32[] parameter(1)\n"
      " w = f32[5] reduce-window(p, v), window={size=3 pad=1_1}, to_apply=add\n b = f32[5,7] broadcast(w), dimensions={0}\n"
      " r = f32[7] reduce(b, v), dimensions={0}, to_apply=add\n ROOT t = (f32[7], f32[5]) tuple(r, w)\n}\n"
      "ENTRY e {\n p = f32[5] parameter(0)\n v = f32[] parameter(1)\n ROOT r = (f32[7], f32[5]) fusion(p, v), kind=kLoop, calls=f\n}",
      true);
  MapSet maps = query_of(&bench, root_of(&bench), false, 0, 1, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (), domain: d0 in [0, 6]");
  bench_close(&bench);
}

/* A chain of `depth` diamonds, each with `width` elementwise steps on its left side. */
static const char *diamonds(Arena *arena, uint32_t depth, uint32_t width) {
  Text text = text_create(arena);
  text_string(&text, "f {\n x0 = f32[64,32] parameter(0)\n");
  for (uint32_t i = 0; i < depth; i++) {
    text_printf(&text, " l%u_0 = f32[32,64] transpose(x%u), dimensions={1,0}\n", i, i);
    for (uint32_t k = 1; k < width; k++)
      text_printf(&text, " l%u_%u = f32[32,64] negate(l%u_%u)\n", i, k, i, k - 1);
    text_printf(&text,
        " b%u = f32[64,32] reshape(l%u_%u)\n r%u = f32[64,32] reverse(x%u), dimensions={0}\n", i, i,
        width - 1, i, i);
    text_printf(&text,
        " c%u = f32[32,64] reshape(b%u)\n t%u = f32[64,32] transpose(c%u), dimensions={1,0}\n", i,
        i, i, i);
    text_printf(&text,
        " v%u = f32[64,32] reverse(r%u), dimensions={0}\n %sx%u = f32[64,32] add(t%u, v%u)\n", i, i,
        i + 1 == depth ? "ROOT " : "", i + 1, i, i);
  }
  text_string(&text,
      "}\nENTRY e {\n p = f32[64,32] parameter(0)\n ROOT r = f32[64,32] fusion(p), kind=kLoop, calls=f\n}\n");
  return text.bytes;
}

static void diamond_chain_is_linear(void **) {
  Arena *arena = arena_create();
  IndexFixture bench = bench_open(diamonds(arena, 1000, 4), true);
  assert_true(bench.module->computations[0]->instruction_count >= 10000);
  for (int forward = 0; forward < 2; forward++) {
    double start = clock_processor();
    MapSet maps = query_of(&bench, root_of(&bench), forward, 0, 0, 0);
    double seconds = clock_processor() - start;
    assert_int_equal(maps.count, 1);
    assert_string_equal(
        texts_of(&bench, &maps), "(d0, d1) -> (d0, d1), domain: d0 in [0, 63], d1 in [0, 31]");
    size_t bytes = arena_bytes(bench.context->arena);
    printf("%s: %.2f s, %zu MB\n", forward ? "forward" : "backward", seconds, bytes >> 20);
    assert_true(bytes < (size_t)1 << 30);
  }
  bench_close(&bench);
  arena_destroy(arena);
}

/* x + x shifted by one, `depth` times: y[depth] has depth + 1 different maps. `root` ends the body
 * and has the given type. */
static const char *stencils(Arena *arena, uint32_t depth, const char *type, const char *root) {
  Text text = text_create(arena);
  text_string(&text, "f {\n y0 = f32[1000] parameter(0)\n v = f32[] parameter(1)\n");
  for (uint32_t i = 0; i < depth; i++)
    text_printf(&text,
        " s%u = f32[1000] pad(y%u, v), padding=1_-1\n y%u = f32[1000] add(y%u, s%u)\n", i, i, i + 1,
        i, i);
  text_printf(&text,
      "%s}\nENTRY e {\n p = f32[1000] parameter(0)\n v = f32[] parameter(1)\n"
      " ROOT r = %s fusion(p, v), kind=kLoop, calls=f\n}\n",
      root, type);
  return text.bytes;
}

static void too_many_maps_become_one_that_covers(void **) {
  Arena *arena = arena_create();
  IndexFixture few =
      bench_open(stencils(arena, 20, "f32[1000]", " ROOT c = f32[1000] copy(y20)\n"), true);
  IndexFixture many =
      bench_open(stencils(arena, 300, "f32[1000]", " ROOT c = f32[1000] copy(y300)\n"), true);
  for (int forward = 0; forward < 2; forward++) {
    MapSet maps = query_of(&few, root_of(&few), forward, 0, 0, 0);
    assert_int_equal(maps.claim, INDEX_EXACT);
    assert_int_equal(maps.count, 21);
    maps = query_of(&many, root_of(&many), forward, 0, 0, 0);
    assert_int_equal(maps.claim, INDEX_OVER_APPROXIMATION);
    bool covers = false;
    for (uint32_t i = 0; i < maps.count; i++)
      covers |= strstr(text_of(&many, maps.maps[i]),
                    "(d0)[s0] -> (s0), domain: d0 in [0, 999], s0 in [0, 999]") != nullptr;
    assert_true(covers);
  }
  bench_close(&few);
  bench_close(&many);
  arena_destroy(arena);
}

/* A sum starts with the list of its first operand. What it adds, and the hull that it becomes, must
 * change neither that operand nor another sum that starts with it. */
static void sets_that_share_a_list_stay_apart(void **) {
  Arena *arena = arena_create();
  IndexFixture bench =
      bench_open(stencils(arena, 300, "(f32[1000], f32[1000])",
                     " u = f32[1000] add(y0, y300)\n b = f32[1000] reverse(y0), dimensions={0}\n"
                     " w = f32[1000] add(y0, b)\n ROOT t = (f32[1000], f32[1000]) tuple(y1, y0)\n"),
          true);
  MapSet maps = query_of(&bench, root_of(&bench), true, 0, 0, 0);
  assert_string_equal(texts_of(&bench, &maps),
      "(d0) -> (d0), domain: d0 in [0, 999]\n(d0) -> (d0 + 1), domain: d0 in [0, 998]");
  maps = query_of(&bench, root_of(&bench), true, 1, 0, 0);
  assert_string_equal(texts_of(&bench, &maps), "(d0) -> (d0), domain: d0 in [0, 999]");
  bench_close(&bench);
  arena_destroy(arena);
}

/* b and c begin as a, d begins as b. What c appends is not yet in b. */
static void sets_that_begin_as_one_list_append_their_own(void **) {
  IndexFixture bench =
      bench_open("f {\n x = f32[9] parameter(0)\n z = f32[] constant(0)\n"
                 " s1 = f32[8] slice(x), slice={[1:9]}\n p1 = f32[9] pad(s1, z), padding=0_1\n"
                 " s2 = f32[7] slice(x), slice={[2:9]}\n p2 = f32[9] pad(s2, z), padding=0_2\n"
                 " s3 = f32[6] slice(x), slice={[3:9]}\n p3 = f32[9] pad(s3, z), padding=0_3\n"
                 " a = f32[9] add(x, p1)\n b = f32[9] add(a, p2)\n c = f32[9] add(a, p3)\n"
                 " d = f32[9] add(b, p3)\n"
                 " ROOT t = (f32[9], f32[9], f32[9], f32[9]) tuple(a, b, c, d)\n}\n"
                 "ENTRY e {\n p = f32[9] parameter(0)\n"
                 " ROOT r = (f32[9], f32[9], f32[9], f32[9]) fusion(p), kind=kLoop, calls=f\n}\n",
          true);
  static const uint32_t counts[] = {2, 3, 3, 4};
  for (uint32_t leaf = 0; leaf < 4; leaf++) {
    MapSet maps = query_of(&bench, root_of(&bench), true, leaf, 0, 0);
    assert_int_equal(maps.count, counts[leaf]);
    check_inverse(&bench, root_of(&bench), leaf, 0, 0);
  }
  bench_close(&bench);
}

static void calls_nested_too_deep_are_rejected(void **) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  text_string(&text, "c0 {\n p = f32[3] parameter(0)\n ROOT n = f32[3] negate(p)\n}\n");
  for (uint32_t i = 1; i <= 300; i++)
    text_printf(&text,
        "c%u {\n p = f32[3] parameter(0)\n ROOT n = f32[3] call(p), to_apply=c%u\n}\n", i, i - 1);
  text_string(
      &text, "ENTRY e {\n p = f32[3] parameter(0)\n ROOT r = f32[3] call(p), to_apply=c300\n}\n");
  IndexFixture bench = bench_open(text.bytes, true);
  MapSet maps;
  Error error = {};
  assert_false(index_output_to_input(bench.indexer, root_of(&bench), 0, 0, 0, &maps, &error));
  assert_int_equal(error.kind, ERROR_LIMIT);
  bench_close(&bench);
  arena_destroy(arena);
}

/* Without a simplifier each reshape doubles the size of the expressions. Past the limit every
 * element may be read, in both directions, also after a further step. */
static void expressions_past_the_limit_read_everything(void **) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  text_string(&text, "f {\n y0 = f32[6,4] parameter(0)\n");
  for (uint32_t i = 1; i <= 40; i++)
    text_printf(&text, " y%u = f32[%s] reshape(y%u)\n", i, i % 2 == 1 ? "8,3" : "6,4", i - 1);
  text_string(&text, " ROOT r = f32[4,6] transpose(y40), dimensions={1,0}\n}\n"
                     "ENTRY e {\n p = f32[6,4] parameter(0)\n"
                     " ROOT r = f32[4,6] fusion(p), kind=kLoop, calls=f\n}\n");
  for (uint32_t forward = 0; forward < 2; forward++) {
    IndexFixture bench = bench_open(text.bytes, false);
    MapSet maps = query_of(&bench, root_of(&bench), forward == 1, 0, 0, 0);
    const Shape *output = root_of(&bench)->shape, *input = root_of(&bench)->operands[0]->shape;
    assert_int_equal(maps.claim, INDEX_OVER_APPROXIMATION);
    assert_string_equal(maps.reason, "an expression past the limit of its size: everything");
    Pairs pairs = relation_of(&bench, &maps, forward == 1 ? input : output,
        forward == 1 ? output : input, forward == 1, 0);
    assert_int_equal(pairs.count, 24 * 24);
    bench_close(&bench);
  }
  arena_destroy(arena);
}

/* Whether the composed maps are exact. An index names no device, so an operation whose device
 * decides what it reads must not stand before another collective; the operand that a start gives
 * back is exchanged with nobody. */
static void maps_across_collectives_are_exact_or_say_so(void **) {
  static const struct {
    const char *body;
    bool is_exact;
  } rows[] = {
      {"a = f32[8] all-reduce(p), to_apply=add ROOT r = f32[8] all-reduce(a), to_apply=add", true},
      {"a = f32[8] all-reduce(p), to_apply=add "
       "ROOT r = f32[4] reduce-scatter(a), replica_groups={{0,1}}, dimensions={0}, to_apply=add",
          true},
      {"a = f32[4] reduce-scatter(p), replica_groups={{0,1}}, dimensions={0}, to_apply=add "
       "ROOT r = f32[4] negate(a)",
          true},
      {"a = f32[4] reduce-scatter(p), replica_groups={{0,1}}, dimensions={0}, to_apply=add "
       "ROOT r = f32[4] all-reduce(a), to_apply=add",
          false},
      {"a = f32[4] reduce-scatter(p), replica_groups={{0,1}}, dimensions={0}, to_apply=add "
       "n = f32[4] negate(a) ROOT r = f32[2] reduce-scatter(n), replica_groups={{0,1}}, "
       "dimensions={0}, to_apply=add",
          false},
      {"a = f32[4] reduce-scatter(p), replica_groups={{0,1}}, dimensions={0}, to_apply=add "
       "s = (f32[4], f32[8]) all-gather-start(a), replica_groups={{0,1}}, dimensions={0} "
       "ROOT r = f32[4] get-tuple-element(s), index=0",
          true},
      {"a = f32[4] reduce-scatter(p), replica_groups={{0,1}}, dimensions={0}, to_apply=add "
       "s = (f32[4], f32[8]) all-gather-start(a), replica_groups={{0,1}}, dimensions={0} "
       "ROOT r = f32[8] get-tuple-element(s), index=1",
          false},
      {"s = (f32[8], f32[16]) all-gather-start(p), replica_groups={{0,1}}, dimensions={0} "
       "o = f32[8] get-tuple-element(s), index=0 "
       "ROOT r = f32[4] reduce-scatter(o), replica_groups={{0,1}}, dimensions={0}, to_apply=add",
          true},
      {"a = f32[8] collective-permute(p), source_target_pairs={{0,1}} "
       "ROOT r = f32[8] all-reduce(a), to_apply=add",
          false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    IndexFixture bench = bench_open(
        arena_printf(arena,
            "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) } "
            "ENTRY e { p = f32[8] parameter(0) %s }",
            rows[i].body),
        true);
    MapSet back, ahead;
    Error error = {};
    const Computation *entry = bench.module->entry;
    assert_true(index_computation_output_to_input(bench.indexer, entry, 0, 0, 0, &back, &error));
    assert_true(index_computation_input_to_output(bench.indexer, entry, 0, 0, 0, &ahead, &error));
    IndexClaim wanted = rows[i].is_exact ? INDEX_EXACT : INDEX_OVER_APPROXIMATION;
    if (back.claim != wanted || ahead.claim != wanted)
      fail_msg("%s: %d %d", rows[i].body, back.claim, ahead.claim);
    bench_close(&bench);
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fusion_reads_one_input_twice),
      cmocka_unit_test(a_rewind_forgets_what_was_remembered),
      cmocka_unit_test(sources_of_one_name_are_distinguished),
      cmocka_unit_test(sizes_of_one_do_not_keep_maps_apart),
      cmocka_unit_test(leaves_in_between_connect_the_ends),
      cmocka_unit_test(producers_are_listed_in_order),
      cmocka_unit_test(producers_through_calls_keep_the_runs_apart),
      cmocka_unit_test(fusion_of_a_part_keeps_the_part),
      cmocka_unit_test(map_reads_what_its_body_reads),
      cmocka_unit_test(fusion_with_tuples_keeps_positions),
      cmocka_unit_test(runtime_sources_are_the_caller_s_operands),
      cmocka_unit_test(offsets_known_to_the_caller_fold),
      cmocka_unit_test(settling_keeps_the_relation),
      cmocka_unit_test(windows_that_nothing_needs_vanish),
      cmocka_unit_test(diamond_chain_is_linear),
      cmocka_unit_test(too_many_maps_become_one_that_covers),
      cmocka_unit_test(sets_that_share_a_list_stay_apart),
      cmocka_unit_test(sets_that_begin_as_one_list_append_their_own),
      cmocka_unit_test(calls_nested_too_deep_are_rejected),
      cmocka_unit_test(maps_across_collectives_are_exact_or_say_so),
      cmocka_unit_test(expressions_past_the_limit_read_everything),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
