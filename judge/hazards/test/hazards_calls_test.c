/* Random scheduled programs run step by step on a memory that knows which write each of its
 * elements is from. They call computations, at once or at some time until that is waited for,
 * choose between them, and loop. If a step, or the end, reads an element that is no longer the one
 * of the value that it names, whichever branches are chosen, then a hazard is found or the module
 * is left open; if no step does, none is found. A choice of branches that return arrays in
 * different memories is left open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/hazards/hazards.h"

static uint64_t state_of_calls = 9;

static uint32_t called_below(uint32_t end) {
  state_of_calls = state_of_calls * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_calls >> 33) % end;
}

/* ---- programs ---- */

typedef enum CalledKind : uint8_t {
  CALLED_PARAMETER,
  CALLED_UPDATE, /* of `a` by `b` from `start` on, in place */
  CALLED_SLICE,  /* two elements of `a` */
  CALLED_ADD,
  CALLED_CALL,   /* of `callee` with as many of `a` and `b` as it has parameters */
  CALLED_CHOICE, /* `callee` with `a` or `other` with `b` */
  CALLED_LOOP,   /* `callee`, which starts with `a` and `b` */
  CALLED_START,  /* a call that runs now, or only when it is done; it is no array */
  CALLED_DONE,   /* of the start `a` */
  CALLED_SECOND, /* the second result of the step before */
} CalledKind;

static constexpr uint32_t called_size = 4, called_part = 2, most_called = 16, most_bodies = 4;

typedef struct CalledStep {
  CalledKind kind;
  uint32_t size, a, b, start, callee, other;
  bool is_needed; /* by a result of its body; all of ENTRY are */
} CalledStep;

/* The arrays are numbered: the parameters, then one for each step. */
typedef struct CalledBody {
  uint32_t parameters, count, result_count, results[2];
  CalledStep steps[most_called];
  bool is_called, is_looped;
} CalledBody;

/* A body calls earlier ones; the last one is ENTRY. */
typedef struct CalledProgram {
  uint32_t count;
  CalledBody bodies[most_bodies];
  bool is_aliased; /* the first output is stored in the buffer of the first parameter */
} CalledProgram;

static uint32_t draw_called_array(const CalledBody *body, bool is_whole) {
  for (;;) {
    uint32_t at = called_below(body->count);
    uint32_t size = body->steps[at].size;
    if (size == called_size || (!is_whole && size > 0)) return at;
  }
}

/* An earlier body with these numbers of parameters and results (0: any); UINT32_MAX if there is
 * none. */
static uint32_t draw_callee(
    const CalledProgram *program, uint32_t end, uint32_t parameters, uint32_t results) {
  for (uint32_t tries = 0; end > 0 && tries < 6; tries++) {
    uint32_t at = called_below(end);
    const CalledBody *body = &program->bodies[at];
    if ((parameters == 0 || body->parameters == parameters) &&
        (results == 0 || body->result_count == results))
      return at;
  }
  return UINT32_MAX;
}

static bool calls_bodies(const CalledStep *step) {
  return step->kind == CALLED_CALL || step->kind == CALLED_CHOICE || step->kind == CALLED_LOOP ||
         step->kind == CALLED_START;
}

/* The array in whose memory the array is, within the body. */
static uint32_t called_first(const CalledBody *body, uint32_t at) {
  while (body->steps[at].kind == CALLED_UPDATE) at = body->steps[at].a;
  return at;
}

/* Whether the result is the parameter of the same number, or new. */
static bool can_be_in_place(const CalledBody *body, uint32_t result) {
  uint32_t first = called_first(body, body->results[result]);
  return first == result || body->steps[first].kind == CALLED_ADD;
}

/* Whether each result of the body is its parameter of this number, or new in a place of its own:
 * others would have to be copied. */
static bool can_be_looped(const CalledBody *body) {
  if (body->parameters != 2 || body->result_count != 2) return false;
  return called_first(body, body->results[0]) != called_first(body, body->results[1]) &&
         can_be_in_place(body, 0) && can_be_in_place(body, 1);
}

