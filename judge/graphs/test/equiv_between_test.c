/* Which answers about reads stay where collectives are in between: random graphs run on four
 * devices, each of which knows of which devices' parameter an array is made. Reads are the same
 * only if that holds on each device, and different only if it does not. What a custom call does
 * with its operand is not said, nor which side an all-reduce keeps, so that an answer must hold
 * whatever they do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_between.h"

static uint64_t state_of_crossings = 3;

static uint32_t crossing_below(uint32_t end) {
  state_of_crossings =
      state_of_crossings * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_crossings >> 33) % end;
}

/* ---- graphs ---- */

typedef enum CrossingKind : uint8_t {
  CROSSING_ADD,
  CROSSING_REDUCE, /* an all-reduce of `a` */
  CROSSING_STARTED,
  CROSSING_BROADCAST,
  CROSSING_PERMUTE,
  CROSSING_CUSTOM,
  CROSSING_KEEP,   /* an all-reduce whose computation returns one side */
  CROSSING_PICK,   /* a call, a map or a fusion of `a` and `b` that returns `a` */
  CROSSING_SECOND, /* `b`, as an element of a tuple */
} CrossingKind;

static constexpr uint32_t crossing_devices = 4, crossing_most = 7, crossing_variants = 3;

/* Digits are devices: groups, or a source and a target each. */
static const char *const reduced[crossing_variants] = {"{0123}", "{01}{23}", "{02}{13}"};
static const char *const broadcast[crossing_variants] = {"{01}", "{12}", "{32}"};
static const char *const permuted[crossing_variants] = {"{01}{12}", "{02}", ""};
static const char *const picking[crossing_variants] = {"call(%s, %s), to_apply=pick",
    "fusion(%s, %s), kind=kLoop, calls=pick", "map(%s, %s), dimensions={0}, to_apply=first"};

typedef struct CrossingStep {
  CrossingKind kind;
  uint32_t a, b, variant;
} CrossingStep;

/* Arrays: parameter 0, which is asked about, parameter 1, and one for each step. */
typedef struct CrossingGraph {
  uint32_t count;
  CrossingStep steps[crossing_most];
} CrossingGraph;

static CrossingStep draw_crossing(uint32_t at) {
  uint32_t kind = crossing_below(12);
  return (CrossingStep){.kind = kind > CROSSING_SECOND + 1 ? CROSSING_BROADCAST
                                : kind > CROSSING_SECOND   ? CROSSING_ADD
                                                           : (CrossingKind)kind,
      .a = crossing_below(at),
      .b = crossing_below(3) == 0 ? crossing_below(at) : at - 1,
      .variant = crossing_below(crossing_variants)};
}

static CrossingGraph draw_crossings(void) {
  CrossingGraph graph = {.count = 3 + crossing_below(crossing_most - 2)};
  for (uint32_t i = 2; i < graph.count; i++) graph.steps[i] = draw_crossing(i);
  return graph;
}

static CrossingStep draw_sending(uint32_t a) {
  return (CrossingStep){.kind = crossing_below(2) == 0 ? CROSSING_BROADCAST : CROSSING_PERMUTE,
      .a = a,
      .variant = crossing_below(crossing_variants)};
}

/* The parameter is sent on two ways, which meet, and sent on. */
static CrossingGraph draw_meeting(void) {
  CrossingGraph graph = {.count = 6, .steps = {[4] = {.kind = CROSSING_ADD, .a = 2, .b = 3}}};
  graph.steps[2] = draw_sending(0);
  graph.steps[3] = draw_sending(0);
  graph.steps[5] = draw_sending(4);
  return graph;
}

/* With one step changed, or left out. */
static CrossingGraph change_crossings(CrossingGraph graph) {
  uint32_t at = 2 + crossing_below(graph.count - 2);
  CrossingStep other = draw_crossing(at), *step = &graph.steps[at];
  switch (crossing_below(5)) {
    case 0: *step = other; break;
    case 1: step->variant = other.variant; break;
    case 2: step->a = other.a; break;
    case 3: step->kind = CROSSING_PICK; break;
    default: graph.count = graph.count > 3 ? graph.count - 1 : graph.count; break;
  }
  return graph;
}

static void print_devices(Text *text, const char *devices) {
  text_string(text, "{");
  for (uint32_t i = 0; devices[i] != 0; i++) {
    bool is_digit = devices[i] >= '0' && devices[i] <= '9';
    bool follows = i > 0 && (is_digit ? devices[i - 1] != '{' : devices[i] == '{');
    text_printf(text, "%s%c", follows ? "," : "", devices[i]);
  }
  text_string(text, "}");
}

