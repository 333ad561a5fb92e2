/* Equal values across devices: random graphs with collectives run on four devices, each of which
 * has parameters of its own. What is proved the same has equal elements on each device, and what is
 * different has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

static uint64_t state_of_collectives = 17;

static uint32_t collective_below(uint32_t end) {
  state_of_collectives =
      state_of_collectives * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_collectives >> 33) % end;
}

/* ---- graphs ---- */

typedef enum CollectiveKind : uint8_t {
  COLLECTIVE_ADD,
  COLLECTIVE_MAXIMUM,
  COLLECTIVE_SUBTRACT,
  COLLECTIVE_CONSTANT,
  COLLECTIVE_DEVICE, /* the number of the device */
  COLLECTIVE_SUM,    /* an all-reduce */
  COLLECTIVE_LARGEST,
  COLLECTIVE_GATHER, /* what one device of the group has */
  COLLECTIVE_BROADCAST,
  COLLECTIVE_PERMUTE,
} CollectiveKind;
static constexpr uint32_t collective_kinds = COLLECTIVE_PERMUTE + 1;

static constexpr uint32_t device_count = 4, collective_most = 6, array_size = 2, variants = 4;

/* Digits are devices: groups, or a source and a target each. */
static const char *const group_lists[variants] = {"{0123}", "{01}{23}", "{20}{31}", "{0}{1}{2}{3}"};
static const char *const sender_lists[variants] = {"{01}{23}", "{32}", "{0123}", "{12}{03}"};
static const char *const pair_lists[variants] = {
    "{01}{12}", "{03}{12}{21}{30}", "{20}", "{00}{11}{22}{33}"};
static const int32_t constants[variants][array_size] = {{0, 0}, {1, 1}, {-3, -3}, {0, 5}};

typedef struct CollectiveStep {
  CollectiveKind kind;
  uint32_t a, b, variant;
} CollectiveStep;

/* Arrays: two parameters, and one for each step. */
typedef struct CollectiveGraph {
  uint32_t count;
  CollectiveStep steps[collective_most];
} CollectiveGraph;

static CollectiveStep draw_collective(uint32_t at) {
  return (CollectiveStep){.kind = (CollectiveKind)collective_below(collective_kinds),
      .a = collective_below(3) == 0 ? collective_below(at) : at - 1,
      .b = collective_below(at),
      .variant = collective_below(variants)};
}

static CollectiveGraph draw_collectives(void) {
  CollectiveGraph graph = {.count = 3 + collective_below(collective_most - 2)};
  for (uint32_t i = 2; i < graph.count; i++) graph.steps[i] = draw_collective(i);
  if (collective_below(2) == 0) graph.steps[2].kind = COLLECTIVE_CONSTANT;
  return graph;
}

static CollectiveGraph change_collectives(CollectiveGraph graph) {
  uint32_t at = 2 + collective_below(graph.count - 2), a = graph.steps[at].a;
  CollectiveStep other = draw_collective(at), *step = &graph.steps[at];
  switch (collective_below(5)) {
    case 0: *step = other; break;
    case 1: step->variant = other.variant; break;
    case 2: step->kind = other.kind; break;
    case 3:
      step->a = step->b;
      step->b = a;
      break;
    default: step->a = other.a; break;
  }
  return graph;
}

static void print_list(Text *text, const char *devices) {
  text_string(text, "{");
  for (uint32_t i = 0; devices[i] != 0; i++) {
    bool is_digit = devices[i] != '{' && devices[i] != '}';
    bool follows = i > 0 && (is_digit ? devices[i - 1] != '{' : devices[i] == '{');
    text_printf(text, "%s%c", follows ? "," : "", devices[i]);
  }
  text_string(text, "}");
}

static uint32_t group_size(const char *groups) {
  return (uint32_t)(strchr(groups, '}') - groups) - 1;
}