/* The second result of the last step, if it has two. */
static void add_second(CalledBody *body, uint32_t results) {
  CalledStep second = {.kind = CALLED_SECOND, .size = called_size, .a = body->count - 1};
  if (results == 2) body->steps[body->count++] = second;
}

static void draw_called_step(CalledProgram *program, uint32_t at) {
  CalledBody *body = &program->bodies[at];
  CalledStep step = {.kind = (CalledKind)(1 + called_below(CALLED_START)), .size = called_size};
  if (called_below(4) == 0) step.kind = CALLED_UPDATE;
  step.a = draw_called_array(body, true);
  step.b = draw_called_array(body, step.kind != CALLED_UPDATE);
  step.start = called_below(called_size - called_part + 1);
  if (step.kind == CALLED_SLICE) step.size = called_part;
  if (step.kind == CALLED_START) step.size = 0;
  if (calls_bodies(&step)) {
    bool is_choice = step.kind == CALLED_CHOICE, is_loop = step.kind == CALLED_LOOP;
    step.callee = draw_callee(program, at, is_choice ? 1 : is_loop ? 2 : 0, is_loop ? 2 : 0);
    if (step.callee == UINT32_MAX) return;
    step.other = is_choice ? draw_callee(program, at, 1, program->bodies[step.callee].result_count)
                           : step.callee;
    if (step.other == UINT32_MAX) return;
    if (is_loop && !can_be_looped(&program->bodies[step.callee])) return;
  }
  body->steps[body->count++] = step;
  if (calls_bodies(&step) && step.kind != CALLED_START)
    add_second(body, program->bodies[step.callee].result_count);
}

/* Ends a call that was started, if there is one. */
static bool draw_done(CalledProgram *program, uint32_t of) {
  CalledBody *body = &program->bodies[of];
  uint32_t ended = 0;
  for (uint32_t at = body->count; at-- > body->parameters;) {
    const CalledStep *start = &body->steps[at];
    if (start->kind == CALLED_DONE) ended |= 1u << start->a;
    if (start->kind != CALLED_START || (ended >> at & 1) != 0) continue;
    body->steps[body->count++] =
        (CalledStep){.kind = CALLED_DONE, .size = called_size, .a = at, .callee = start->callee};
    add_second(body, program->bodies[start->callee].result_count);
    return true;
  }
  return false;
}

static bool is_called_body(const CalledBody *body) { return body->is_called || body->is_looped; }

/* Bodies call earlier ones, so that the later ones are marked first. */
static void mark_called(CalledProgram *program) {
  program->bodies[program->count - 1].is_called = true;
  for (uint32_t i = program->count; i-- > 0;)
    for (uint32_t k = 0; is_called_body(&program->bodies[i]) && k < program->bodies[i].count; k++) {
      const CalledStep *step = &program->bodies[i].steps[k];
      if (step->kind == CALLED_LOOP) program->bodies[step->callee].is_looped = true;
      else if (calls_bodies(step))
        program->bodies[step->callee].is_called = program->bodies[step->other].is_called = true;
    }
}

/* Whether the step's value depends on that of the array. */
static bool uses_called(
    const CalledProgram *program, const CalledBody *body, const CalledStep *step, uint32_t array) {
  bool takes_two = step->kind == CALLED_UPDATE || step->kind == CALLED_ADD ||
                   step->kind == CALLED_CHOICE || step->kind == CALLED_LOOP ||
                   ((step->kind == CALLED_CALL || step->kind == CALLED_START) &&
                       program->bodies[step->callee].parameters == 2);
  bool is_replaced = step->kind == CALLED_UPDATE && body->steps[step->b].size == called_size,
       takes_one = step->kind != CALLED_PARAMETER && step->kind != CALLED_SECOND && !is_replaced;
  return (takes_one && step->a == array) || (takes_two && step->b == array);
}

/* Which steps of called bodies reach results. Of the others only updates are kept: whether a call
 * that computes something in vain reads too late is not stated. */