static void print_crossing(Text *text, const CrossingGraph *graph, uint32_t at) {
  const CrossingStep *step = &graph->steps[at];
  const char *a = arena_printf(text->arena, "v%u", step->a),
             *b = arena_printf(text->arena, "v%u", step->b),
             *root = at + 1 == graph->count ? "ROOT " : "";
  if (step->kind == CROSSING_SECOND)
    text_printf(text, "t%u = (s32[4], s32[4]) tuple(%s, %s)\n", at, a, b);
  if (step->kind == CROSSING_STARTED) {
    text_printf(text, "t%u = s32[4] all-reduce-start(%s), to_apply=sum, replica_groups=", at, a);
    print_devices(text, reduced[step->variant]);
    text_string(text, "\n");
  }
  text_printf(text, "%sv%u = s32[4] ", root, at);
  switch (step->kind) {
    case CROSSING_ADD: text_printf(text, "add(%s, %s)", a, b); break;
    case CROSSING_REDUCE:
      text_printf(text, "all-reduce(%s), to_apply=sum, replica_groups=", a);
      print_devices(text, reduced[step->variant]);
      break;
    case CROSSING_KEEP:
      text_printf(text, "all-reduce(%s), to_apply=first, replica_groups=", a);
      print_devices(text, reduced[step->variant]);
      break;
    case CROSSING_STARTED: text_printf(text, "all-reduce-done(t%u)", at); break;
    case CROSSING_BROADCAST:
      text_printf(text, "collective-broadcast(%s), replica_groups=", a);
      print_devices(text, broadcast[step->variant]);
      break;
    case CROSSING_PERMUTE:
      text_printf(text, "collective-permute(%s), source_target_pairs=", a);
      print_devices(text, permuted[step->variant]);
      break;
    case CROSSING_CUSTOM: text_printf(text, "custom-call(%s), custom_call_target=\"f\"", a); break;
    case CROSSING_PICK: {
      const char *form = picking[step->variant], *second = strstr(form, ", %s");
      text_printf(text, "%.*s%s, %s%s", (int)(strchr(form, '%') - form), form, a, b, second + 4);
      break;
    }
    case CROSSING_SECOND: text_printf(text, "get-tuple-element(t%u), index=1", at); break;
  }
  text_string(text, "\n");
}

static const char *crossing_text(Arena *arena, const CrossingGraph *graph) {
  Text text = text_create(arena);
  text_string(&text,
      "HloModule m, replica_count=4\n"
      "sum {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT z = s32[] add(x, y)\n}\n"
      "pick {\nx = s32[4] parameter(0)\ny = s32[4] parameter(1)\nROOT z = s32[4] negate(x)\n}\n"
      "first {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT z = s32[] negate(x)\n}\n"
      "ENTRY e {\nv0 = s32[4] parameter(0)\nv1 = s32[4] parameter(1)\n");
  for (uint32_t i = 2; i < graph->count; i++) print_crossing(&text, graph, i);
  text_string(&text, "}\n");
  return text.bytes;
}

static const Computation *crossing_entry(Arena *arena, const CrossingGraph *graph) {
  const Module *module;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = crossing_text(arena, graph), .first_line = 1};
  source->length = strlen(source->text);
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", source->text, error.message);
  return module->entry;
}

/* ---- on devices ---- */

/* The devices of whose parameter an array is made, on each device. */
typedef struct CrossingMade {
  uint32_t of[crossing_devices];
} CrossingMade;

/* Calls `take` for each group with its digits. */
static CrossingMade made_by_groups(const char *groups, CrossingKind kind, CrossingMade operand) {
  CrossingMade made = {};
  for (const char *at = groups; *at != 0; at++) {
    if (*at != '{') continue;
    uint32_t all = 0, first = at[1] - '0';
    for (const char *member = at + 1; *member != '}'; member++) all |= operand.of[*member - '0'];
    for (const char *member = at + 1; *member != '}'; member++) {
      bool is_target = kind != CROSSING_PERMUTE || member == at + 2;
      if (is_target) made.of[*member - '0'] = kind == CROSSING_REDUCE ? all : operand.of[first];
    }
  }
  return made;
}

