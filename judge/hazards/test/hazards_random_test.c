/* Random scheduled programs over two buffers, run step by step on a memory that knows which write
 * each of its elements is from. A hazard is found if and only if some step, or the end, reads an
 * element that is no longer the one of the value that it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/hazards/hazards.h"

static uint64_t state_of_schedules = 5;

static uint32_t schedule_below(uint32_t end) {
  state_of_schedules =
      state_of_schedules * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_schedules >> 33) % end;
}

/* ---- programs ---- */

typedef enum ScheduledKind : uint8_t {
  SCHEDULED_PARAMETER,
  SCHEDULED_UPDATE, /* of `a` by `b` from `start` on, in place */
  SCHEDULED_FUSED,  /* the same in a fusion, which writes element by element */
  SCHEDULED_SLICE,  /* two elements of `a` */
  SCHEDULED_ADD,
  SCHEDULED_BITCAST,
  SCHEDULED_TUPLE, /* `a`, as an element of a tuple */
} ScheduledKind;

static constexpr uint32_t scheduled_size = 4, scheduled_part = 2, most_scheduled = 12;

typedef struct ScheduledStep {
  ScheduledKind kind;
  uint32_t size, a, b, start;
} ScheduledStep;

/* The arrays are numbered: three parameters, then one for each step. */
typedef struct ScheduledProgram {
  uint32_t count;
  ScheduledStep steps[most_scheduled];
  uint32_t root_at;        /* the root comes before this step; it may be the end */
  uint32_t returned_count; /* 0: the root is the last array, and no tuple */
  uint32_t returned[3];
  bool is_aliased; /* the first output is stored in the buffer of the first parameter */
} ScheduledProgram;

/* An array of the size among the first ones. */
static uint32_t draw_array(const ScheduledProgram *program, uint32_t end, bool is_whole) {
  for (;;) {
    uint32_t at = schedule_below(end);
    if (!is_whole || program->steps[at].size == scheduled_size) return at;
  }
}

static ScheduledStep draw_step(const ScheduledProgram *program) {
  ScheduledStep step = {.kind = (ScheduledKind)(1 + schedule_below(SCHEDULED_TUPLE)),
      .size = scheduled_size,
      .start = schedule_below(scheduled_size)};
  if (schedule_below(3) == 0) step.kind = SCHEDULED_UPDATE;
  step.a = draw_array(program, program->count, true);
  step.b = draw_array(program, program->count, step.kind == SCHEDULED_ADD);
  if (step.kind != SCHEDULED_SLICE) return step;
  step.size = scheduled_part;
  step.start %= scheduled_size - scheduled_part + 1;
  return step;
}

/* The array that was new, or the parameter, whose memory the array is in. */
static uint32_t first_array(const ScheduledProgram *program, uint32_t at) {
  for (;;) switch (program->steps[at].kind) {
      case SCHEDULED_UPDATE:
      case SCHEDULED_FUSED:
      case SCHEDULED_BITCAST:
      case SCHEDULED_TUPLE: at = program->steps[at].a; break;
      case SCHEDULED_PARAMETER:
      case SCHEDULED_SLICE:
      case SCHEDULED_ADD: return at;
    }
}

static uint32_t output_array(const ScheduledProgram *program) {
  return program->returned_count == 0 ? program->count - 1 : program->returned[0];
}

static ScheduledProgram draw_program(void) {
  ScheduledProgram program = {.count = 3};
  program.steps[0].size = program.steps[1].size = scheduled_size;
  program.steps[2].size = scheduled_part;
  for (uint32_t steps = 2 + schedule_below(6); steps > 0; steps--) {
    program.steps[program.count] = draw_step(&program);
    program.count++;
  }
  program.root_at = schedule_below(3) == 0 ? 3 + schedule_below(program.count - 2) : program.count;
  program.returned_count = schedule_below(4);
  if (program.steps[program.count - 1].kind == SCHEDULED_TUPLE) program.returned_count |= 1;
  for (uint32_t i = 0; i < program.returned_count; i++)
    program.returned[i] = draw_array(&program, program.root_at, true);
  uint32_t output = output_array(&program), first = first_array(&program, output);
  program.is_aliased = schedule_below(2) == 0 && first != 1 && first != 2 &&
                       program.steps[output].size == scheduled_size;
  return program;
}