static bool mark_needed(CalledProgram *program) {
  for (uint32_t i = 0; i < program->count; i++) {
    CalledBody *body = &program->bodies[i];
    uint32_t needed = i + 1 == program->count ? UINT32_MAX : 0;
    for (uint32_t k = 0; k < body->result_count; k++) needed |= 1u << body->results[k];
    for (uint32_t k = body->count; is_called_body(body) && k-- > body->parameters;) {
      CalledStep *step = &body->steps[k];
      step->is_needed = (needed >> k & 1) != 0;
      if (!step->is_needed && step->kind != CALLED_UPDATE) return false;
      for (uint32_t at = 0; at < k; at++)
        if (step->is_needed && uses_called(program, body, step, at)) needed |= 1u << at;
    }
  }
  return true;
}

static CalledProgram draw_called(void) {
  CalledProgram program = {.count = 2 + called_below(most_bodies - 1)};
  for (uint32_t i = 0; i < program.count; i++) {
    CalledBody *body = &program.bodies[i];
    bool is_entry = i + 1 == program.count;
    bool is_loop = !is_entry && called_below(2) == 0;
    body->parameters = body->count = is_entry || is_loop ? 2 : 1 + called_below(2);
    for (uint32_t k = 0; k < body->parameters; k++) body->steps[k].size = called_size;
    for (uint32_t steps = called_below(3) + (is_entry ? 2 : 0); steps > 0; steps--) {
      draw_called_step(&program, i);
      if (called_below(2) == 0) (void)draw_done(&program, i);
    }
    while (draw_done(&program, i)) continue;
    body->result_count = is_loop ? 2 : 1 + called_below(2);
    for (uint32_t tries = is_loop ? 8 : 1; tries > 0; tries--) {
      for (uint32_t k = 0; k < body->result_count; k++)
        body->results[k] = draw_called_array(body, true);
      if (is_loop && can_be_looped(body)) break;
    }
  }
  mark_called(&program);
  program.is_aliased =
      called_below(2) == 0 && can_be_in_place(&program.bodies[program.count - 1], 0);
  return program;
}

/* ---- as text ---- */

#define LOOPED "(s32[], s32[4]{0}, s32[4]{0})"

static void print_start(
    Text *text, const CalledProgram *program, const CalledStep *step, uint32_t at) {
  static const char *const arrays[] = {"", "s32[4]{0}", "(s32[4]{0}, s32[4]{0})"};
  const CalledBody *callee = &program->bodies[step->callee];
  text_printf(text, "s%u = (%s, %s, u32[]) async-start(v%u", at,
      callee->parameters == 1 ? "(s32[4]{0})" : arrays[2], arrays[callee->result_count], step->a);
  if (callee->parameters == 2) text_printf(text, ", v%u", step->b);
  text_printf(text, "), calls=f%u\n", step->callee);
}

static void print_called_step(Text *text, const CalledProgram *program, uint32_t of, uint32_t at) {
  static const char *const results[] = {"", "s32[4]{0}", "(s32[4]{0}, s32[4]{0})"};
  const CalledStep *step = &program->bodies[of].steps[at];
  uint32_t count = program->bodies[step->callee].result_count;
  switch (step->kind) {
    case CALLED_PARAMETER: text_printf(text, "v%u = s32[4]{0} parameter(%u)\n", at, at); return;
    case CALLED_UPDATE:
      text_printf(text, "v%u = s32[4]{0} dynamic-update-slice(v%u, v%u, c%u)\n", at, step->a,
          step->b, step->start);
      return;
    case CALLED_SLICE:
      text_printf(text, "v%u = s32[2]{0} slice(v%u), slice={[%u:%u]}\n", at, step->a, step->start,
          step->start + called_part);
      return;
    case CALLED_ADD:
      text_printf(text, "v%u = s32[4]{0} add(v%u, v%u)\n", at, step->a, step->b);
      return;
    case CALLED_SECOND:
      text_printf(text, "v%u = s32[4]{0} get-tuple-element(t%u), index=%u\n", at, step->a,
          program->bodies[of].steps[step->a].kind == CALLED_LOOP ? 2 : 1);
      return;
    case CALLED_LOOP:
      text_printf(text,
          "i%u = " LOOPED " tuple(c0, v%u, v%u)\n"
          "t%u = " LOOPED " while(i%u), condition=condition, body=w%u\n"
          "v%u = s32[4]{0} get-tuple-element(t%u), index=1\n",
          at, step->a, step->b, at, at, step->callee, at, at);
      return;
    case CALLED_START: print_start(text, program, step, at); return;
    case CALLED_DONE:
    case CALLED_CALL:
    case CALLED_CHOICE: break;
  }
  text_printf(text, "%s%u = %s ", count == 1 ? "v" : "t", at, results[count]);
  if (step->kind == CALLED_DONE) text_printf(text, "async-done(s%u)\n", step->a);
  else if (step->kind == CALLED_CHOICE)
    text_printf(text, "conditional(p, v%u, v%u), true_computation=f%u, false_computation=f%u\n",
        step->a, step->b, step->callee, step->other);
  else if (program->bodies[step->callee].parameters == 1)
    text_printf(text, "call(v%u), to_apply=f%u\n", step->a, step->callee);
  else text_printf(text, "call(v%u, v%u), to_apply=f%u\n", step->a, step->b, step->callee);
  if (count == 2) text_printf(text, "v%u = s32[4]{0} get-tuple-element(t%u), index=0\n", at, at);
}