/* `customs`: a bit for each custom call in turn, whether it uses its operand. */
static CrossingMade made_in_crossings(const CrossingGraph *graph, uint32_t customs) {
  CrossingMade made[crossing_most] = {};
  for (uint32_t i = 0; i < crossing_devices; i++) made[0].of[i] = 1u << i;
  for (uint32_t at = 2; at < graph->count; at++) {
    const CrossingStep *step = &graph->steps[at];
    const CrossingMade *a = &made[step->a], *b = &made[step->b];
    switch (step->kind) {
      case CROSSING_ADD:
        for (uint32_t i = 0; i < crossing_devices; i++) made[at].of[i] = a->of[i] | b->of[i];
        break;
      case CROSSING_REDUCE:
      case CROSSING_STARTED:
        made[at] = made_by_groups(reduced[step->variant], CROSSING_REDUCE, *a);
        break;
      case CROSSING_BROADCAST:
        made[at] = made_by_groups(broadcast[step->variant], CROSSING_BROADCAST, *a);
        break;
      case CROSSING_PERMUTE:
        made[at] = made_by_groups(permuted[step->variant], CROSSING_PERMUTE, *a);
        break;
      case CROSSING_CUSTOM:
        if ((customs & 1) != 0) made[at] = *a;
        customs >>= 1;
        break;
      case CROSSING_KEEP: /* what the first device of the group has, or its own */
        made[at] = (customs & 1) != 0
                       ? *a
                       : made_by_groups(reduced[step->variant], CROSSING_BROADCAST, *a);
        customs >>= 1;
        break;
      case CROSSING_PICK: made[at] = *a; break;
      case CROSSING_SECOND: made[at] = *b; break;
    }
  }
  return made[graph->count - 1];
}

/* What the paths from the parameter to the array cross, as a set of sequences: a digit for each
 * collective. */
typedef struct CrossingPaths {
  uint32_t count;
  uint64_t items[256];
  bool has_other; /* a path crosses what no sequence says */
} CrossingPaths;

static void add_paths(
    const CrossingGraph *graph, uint32_t at, uint64_t after, CrossingPaths *paths) {
  const CrossingStep *step = &graph->steps[at];
  if (at == 0) {
    if (paths->count < 256) paths->items[paths->count++] = after;
    return;
  }
  if (at == 1) return;
  bool takes_a = step->kind != CROSSING_SECOND,
       takes_b = step->kind == CROSSING_ADD || step->kind == CROSSING_SECOND;
  uint64_t digit = step->kind == CROSSING_BROADCAST ? 4 + step->variant
                   : step->kind == CROSSING_REDUCE || step->kind == CROSSING_STARTED
                       ? 1 + step->variant
                       : 0;
  uint32_t count = paths->count;
  if (takes_a) add_paths(graph, step->a, digit == 0 ? after : after * 10 + digit, paths);
  bool is_other = step->kind == CROSSING_CUSTOM || step->kind == CROSSING_PERMUTE ||
                  step->kind == CROSSING_KEEP;
  paths->has_other |= is_other && paths->count > count;
  if (takes_b) add_paths(graph, step->b, after, paths);
}

/* Whether every path crosses the one sequence. */
static bool is_one_sequence(const CrossingPaths *paths, uint64_t sequence) {
  for (uint32_t i = 0; i < paths->count; i++)
    if (paths->items[i] != sequence) return false;
  return !paths->has_other;
}

static bool broadcasts_once(uint64_t sequence) {
  uint32_t broadcasts = 0;
  for (; sequence > 0; sequence /= 10) broadcasts += sequence % 10 >= 4;
  return broadcasts < 2;
}

/* ---- both ---- */

static bool has_meanings(const CrossingStep *step) {
  return step->kind == CROSSING_CUSTOM || step->kind == CROSSING_KEEP;
}

static uint32_t count_customs(const CrossingGraph *graph) {
  uint32_t count = 0;
  for (uint32_t i = 2; i < graph->count; i++) count += has_meanings(&graph->steps[i]);
  return count;
}

/* The array as an expression of the parameters. */
static void print_expression(Text *text, const CrossingGraph *graph, uint32_t at) {
  const CrossingStep *step = &graph->steps[at];
  bool has_variant = step->kind != CROSSING_ADD && step->kind != CROSSING_CUSTOM &&
                     step->kind != CROSSING_SECOND,
       takes_b = step->kind == CROSSING_ADD || step->kind == CROSSING_PICK ||
                 step->kind == CROSSING_SECOND;
  if (at < 2) {
    text_printf(text, "v%u", at);
    return;
  }
  text_printf(text, "%u.%u(", step->kind, has_variant ? step->variant : 0);
  print_expression(text, graph, step->a);
  if (takes_b) print_expression(text, graph, step->b);
  text_string(text, ")");
}

static bool are_literal(Arena *arena, const CrossingGraph graphs[2]) {
  Text texts[] = {text_create(arena), text_create(arena)};
  for (uint32_t side = 0; side < 2; side++)
    print_expression(&texts[side], &graphs[side], graphs[side].count - 1);
  return strcmp(texts[0].bytes, texts[1].bytes) == 0;
}

/* Whether the graphs read the same, or do not, whatever custom calls do. */
static void compare_crossings(const CrossingGraph graphs[2], bool *is_always, bool *is_never) {
  uint32_t customs[] = {count_customs(&graphs[0]), count_customs(&graphs[1])};
  *is_always = *is_never = true;
  for (uint32_t before = 0; before < 1u << customs[0]; before++)
    for (uint32_t after = 0; after < 1u << customs[1]; after++) {
      CrossingMade made[] = {
          made_in_crossings(&graphs[0], before), made_in_crossings(&graphs[1], after)};
      bool is_same = memcmp(&made[0], &made[1], sizeof made[0]) == 0;
      *is_always &= is_same;
      *is_never &= !is_same;
    }
}