static void print_collective(Text *text, const CollectiveGraph *graph, uint32_t at) {
  const CollectiveStep *step = &graph->steps[at];
  static const char *const functions[] = {[COLLECTIVE_ADD] = "add",
      [COLLECTIVE_MAXIMUM] = "maximum",
      [COLLECTIVE_SUBTRACT] = "subtract"};
  const char *root = at + 1 == graph->count ? "ROOT " : "";
  uint32_t size = group_size(group_lists[step->variant]), member = step->b % size;
  switch (step->kind) {
    case COLLECTIVE_ADD:
    case COLLECTIVE_MAXIMUM:
    case COLLECTIVE_SUBTRACT:
      text_printf(
          text, "%sv%u = s32[2] %s(v%u, v%u)\n", root, at, functions[step->kind], step->a, step->b);
      return;
    case COLLECTIVE_CONSTANT:
      text_printf(text, "%sv%u = s32[2] constant({%d,%d})\n", root, at, constants[step->variant][0],
          constants[step->variant][1]);
      return;
    case COLLECTIVE_DEVICE:
      text_printf(text,
          "i%u = u32[] replica-id()\nj%u = s32[] convert(i%u)\n"
          "%sv%u = s32[2] broadcast(j%u), dimensions={}\n",
          at, at, at, root, at, at);
      return;
    case COLLECTIVE_SUM:
    case COLLECTIVE_LARGEST:
      text_printf(text, "%sv%u = s32[2] all-reduce(v%u), to_apply=%s, replica_groups=", root, at,
          step->a, step->kind == COLLECTIVE_SUM ? "sum" : "largest");
      print_list(text, group_lists[step->variant]);
      break;
    case COLLECTIVE_GATHER:
      text_printf(text, "g%u = s32[%u] all-gather(v%u), dimensions={0}, replica_groups=", at,
          size * array_size, step->a);
      print_list(text, group_lists[step->variant]);
      text_printf(text, "\n%sv%u = s32[2] slice(g%u), slice={[%u:%u]}", root, at, at,
          member * array_size, (member + 1) * array_size);
      break;
    case COLLECTIVE_BROADCAST:
      text_printf(
          text, "%sv%u = s32[2] collective-broadcast(v%u), replica_groups=", root, at, step->a);
      print_list(text, sender_lists[step->variant]);
      break;
    case COLLECTIVE_PERMUTE:
      text_printf(
          text, "%sv%u = s32[2] collective-permute(v%u), source_target_pairs=", root, at, step->a);
      print_list(text, pair_lists[step->variant]);
      break;
  }
  text_string(text, "\n");
}

static const char *collectives_text(Arena *arena, const CollectiveGraph *graph) {
  Text text = text_create(arena);
  text_string(&text,
      "HloModule m, replica_count=4\n"
      "sum {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT z = s32[] add(x, y)\n}\n"
      "largest {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT z = s32[] maximum(x, y)\n}\n"
      "ENTRY e {\nv0 = s32[2] parameter(0)\nv1 = s32[2] parameter(1)\n");
  for (uint32_t i = 2; i < graph->count; i++) print_collective(&text, graph, i);
  text_string(&text, "}\n");
  return text.bytes;
}

/* ---- on devices ---- */

typedef struct CollectiveArrays {
  int32_t of[device_count][array_size];
} CollectiveArrays;

static int32_t wrapped_sum(int64_t value) { return (int32_t)(uint32_t)value; }

/* The group of the device among those of the list, as its digits; nullptr if it is in none. */
static const char *group_of(const char *list, uint32_t device) {
  const char *group = nullptr;
  for (const char *at = list; *at != 0; at++) {
    if (*at == '{') group = at + 1;
    if (*at == (char)('0' + device)) return group;
  }
  return nullptr;
}

static int32_t reduced_in(
    const CollectiveArrays *from, const char *group, uint32_t i, bool is_sum) {
  int64_t result = from->of[group[0] - '0'][i];
  for (const char *at = group + 1; *at != '}'; at++) {
    int64_t value = from->of[*at - '0'][i];
    result = is_sum ? wrapped_sum(result + value) : value > result ? value : result;
  }
  return (int32_t)result;
}