static void print_called_body(
    Text *text, const CalledProgram *program, uint32_t of, bool is_entry, bool is_loop) {
  const CalledBody *body = &program->bodies[of];
  text_printf(text, is_entry ? "ENTRY e {\n" : is_loop ? "w%u {\n" : "f%u {\n", of);
  for (uint32_t c = 0; c <= called_size - called_part; c++)
    text_printf(text, "c%u = s32[] constant(%u)\n", c, c);
  text_string(text, "p = pred[] custom-call(), custom_call_target=\"p\"\n");
  if (is_loop)
    text_string(text, "t = " LOOPED " parameter(0)\nn = s32[] get-tuple-element(t), index=0\n"
                      "m = s32[] add(n, c1)\n");
  for (uint32_t k = 0; k < body->count; k++)
    if (is_loop && k < body->parameters)
      text_printf(text, "v%u = s32[4]{0} get-tuple-element(t), index=%u\n", k, k + 1);
    else print_called_step(text, program, of, k);
  if (is_loop)
    text_printf(
        text, "ROOT r = " LOOPED " tuple(m, v%u, v%u)\n}\n", body->results[0], body->results[1]);
  else if (body->result_count == 1)
    text_printf(text, "ROOT r = s32[4]{0} bitcast(v%u)\n}\n", body->results[0]);
  else
    text_printf(text, "ROOT r = (s32[4]{0}, s32[4]{0}) tuple(v%u, v%u)\n}\n", body->results[0],
        body->results[1]);
}

static const char *called_text(Arena *arena, const CalledProgram *program) {
  Text text = text_create(arena);
  uint32_t outputs = program->bodies[program->count - 1].result_count;
  text_string(&text, "HloModule m, is_scheduled=true");
  if (program->is_aliased)
    text_printf(
        &text, ", input_output_alias={ {%s}: (0, {}, may-alias) }", outputs == 1 ? "" : "0");
  text_string(&text, "\ncondition {\nt = " LOOPED " parameter(0)\n"
                     "n = s32[] get-tuple-element(t), index=0\nk = s32[] constant(9)\n"
                     "ROOT l = pred[] compare(n, k), direction=LT\n}\n");
  for (uint32_t i = 0; i < program->count; i++) {
    const CalledBody *body = &program->bodies[i];
    if (body->is_called) print_called_body(&text, program, i, i + 1 == program->count, false);
    if (body->is_looped) print_called_body(&text, program, i, false, true);
  }
  return text.bytes;
}

/* ---- on a memory ---- */

typedef struct CalledValue {
  uint32_t memory, contents[called_size]; /* the write that each element is from */
} CalledValue;

static constexpr uint32_t most_memories = 400;

typedef struct CalledRun {
  const CalledProgram *program;
  uint32_t memory[most_memories][called_size]; /* the last write to each element */
  uint32_t memories, writes, choices, made_choices;
  bool reads_in_vain; /* what updates read that no result needs counts too */
  bool is_stale;      /* an element was read after it was overwritten */
  bool must_be_open;  /* the branches of a choice return arrays in different memories */
} CalledRun;