/* ---- as text ---- */

static void print_step(Text *text, const ScheduledProgram *program, uint32_t at) {
  const ScheduledStep *step = &program->steps[at];
  const char *root = program->returned_count == 0 && at == program->count - 1 ? "ROOT " : "";
  switch (step->kind) {
    case SCHEDULED_PARAMETER:
      text_printf(text, "v%u = s32[%u]{0} parameter(%u)\n", at, step->size, at);
      break;
    case SCHEDULED_UPDATE:
      text_printf(text, "%sv%u = s32[4]{0} dynamic-update-slice(v%u, v%u, c%u)\n", root, at,
          step->a, step->b, step->start);
      break;
    case SCHEDULED_FUSED:
      text_printf(text, "%sv%u = s32[4]{0} fusion(v%u, v%u), kind=kLoop, calls=f%u_%u\n", root, at,
          step->a, step->b, program->steps[step->b].size, step->start);
      break;
    case SCHEDULED_SLICE:
      text_printf(text, "%sv%u = s32[2]{0} slice(v%u), slice={[%u:%u]}\n", root, at, step->a,
          step->start, step->start + scheduled_part);
      break;
    case SCHEDULED_ADD:
      text_printf(text, "%sv%u = s32[4]{0} add(v%u, v%u)\n", root, at, step->a, step->b);
      break;
    case SCHEDULED_BITCAST:
      text_printf(text, "%sv%u = s32[4]{0} bitcast(v%u)\n", root, at, step->a);
      break;
    case SCHEDULED_TUPLE:
      text_printf(text,
          "t%u = (s32[%u]{0}, s32[4]{0}) tuple(v%u, v%u)\n"
          "v%u = s32[4]{0} get-tuple-element(t%u), index=1\n",
          at, program->steps[step->b].size, step->b, step->a, at, at);
      break;
  }
}

static void print_root(Text *text, const ScheduledProgram *program) {
  if (program->returned_count == 0) return;
  text_string(text, "ROOT r = (");
  for (uint32_t i = 0; i < program->returned_count; i++)
    text_string(text, i == 0 ? "s32[4]{0}" : ", s32[4]{0}");
  text_string(text, ") tuple(");
  for (uint32_t i = 0; i < program->returned_count; i++)
    text_printf(text, "%sv%u", i == 0 ? "" : ", ", program->returned[i]);
  text_string(text, ")\n");
}

static const char *program_text(Arena *arena, const ScheduledProgram *program) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m, is_scheduled=true");
  if (program->is_aliased)
    text_printf(&text, ", input_output_alias={ {%s}: (0, {}, may-alias) }",
        program->returned_count == 0 ? "" : "0");
  for (uint32_t size = scheduled_part; size <= scheduled_size; size += scheduled_part)
    for (uint32_t start = 0; start < scheduled_size; start++)
      text_printf(&text,
          "\nf%u_%u {\na = s32[4]{0} parameter(0)\nb = s32[%u]{0} parameter(1)\n"
          "c = s32[] constant(%u)\nROOT d = s32[4]{0} dynamic-update-slice(a, b, c)\n}\n",
          size, start, size, start);
  text_string(&text, "ENTRY e {\n");
  for (uint32_t i = 0; i < scheduled_size; i++)
    text_printf(&text, "c%u = s32[] constant(%u)\n", i, i);
  for (uint32_t at = 0; at <= program->count; at++) {
    if (at == program->root_at) print_root(&text, program);
    if (at < program->count) print_step(&text, program, at);
  }
  text_string(&text, "}\n");
  return text.bytes;
}

/* ---- on a memory ---- */

typedef struct ScheduledMemory {
  uint32_t memories[most_scheduled];                 /* of each array */
  uint32_t contents[most_scheduled][scheduled_size]; /* the write that each element is from */
  uint32_t memory[most_scheduled][scheduled_size];   /* the last write to each element */
  uint32_t writes;
  bool is_stale; /* an element was read after it was overwritten */
} ScheduledMemory;

static void memory_read(ScheduledMemory *memory, uint32_t array, uint32_t element) {
  memory->is_stale |=
      memory->memory[memory->memories[array]][element] != memory->contents[array][element];
}

static void memory_write(ScheduledMemory *memory, uint32_t array, uint32_t element) {
  memory->memory[memory->memories[array]][element] = memory->contents[array][element] =
      ++memory->writes;
}