static void run_collective(const CollectiveGraph *graph, uint32_t at, CollectiveArrays *arrays) {
  const CollectiveStep *step = &graph->steps[at];
  const CollectiveArrays *a = &arrays[step->a], *b = &arrays[step->b];
  for (uint32_t device = 0; device < device_count; device++)
    for (uint32_t i = 0; i < array_size; i++) {
      int64_t x = a->of[device][i], y = b->of[device][i];
      const char *group = group_of(group_lists[step->variant], device),
                 *senders = group_of(sender_lists[step->variant], device);
      int32_t *to = &arrays[at].of[device][i];
      switch (step->kind) {
        case COLLECTIVE_ADD: *to = wrapped_sum(x + y); break;
        case COLLECTIVE_MAXIMUM: *to = (int32_t)(x > y ? x : y); break;
        case COLLECTIVE_SUBTRACT: *to = wrapped_sum(x - y); break;
        case COLLECTIVE_CONSTANT: *to = constants[step->variant][i]; break;
        case COLLECTIVE_DEVICE: *to = (int32_t)device; break;
        case COLLECTIVE_SUM:
        case COLLECTIVE_LARGEST: *to = reduced_in(a, group, i, step->kind == COLLECTIVE_SUM); break;
        case COLLECTIVE_GATHER:
          *to = a->of[group[step->b % group_size(group_lists[step->variant])] - '0'][i];
          break;
        case COLLECTIVE_BROADCAST: *to = senders == nullptr ? 0 : a->of[senders[0] - '0'][i]; break;
        case COLLECTIVE_PERMUTE:
          *to = 0;
          for (const char *pair = pair_lists[step->variant]; *pair != 0; pair += 4)
            if (pair[2] == (char)('0' + device)) *to = a->of[pair[1] - '0'][i];
          break;
      }
    }
}

static bool are_equal_on_devices(const CollectiveGraph graphs[2]) {
  for (uint32_t tries = 0; tries < 40; tries++) {
    CollectiveArrays arrays[2][collective_most] = {};
    for (uint32_t k = 0; k < 2 * device_count * array_size; k++) {
      int32_t value = collective_below(3) == 0
                          ? (int32_t)collective_below(3) - 1
                          : wrapped_sum(collective_below(INT32_MAX) * INT64_C(3));
      for (uint32_t side = 0; side < 2; side++)
        arrays[side][k / (device_count * array_size)]
            .of[k / array_size % device_count][k % array_size] = value;
    }
    for (uint32_t side = 0; side < 2; side++)
      for (uint32_t at = 2; at < graphs[side].count; at++)
        run_collective(&graphs[side], at, arrays[side]);
    if (memcmp(&arrays[0][graphs[0].count - 1], &arrays[1][graphs[1].count - 1],
            sizeof(CollectiveArrays)) != 0)
      return false;
  }
  return true;
}

/* ---- both ---- */

static const Module *collectives_module(Arena *arena, const char *text) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", error.message, text);
  return module;
}

static void proved_values_are_equal_on_devices(void **) {
  const uint32_t rounds = test_length(1500, 80, 30);
  uint32_t counts[2][3] = {};
  MapContext *context = map_context_create();
  for (uint32_t i = 0; i < rounds; i++) {
    Arena *arena = arena_create();
    Smt *smt = smt_create(context, nullptr);
    CollectiveGraph graphs[2] = {draw_collectives()};
    graphs[1] = change_collectives(graphs[0]);
    const char *texts[] = {
        collectives_text(arena, &graphs[0]), collectives_text(arena, &graphs[1])};
    bool is_same = are_equal_on_devices(graphs);
    EquivValues values;
    Error error = {};
    EquivValuesVerdict *verdict = ARENA_NEW(arena, EquivValuesVerdict, 1);
    if (!equiv_values_open(arena, collectives_module(arena, texts[0]),
            collectives_module(arena, texts[1]),
            &(ValuesLimits){.elements = 4'000, .grade = LAW_EXACT, .steps = 6'000}, smt, &values,
            &error))
      fail_msg("%s", error.message);
    equiv_values_judge(&values, 0, verdict);
    Status status = equiv_values_status(verdict->answer);
    bool is_wrong = status == STATUS_PROVED ? !is_same : status == STATUS_REFUTED ? is_same : false;
    if (is_wrong || status == STATUS_BAD)
      fail_msg("%u, %s, equal on devices? %d (%s)\n%s%s", i, equiv_values_text(verdict->answer),
          is_same, verdict->reason, strstr(texts[0], "ENTRY"), strstr(texts[1], "ENTRY"));
    counts[is_same][status == STATUS_PROVED ? 1 : status == STATUS_REFUTED ? 2 : 0]++;
    equiv_values_close(&values);
    smt_destroy(smt);
    arena_destroy(arena);
  }
  map_context_destroy(context);
  print_message("same: %u proved, %u open; not: %u refuted, %u open\n", counts[1][1], counts[1][0],
      counts[0][2], counts[0][0]);
  assert_true(counts[1][1] > rounds / 20 && counts[0][2] > rounds / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proved_values_are_equal_on_devices),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