static void called_read(CalledRun *run, const CalledValue *value, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++)
    run->is_stale |= run->memory[value->memory][i] != value->contents[i];
}

static void called_write(CalledRun *run, CalledValue *value, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++)
    run->memory[value->memory][i] = value->contents[i] = ++run->writes;
}

static CalledValue called_new(CalledRun *run, uint32_t size) {
  CalledValue value = {.memory = run->memories++};
  assert_true(run->memories <= most_memories);
  called_write(run, &value, 0, size);
  return value;
}

static void called_run(CalledRun *run, uint32_t of, uint32_t in_place, const CalledValue *arguments,
    CalledValue results[2]);

/* Where a branch returns a result: in a memory that was there, in a new one, or in that of its
 * first result. */
static void compare_branches(CalledRun *run, const CalledStep *step, const CalledValue given[2]) {
  uint32_t count = run->program->bodies[step->callee].result_count, places[2][2];
  for (uint32_t side = 0; side < 2; side++) {
    CalledRun alone = *run;
    CalledValue results[2];
    called_run(&alone, side == 0 ? step->callee : step->other, 0, &given[side], results);
    for (uint32_t i = 0; i < count; i++) {
      bool is_new = results[i].memory >= run->memories,
           is_first = i > 0 && results[i].memory == results[0].memory;
      places[side][i] = !is_new ? results[i].memory : is_first ? UINT32_MAX - 1 : UINT32_MAX;
    }
    run->must_be_open |= alone.must_be_open;
  }
  for (uint32_t i = 0; i < count; i++) run->must_be_open |= places[0][i] != places[1][i];
}

/* The first results `in_place` are in the memory of the parameters. The recursion ends, since
 * bodies call earlier ones. */
static void called_run(CalledRun *run, uint32_t of, uint32_t in_place, const CalledValue *arguments,
    CalledValue results[2]) {
  const CalledBody *body = &run->program->bodies[of];
  CalledValue values[most_called + 1] = {}, second = {}, started[most_called][2];
  bool is_late[most_called];
  for (uint32_t at = 0; at < body->count; at++) {
    const CalledStep *step = &body->steps[at];
    const CalledValue given[] = {values[step->a], values[step->b]};
    CalledValue made[2];
    switch (step->kind) {
      case CALLED_PARAMETER: values[at] = arguments[at]; break;
      case CALLED_UPDATE: {
        uint32_t size = body->steps[step->b].size, last = called_size - size,
                 start = step->start < last ? step->start : last;
        if (step->is_needed || run->reads_in_vain) {
          called_read(run, &given[0], 0, start);
          called_read(run, &given[0], start + size, called_size - start - size);
          called_read(run, &given[1], 0, size);
        }
        values[at] = given[0];
        called_write(run, &values[at], start, size);
        break;
      }
      case CALLED_SLICE:
        called_read(run, &given[0], step->start, called_part);
        values[at] = called_new(run, called_part);
        break;
      case CALLED_ADD:
        called_read(run, &given[0], 0, called_size);
        called_read(run, &given[1], 0, called_size);
        values[at] = called_new(run, called_size);
        for (uint32_t k = 0; k < in_place; k++) {
          if (called_first(body, body->results[k]) != at) continue;
          values[at].memory = arguments[k].memory;
          called_write(run, &values[at], 0, called_size);
        }
        break;
      case CALLED_LOOP: {
        static constexpr uint32_t turns = 2; /* of nine: the next ones are like the second */
        memcpy(made, given, sizeof made);
        for (uint32_t turn = 0; turn < turns; turn++) {
          const CalledValue carried[] = {made[0], made[1]};
          called_run(run, step->callee, 2, carried, made);
        }
        values[at] = made[0];
        second = made[1];
        break;
      }
      case CALLED_CALL:
      case CALLED_CHOICE: {
        if (step->kind == CALLED_CHOICE) compare_branches(run, step, given);
        bool is_other =
            step->kind == CALLED_CHOICE && (run->choices >> run->made_choices++ & 1) != 0;
        called_run(
            run, is_other ? step->other : step->callee, 0, is_other ? &given[1] : given, made);
        values[at] = made[0];
        second = made[1];
        break;
      }
      case CALLED_START:
        is_late[at] = (run->choices >> run->made_choices++ & 1) != 0;
        memcpy(started[at], given, sizeof given);
        if (!is_late[at]) called_run(run, step->callee, 0, given, started[at]);
        break;
      case CALLED_DONE:
        memcpy(made, started[step->a], sizeof made);
        if (is_late[step->a]) called_run(run, step->callee, 0, started[step->a], made);
        values[at] = made[0];
        second = made[1];
        break;
      case CALLED_SECOND: values[at] = second; break;
    }
  }
  for (uint32_t i = 0; i < body->result_count; i++) {
    results[i] = values[body->results[i]];
    called_read(run, &results[i], 0, called_size); /* to return it */
  }
}