static void answers_stay_only_where_they_hold_on_devices(void **) {
  const uint32_t rounds = test_length(30000, 6000, 800);
  uint32_t counts[3] = {};
  for (uint32_t i = 0; i < rounds; i++) {
    Arena *arena = arena_create();
    CrossingGraph graphs[2] = {crossing_below(6) == 0 ? draw_meeting() : draw_crossings()};
    graphs[1] = crossing_below(3) == 0 ? draw_crossings() : change_crossings(graphs[0]);
    CrossingPaths paths[2] = {};
    for (uint32_t side = 0; side < 2; side++)
      add_paths(&graphs[side], graphs[side].count - 1, 0, &paths[side]);
    bool is_read[] = {paths[0].count > 0, paths[1].count > 0}, is_always, is_never;
    compare_crossings(graphs, &is_always, &is_never);
    if (is_read[0] || is_read[1]) {
      Equiv equiv = {
          .entries = {crossing_entry(arena, &graphs[0]), crossing_entry(arena, &graphs[1])}};
      bool is_one_sided = is_read[0] != is_read[1];
      EquivVerdict verdict = {.answer = !is_one_sided ? REASON_EXACT
                                        : is_read[0]  ? REASON_DIFFERENT
                                                      : REASON_EXTRA,
          .has_witness = is_one_sided && crossing_below(4) > 0,
          .reader = is_read[0] ? EQUIV_BEFORE : EQUIV_AFTER,
          .judges = "judges",
          .reason = "",
          .arena = arena};
      bool has_witness = verdict.has_witness;
      equiv_withdraw(&equiv, &verdict);
      bool is_literal = are_literal(arena, graphs);
      const char *fault = nullptr;
      if (verdict.answer == REASON_EXACT && !is_always && !is_literal) fault = "not the same";
      if (verdict.answer == REASON_DIFFERENT && !is_never) fault = "not different";
      if (verdict.answer == REASON_EXTRA && !is_never) fault = "not more";
      uint64_t sequence = paths[is_read[0] ? 0 : 1].items[0];
      bool must_stay = is_one_sequence(&paths[0], sequence) &&
                       is_one_sequence(&paths[1], sequence) && broadcasts_once(sequence);
      bool is_plain = is_one_sequence(&paths[0], 0) && is_one_sequence(&paths[1], 0),
           is_shown = !is_one_sided || has_witness || is_plain;
      if (must_stay && is_shown && verdict.answer == REASON_OPEN) fault = "withdrawn";
      if (is_one_sided && !has_witness && !is_plain && verdict.answer != REASON_OPEN)
        fault = "no witness";
      if (fault != nullptr)
        fail_msg("%u, %s (%s):\n%s%s", i, fault, verdict.reason,
            strstr(crossing_text(arena, &graphs[0]), "ENTRY"),
            strstr(crossing_text(arena, &graphs[1]), "ENTRY"));
      counts[verdict.answer == REASON_EXACT ? 0 : verdict.answer == REASON_OPEN ? 2 : 1]++;
    }
    arena_destroy(arena);
  }
  print_message("%u same, %u different, %u open\n", counts[0], counts[1], counts[2]);
  assert_true(counts[0] > rounds / 20 && counts[1] > rounds / 20 && counts[2] > rounds / 20);
}

/* What is not decided, or not read at all, stays as it is. */
static void other_answers_stay(void **) {
  static const VerdictReason reasons[] = {REASON_OPEN, REASON_DISSENT, REASON_EXACT};
  Arena *arena = arena_create();
  CrossingGraph graphs[] = {{.count = 3, .steps = {[2] = {.kind = CROSSING_CUSTOM}}},
      {.count = 3, .steps = {[2] = {.kind = CROSSING_BROADCAST}}}};
  Equiv equiv = {.entries = {crossing_entry(arena, &graphs[0]), crossing_entry(arena, &graphs[1])}};
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t has_witness = 0; has_witness < 2; has_witness++) {
      EquivVerdict verdict = {.answer = reasons[i],
          .is_unread = reasons[i] == REASON_EXACT,
          .has_witness = has_witness,
          .judges = "judges",
          .reason = "why",
          .arena = arena};
      EquivVerdict before = verdict;
      equiv_withdraw(&equiv, &verdict);
      assert_memory_equal(&before, &verdict, sizeof before);
    }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_stay_only_where_they_hold_on_devices),
      cmocka_unit_test(other_answers_stay),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