static void memory_update(
    ScheduledMemory *memory, const ScheduledProgram *program, uint32_t at, bool is_fused) {
  const ScheduledStep *step = &program->steps[at];
  uint32_t size = program->steps[step->b].size, last = scheduled_size - size,
           start = step->start < last ? step->start : last;
  for (uint32_t i = 0; i < scheduled_size; i++)
    if (i < start || i >= start + size) memory_read(memory, step->a, i);
  memory->memories[at] = memory->memories[step->a];
  memcpy(memory->contents[at], memory->contents[step->a], sizeof memory->contents[at]);
  for (uint32_t i = 0; i < size; i++) {
    if (is_fused || i == 0)
      for (uint32_t k = i; k < (is_fused ? i + 1 : size); k++) memory_read(memory, step->b, k);
    memory_write(memory, at, start + i);
  }
}

static void memory_step(ScheduledMemory *memory, const ScheduledProgram *program, uint32_t at) {
  const ScheduledStep *step = &program->steps[at];
  switch (step->kind) {
    case SCHEDULED_UPDATE:
    case SCHEDULED_FUSED: memory_update(memory, program, at, step->kind == SCHEDULED_FUSED); return;
    case SCHEDULED_BITCAST:
    case SCHEDULED_TUPLE:
      memory->memories[at] = memory->memories[step->a];
      memcpy(memory->contents[at], memory->contents[step->a], sizeof memory->contents[at]);
      return;
    case SCHEDULED_SLICE:
      for (uint32_t i = 0; i < scheduled_part; i++) memory_read(memory, step->a, step->start + i);
      break;
    case SCHEDULED_ADD:
      for (uint32_t i = 0; i < scheduled_size; i++) {
        memory_read(memory, step->a, i);
        memory_read(memory, step->b, i);
      }
      break;
    case SCHEDULED_PARAMETER: break;
  }
  bool is_output = program->is_aliased && first_array(program, output_array(program)) == at;
  memory->memories[at] = is_output ? 0 : at;
  for (uint32_t i = 0; i < step->size; i++) memory_write(memory, at, i);
}

static bool program_is_stale(const ScheduledProgram *program) {
  ScheduledMemory memory = {};
  for (uint32_t at = 0; at < program->count; at++) memory_step(&memory, program, at);
  for (uint32_t k = 0; k < (program->returned_count == 0 ? 1 : program->returned_count); k++) {
    uint32_t array = program->returned_count == 0 ? program->count - 1 : program->returned[k];
    for (uint32_t i = 0; i < program->steps[array].size; i++) memory_read(&memory, array, i);
  }
  return memory.is_stale;
}

/* ---- both ---- */

/* Whether a hazard is found. Nothing here is left undecided. */
static bool has_hazard(Arena *arena, const char *text) {
  Source source = {.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  HazardPairs pairs;
  Error error = {};
  bool is_found = false;
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  if (!hazard_pairs(arena, module, &pairs, &error)) fail_msg("%s\n%s", text, error.message);
  for (uint32_t i = 0; i < pairs.count; i++) {
    HazardVerdict verdict;
    oracle_hazard_query(arena, &pairs.items[i].question, &verdict);
    if (verdict.answer == HAZARD_UNKNOWN) fail_msg("%s\n%s", text, verdict.reason);
    is_found |= verdict.answer == HAZARD_FOUND;
  }
  return is_found;
}

static void hazards_are_reads_of_what_was_overwritten(void **) {
  uint32_t stale = 0, aliased = 0;
  static constexpr uint32_t rounds = 2000;
  for (uint32_t i = 0; i < rounds; i++) {
    Arena *arena = arena_create();
    ScheduledProgram program = draw_program();
    const char *text = program_text(arena, &program);
    bool is_stale = program_is_stale(&program);
    if (has_hazard(arena, text) != is_stale)
      fail_msg("%u: %s\n%s", i, is_stale ? "no hazard is found" : "a hazard is found", text);
    stale += is_stale;
    aliased += program.is_aliased;
    arena_destroy(arena);
  }
  assert_true(stale > rounds / 5 && stale < rounds - rounds / 5 && aliased > rounds / 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hazards_are_reads_of_what_was_overwritten),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