typedef struct CalledOutcome {
  bool is_stale, must_be_open;
} CalledOutcome;

/* For all choices of the branches, of which there are few. */
static CalledOutcome called_outcome(const CalledProgram *program, bool reads_in_vain) {
  CalledOutcome outcome = {};
  uint32_t made_choices = 0, last = program->count - 1;
  for (uint32_t choices = 0; choices < 1u << made_choices || choices == 0; choices++) {
    CalledRun run = {.program = program, .choices = choices, .reads_in_vain = reads_in_vain};
    CalledValue results[2];
    const CalledValue arguments[] = {called_new(&run, called_size), called_new(&run, called_size)};
    called_run(&run, last, program->is_aliased, arguments, results);
    outcome.is_stale |= run.is_stale;
    outcome.must_be_open |= run.must_be_open;
    if (run.made_choices > made_choices) made_choices = run.made_choices;
    assert_true(made_choices < 12);
  }
  return outcome;
}

/* ---- both ---- */

static HazardAnswer called_answer(Arena *arena, const char *text) {
  Source source = {.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  HazardPairs pairs;
  Error error = {};
  HazardAnswer answer = HAZARD_NONE;
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  if (!hazard_pairs(arena, module, &pairs, &error)) fail_msg("%s\n%s", text, error.message);
  for (uint32_t i = 0; i < pairs.count; i++) {
    HazardVerdict verdict;
    oracle_hazard_query(arena, &pairs.items[i].question, &verdict);
    if (verdict.answer == HAZARD_UNKNOWN) return HAZARD_UNKNOWN; /* whatever else is found */
    if (verdict.answer == HAZARD_FOUND) answer = HAZARD_FOUND;
  }
  return answer;
}

static void hazards_of_calls_are_reads_of_what_was_overwritten(void **) {
  const uint32_t rounds = test_length(20000, 6000, 600);
  uint32_t seen[2][3] = {}, looped = 0, late = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    Arena *arena = arena_create();
    CalledProgram program;
    do program = draw_called();
    while (!mark_needed(&program));
    const char *text = called_text(arena, &program);
    CalledOutcome outcome = called_outcome(&program, false),
                  in_vain = called_outcome(&program, true);
    HazardAnswer answer = called_answer(arena, text);
    const char *fault = nullptr;
    if (answer == HAZARD_NONE && outcome.is_stale) fault = "no hazard is found";
    if (answer == HAZARD_FOUND && !in_vain.is_stale) fault = "a hazard is found";
    if (answer != HAZARD_UNKNOWN && outcome.must_be_open) fault = "it is not open";
    if (fault != nullptr) {
      fputs(text, stderr);
      fail_msg("%u: %s", i, fault);
    }
    seen[outcome.is_stale][answer == HAZARD_FOUND ? 1 : answer == HAZARD_UNKNOWN ? 2 : 0]++;
    looped += strstr(text, "while") != nullptr;
    late += strstr(text, "async-start") != nullptr;
    arena_destroy(arena);
  }
  print_message("%u loops; %u found, %u open; without: %u none, %u open\n", looped, seen[1][1],
      seen[1][2], seen[0][0], seen[0][2]);
  assert_true(seen[1][1] > rounds / 5 && seen[0][0] > rounds / 5 && looped > rounds / 20 &&
              late > rounds / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hazards_of_calls_are_reads_of_what_was_overwritten),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
