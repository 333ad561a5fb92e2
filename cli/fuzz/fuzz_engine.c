/* A campaign against a foreign engine. The engine runs in another process without instrumentation,
 * so inputs come from mutated saved inputs and from a generator with a fixed seed. A finding is a
 * file that `affirm check --engine` judges again: a case with one or two maps, or a module with the
 * options of its question.
 * Keeps: questions that were not judged, not offered or rejected are counted in the table and are
 * no success. */
#include "cli/fuzz/fuzz_engine.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/engine_findings.h"
#include "cli/progress.h"
#include "cli/session_guard.h"
#include "cli/report/json.h"
#include "core/base/choices.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "generate/decode.h"
#include "generate/decode_map.h"
#include "generate/from_rules.h"
#include "generate/mutate.h"
#include "judge/maps/operations.h"

static constexpr size_t input_capacity = 512;
static constexpr uint32_t pool_capacity = 256;
/* Of a campaign of so many seconds, the time after it in which its last finding is made small. */
static constexpr double least_grace = 1, grace_share = 0.05;
static constexpr size_t seed_limit = (size_t)1 << 20;

typedef struct FuzzInput {
  size_t size;
  uint8_t bytes[input_capacity];
} FuzzInput;

/* What the report prints. */
typedef struct FuzzEngineCounts {
  Score scores[engine_verb_count];
  uint64_t inputs[engine_verb_count], unread;
  uint64_t refused[engine_verb_count]; /* questions; not those of a verb that is not offered */
  uint64_t avoidable;                  /* over-approximations where affirm's own map is exact */
  struct {
    double seconds;                   /* since the start of the campaign */
    uint64_t questions;               /* questions of this target */
  } first[engine_verb_count];         /* at the first finding; 0 questions: there is none */
  uint64_t left_out;                  /* instructions with other opcodes */
  uint64_t unasked;                   /* questions about graphs that never reached the engine */
  uint64_t kept, known, lost, trials; /* of the findings */
  uint64_t requests, starts;          /* of the engine */
  FindingForms forms;
} FuzzEngineCounts;

typedef struct FuzzEngineHunt {
  Engine *engine;
  Judge *judge;
  const EngineCampaign *campaign;
  Arena *arena; /* rewound after each input */
  Arena *names;
  RuleSet rules;
  uint64_t state;
  double begin; /* of the campaign, by clock_wall */
  uint32_t pool_counts[engine_verb_count];
  FuzzInput *pools[engine_verb_count];
  OpcodeSet selected; /* of --opcodes: only these, also in called computations */
  EngineFindings findings;
  FuzzEngineCounts counts;
  pthread_mutex_t lock;  /* of the two below, which the guard thread uses after an interrupt */
  FuzzEngineCounts last; /* after the last input that was judged to its end */
  bool is_reported;
} FuzzEngineHunt;

/* Named as the fuzz programs are. For an engine that does not analyse graphs, target graph provides
 * the raw maps that it simplifies. */
static const char *const targets[engine_verb_count] = {"graph", "simplify", "compose"};

static uint64_t fuzz_engine_draw(FuzzEngineHunt *hunt) { return random_word(&hunt->state); }

/* Also checked between questions: a module has hundreds, and each may last until the engine's time
 * limit. */
static bool hunt_is_over(const FuzzEngineHunt *hunt) {
  bool is_late =
      hunt->campaign->seconds > 0 && clock_wall() - hunt->begin >= (double)hunt->campaign->seconds;
  return is_late || session_is_interrupted();
}

/* --- inputs --- */

static void add_to_pool(FuzzEngineHunt *hunt, EngineVerb verb, const void *bytes, size_t size) {
  uint32_t at = hunt->pool_counts[verb] < pool_capacity
                    ? hunt->pool_counts[verb]++
                    : (uint32_t)(fuzz_engine_draw(hunt) % pool_capacity);
  FuzzInput *input = &hunt->pools[verb][at];
  input->size = size < input_capacity ? size : input_capacity;
  if (input->size > 0) memcpy(input->bytes, bytes, input->size);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}
static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void read_seeds(FuzzEngineHunt *hunt, EngineVerb verb) {
  struct dirent **entries;
  const char *directory = arena_printf(hunt->arena, "%s/%s", hunt->campaign->seeds, targets[verb]);
  int count = scandir(directory, &entries, is_visible, by_name);
  for (int i = 0; i < count; i++) {
    Source source;
    Error error = {};
    if (file_read(hunt->arena, arena_printf(hunt->arena, "%s/%s", directory, entries[i]->d_name),
            seed_limit, &source, &error))
      add_to_pool(hunt, verb, source.text, source.length);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

static void mutate_bytes(FuzzEngineHunt *hunt, FuzzInput *input) {
  for (uint64_t times = 1 + fuzz_engine_draw(hunt) % 4; times > 0 && input->size > 0; times--) {
    uint8_t *byte = &input->bytes[fuzz_engine_draw(hunt) % input->size];
    *byte = fuzz_engine_draw(hunt) % 2 == 0 ? (uint8_t)fuzz_engine_draw(hunt)
                                            : (uint8_t)(*byte ^ (1 << fuzz_engine_draw(hunt) % 8));
  }
  if (fuzz_engine_draw(hunt) % 8 == 0) input->size = 1 + fuzz_engine_draw(hunt) % input_capacity;
}

static void draw_input(FuzzEngineHunt *hunt, EngineVerb verb, FuzzInput *input) {
  bool is_fresh = hunt->pool_counts[verb] == 0 || fuzz_engine_draw(hunt) % 2 == 0;
  if (is_fresh) {
    *input = (FuzzInput){.size = 8 + fuzz_engine_draw(hunt) % 160};
    for (size_t i = 0; i < input->size; i++) input->bytes[i] = (uint8_t)fuzz_engine_draw(hunt);
    if (fuzz_engine_draw(hunt) % 4 == 0) add_to_pool(hunt, verb, input->bytes, input->size);
    return;
  }
  *input = hunt->pools[verb][fuzz_engine_draw(hunt) % hunt->pool_counts[verb]];
  if (verb == ENGINE_ANALYSE)
    input->size = fuzz_mutate_graph(
        input->bytes, input->size, input_capacity, (uint32_t)fuzz_engine_draw(hunt), nullptr);
  else mutate_bytes(hunt, input);
}

/* --- one input --- */

static bool is_fault(const ScoreAnswer *answer) {
  return score_column_status(answer->column) == STATUS_REFUTED;
}

static void note_answer(FuzzEngineHunt *hunt, EngineVerb verb, const ScoreAnswer *answer) {
  hunt->counts.refused[verb] += answer->is_refusal;
  hunt->counts.avoidable += answer->is_avoidable && answer->column == SCORE_over_approximation;
}

static const char *stated(FuzzEngineHunt *hunt, const Map *map) {
  return map_text(hunt->arena, hunt->judge->context, map, MAP_STYLE_STATED);
}

/* Records a finding, and notes when the first of its target was kept. */
static void note_finding(
    FuzzEngineHunt *hunt, EngineVerb verb, const char *subject, const ScoreAnswer *answer) {
  const uint64_t kept = hunt->findings.kept, questions = hunt->counts.scores[verb].questions;
  const double seconds = clock_wall() - hunt->begin;
  engine_finding(&hunt->findings, verb, subject, answer);
  if (hunt->findings.kept > kept) session_note(STATUS_REFUTED);
  if (hunt->findings.kept == kept || hunt->counts.first[verb].questions > 0) return;
  hunt->counts.first[verb].seconds = seconds;
  hunt->counts.first[verb].questions = questions;
}

static void try_simplify(FuzzEngineHunt *hunt, const FuzzInput *input) {
  bool by_rules = input->size > 0 && input->bytes[0] >= 128;
  const Map *map = by_rules ? fuzz_map_from_rules(hunt->judge->context, &hunt->rules,
                                  input->bytes + 1, input->size - 1)
                            : fuzz_decode_map(hunt->judge->context, input->bytes, input->size);
  ScoreAnswer *answer = ARENA_NEW(hunt->arena, ScoreAnswer, 1);
  score_simplify(hunt->judge, hunt->arena, map, &hunt->counts.scores[ENGINE_SIMPLIFY], answer);
  note_answer(hunt, ENGINE_SIMPLIFY, answer);
  if (is_fault(answer)) note_finding(hunt, ENGINE_SIMPLIFY, stated(hunt, map), answer);
}

static void try_compose(FuzzEngineHunt *hunt, const FuzzInput *input) {
  FuzzPair pair = fuzz_decode_pair(hunt->judge->context, input->bytes, input->size);
  ScoreAnswer *answer = ARENA_NEW(hunt->arena, ScoreAnswer, 1);
  Error error = {};
  if (!score_compose(hunt->judge, hunt->arena, pair.first, pair.second,
          &hunt->counts.scores[ENGINE_COMPOSE], answer, &error))
    return;
  note_answer(hunt, ENGINE_COMPOSE, answer);
  if (!is_fault(answer)) return;
  note_finding(hunt, ENGINE_COMPOSE,
      arena_printf(hunt->arena, "%s ; %s", stated(hunt, pair.first), stated(hunt, pair.second)),
      answer);
}

static void score_add(Score *to, const Score *some) {
  to->questions += some->questions;
  to->seconds += some->seconds;
  if (some->slowest > to->slowest) to->slowest = some->slowest;
  for (uint32_t i = 0; i < score_column_count; i++) to->counts[i] += some->counts[i];
}

/* Counts a question as not asked if it never reached the engine, as when affirm's own analysis has
 * no map to simplify because the operand is not read. */
static void fuzz_engine_query(
    FuzzEngineHunt *hunt, const Module *module, const Question *question) {
  ScoreAnswer *answer = ARENA_NEW(hunt->arena, ScoreAnswer, 1);
  Score score = {};
  const uint64_t requests = engine_requests(hunt->engine);
  score_analyse(hunt->judge, hunt->arena, question, &score, answer);
  if (engine_requests(hunt->engine) == requests && !is_fault(answer)) {
    hunt->counts.unasked++;
    return;
  }
  score_add(&hunt->counts.scores[ENGINE_ANALYSE], &score);
  note_answer(hunt, ENGINE_ANALYSE, answer);
  if (!is_fault(answer)) return;
  Text text = text_create(hunt->arena);
  hlo_print(&text, module);
  note_finding(hunt, ENGINE_ANALYSE, text.bytes, answer);
  tested_module(hunt->judge, module);
}

/* Whether all opcodes of the instruction, also inside a fusion, are among --opcodes. An opcode that
 * the engine does not know would make all its results undefined. */
static bool is_selected(FuzzEngineHunt *hunt, const Instruction *instruction) {
  OpcodeSet used = {};
  opcode_set_add_instruction(&used, instruction);
  bool is_left_out =
      hunt->campaign->opcodes != nullptr && !opcode_set_contains(&hunt->selected, &used);
  hunt->counts.left_out += is_left_out;
  return !is_left_out;
}

static void try_graph(FuzzEngineHunt *hunt, const FuzzInput *input) {
  size_t length;
  const char *hlo = fuzz_decode_graph(hunt->arena, input->bytes, input->size, &length);
  Source *source = ARENA_NEW(hunt->arena, Source, 1);
  *source = (Source){.name = "decoded", .text = hlo, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(hunt->arena, source, &module, &error)) {
    hunt->counts.unread++;
    return;
  }
  tested_module(hunt->judge, module);
  for (uint32_t i = 0; i < module->entry->instruction_count && !hunt_is_over(hunt); i++) {
    ArenaMark mark = arena_mark(hunt->arena);
    QuestionList questions = {};
    if (is_selected(hunt, module->entry->instructions[i]))
      questions_add(hunt->arena, module->entry->instructions[i], &question_filter_all, &questions);
    for (uint32_t k = 0; k < questions.count && !hunt_is_over(hunt); k++)
      fuzz_engine_query(hunt, module, &questions.items[k]);
    arena_rewind(hunt->arena, mark);
  }
  indexer_reset(hunt->judge->indexer);
}

static void keep_counts(FuzzEngineHunt *hunt) {
  const FindingForms *forms = &hunt->findings.forms;
  bool is_new = hunt->last.kept != hunt->findings.kept;
  FindingForms copy = is_new ? finding_forms_copy(hunt->names, forms) : hunt->last.forms;
  pthread_mutex_lock(&hunt->lock);
  hunt->last = hunt->counts;
  hunt->last.kept = hunt->findings.kept;
  hunt->last.known = hunt->findings.known;
  hunt->last.lost = hunt->findings.lost;
  hunt->last.trials = hunt->findings.trials;
  hunt->last.forms = copy;
  hunt->last.requests = engine_requests(hunt->engine);
  hunt->last.starts = engine_starts(hunt->engine);
  pthread_mutex_unlock(&hunt->lock);
}

static void try_input(FuzzEngineHunt *hunt, EngineVerb verb) {
  FuzzInput input;
  draw_input(hunt, verb, &input);
  MapMark map_mark = map_context_mark(hunt->judge->context);
  ArenaMark mark = arena_mark(hunt->arena);
  hunt->counts.inputs[verb]++;
  session_at("input %llu of %s", (unsigned long long)hunt->counts.inputs[verb], targets[verb]);
  switch (verb) {
    case ENGINE_ANALYSE: try_graph(hunt, &input); break;
    case ENGINE_SIMPLIFY: try_simplify(hunt, &input); break;
    case ENGINE_COMPOSE: try_compose(hunt, &input); break;
  }
  keep_counts(hunt);
  map_context_rewind(hunt->judge->context, map_mark);
  arena_rewind(hunt->arena, mark);
}

/* --- the campaign --- */

static bool is_tried(const FuzzEngineHunt *hunt, EngineVerb verb) {
  if (hunt->campaign->target != nullptr && strcmp(hunt->campaign->target, targets[verb]) != 0)
    return false;
  bool gives_maps =
      engine_offers(hunt->engine, ENGINE_ANALYSE) || engine_offers(hunt->engine, ENGINE_SIMPLIFY);
  return verb == ENGINE_ANALYSE ? gives_maps : engine_offers(hunt->engine, verb);
}

static void show_progress(const FuzzEngineHunt *hunt, double seconds) {
  char line[256], left[48] = "";
  uint64_t questions = 0;
  for (uint32_t i = 0; i < engine_verb_count; i++) questions += hunt->counts.scores[i].questions;
  if (hunt->campaign->seconds > 0)
    snprintf(left, sizeof left, ", %.0f s left", (double)hunt->campaign->seconds - seconds);
  snprintf(line, sizeof line, "%.0f s, %s, %.0f a second, %s%s", seconds,
      counted(questions, "question"), (double)questions / (seconds > 0.1 ? seconds : 0.1),
      counted(hunt->findings.kept, "finding"), left);
  progress_line(line);
}

static void fuzz_engine_run(FuzzEngineHunt *hunt) {
  bool tried[engine_verb_count];
  const double seconds = (double)hunt->campaign->seconds;
  hunt->begin = clock_wall();
  hunt->findings.end =
      seconds > 0 ? hunt->begin + seconds + fmax(least_grace, grace_share * seconds) : 0;
  for (uint32_t i = 0; i < engine_verb_count; i++) tried[i] = is_tried(hunt, (EngineVerb)i);
  for (int64_t round = 0;
      !hunt_is_over(hunt) && (hunt->campaign->runs == 0 || round < hunt->campaign->runs); round++) {
    for (uint32_t i = 0; i < engine_verb_count; i++)
      if (tried[i]) try_input(hunt, (EngineVerb)i);
    show_progress(hunt, clock_wall() - hunt->begin);
  }
  progress_clear();
}

static bool has_judged_target(const FuzzEngineCounts *counts, uint32_t verb) {
  const Score *score = &counts->scores[verb];
  return score->counts[SCORE_exact] + score->counts[SCORE_over_approximation] > 0;
}

static void print_target(Text *text, const FuzzEngineCounts *counts, uint32_t verb) {
  const Score *score = &counts->scores[verb];
  text_printf(text, "%-9s %10" PRIu64 " inputs %10" PRIu64 " questions", targets[verb],
      counts->inputs[verb], score->questions);
  for (uint32_t i = 0; i < score_column_count; i++)
    if (score->counts[i] > 0)
      text_printf(text, ", %s %" PRIu64, score_column_text((ScoreColumn)i), score->counts[i]);
  text_printf(text, "; %.1f us a call",
      score->questions == 0 ? 0 : score->seconds / (double)score->questions * 1e6);
  if (counts->first[verb].questions > 0)
    text_printf(text, "; first finding after %.1f s, %s", counts->first[verb].seconds,
        counted(counts->first[verb].questions, "question"));
  text_string(text, "\n");
}

/* One target: its line, and its counts in the tally. */
static Status report_target(
    Text *text, const FuzzEngineCounts *counts, uint32_t verb, EngineTally *tally) {
  const Score *score = &counts->scores[verb];
  print_target(text, counts, verb);
  tally->refused += counts->refused[verb];
  for (uint32_t i = 0; i < score_column_count; i++) switch (score_column_status((ScoreColumn)i)) {
      case STATUS_PROVED: tally->passed += score->counts[i]; break;
      case STATUS_UNDECIDED: tally->open += score->counts[i]; break;
      case STATUS_REFUTED:
      case STATUS_BAD: break; /* counted as findings */
    }
  return has_judged_target(counts, verb) ? STATUS_PROVED : STATUS_UNDECIDED;
}

/* The questions that the engine was asked, and those that it answered with a map, or rightly with
 * none. Verbs that it does not offer are not asked. */
typedef struct EngineAsked {
  uint64_t asked, answered;
} EngineAsked;

static EngineAsked asked_of(const FuzzEngineCounts *counts) {
  EngineAsked sum = {};
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) {
    const Score *score = &counts->scores[verb];
    const uint64_t asked = score->questions - score->counts[SCORE_not_offered],
                   broken = score->counts[SCORE_malformed] + score->counts[SCORE_crashed] +
                            score->counts[SCORE_hung];
    sum.asked += asked;
    sum.answered += asked - broken - counts->refused[verb];
  }
  return sum;
}

static uint64_t refused_by(const FuzzEngineCounts *counts) {
  uint64_t refused = 0;
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) refused += counts->refused[verb];
  return refused;
}

static Status report_text(
    Text *text, const FuzzEngineHunt *hunt, const FuzzEngineCounts *counts, EngineTally *tally) {
  Status status = STATUS_PROVED;
  uint64_t questions = 0;
  tally->findings = counts->kept;
  tally->avoidable = counts->avoidable;
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) {
    if (counts->inputs[verb] == 0) continue;
    status = status_worse(status, report_target(text, counts, verb, tally));
    questions += counts->scores[verb].questions;
  }
  text_printf(text,
      "%s: %s, %s that show one of them, %" PRIu64
      " questions to make them small; %s, %s, %.0f s\n",
      engine_name(hunt->engine), counted(counts->kept, "finding"),
      counted(counts->known, "further input"), counts->trials, counted(counts->requests, "request"),
      counted(counts->starts, "start"), clock_wall() - hunt->begin);
  const EngineAsked asked = asked_of(counts);
  text_printf(text, "the engine answered %" PRIu64 " of %s\n", asked.answered,
      counted(asked.asked, "question"));
  if (counts->avoidable > 0)
    text_printf(text, "%s where affirm's own map is exact\n",
        counted(counts->avoidable, "over-approximation"));
  if (counts->kept > 0) status = STATUS_REFUTED;
  else if (questions == 0 || counts->unread + counts->lost + refused_by(counts) > 0)
    status = status_worse(status, STATUS_UNDECIDED);
  finding_forms_print(text, &counts->forms);
  if (counts->unasked > 0)
    text_printf(
        text, "not asked, without a map to simplify: %s\n", counted(counts->unasked, "question"));
  if (counts->left_out > 0)
    text_printf(text, "left out by --opcodes: %s\n", counted(counts->left_out, "instruction"));
  return status;
}

static void report_json(Text *text, const FuzzEngineHunt *hunt, const FuzzEngineCounts *counts) {
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) {
    const Score *score = &counts->scores[verb];
    if (counts->inputs[verb] == 0) continue;
    Json json = json_begin(text);
    json_string(&json, "target", targets[verb]);
    json_integer(&json, "inputs", (int64_t)counts->inputs[verb]);
    json_integer(&json, "questions", (int64_t)score->questions);
    Json columns = json_inside(&json, "counts");
    for (uint32_t i = 0; i < score_column_count; i++)
      json_integer(&columns, score_column_text((ScoreColumn)i), (int64_t)score->counts[i]);
    json_close(&columns);
    json_integer(&json, "nanoseconds", (int64_t)(score->seconds * 1e9));
    json_end(&json);
  }
  Json json = json_begin(text);
  json_string(&json, "engine", engine_name(hunt->engine));
  json_integer(&json, "findings", (int64_t)counts->kept);
  json_integer(&json, "further_inputs", (int64_t)counts->known);
  json_integer(&json, "not_asked", (int64_t)counts->unasked);
  json_integer(&json, "answered", (int64_t)asked_of(counts).answered);
  json_integer(&json, "refused", (int64_t)refused_by(counts));
  if (counts->avoidable > 0) json_integer(&json, "avoidable", (int64_t)counts->avoidable);
  json_integer(&json, "requests", (int64_t)counts->requests);
  json_integer(&json, "starts", (int64_t)counts->starts);
  json_integer(&json, "milliseconds", (int64_t)((clock_wall() - hunt->begin) * 1000));
  json_end(&json);
}

/* True for the first caller only. The lock is not held while printing, which may wait for the
 * reader. */
static bool takes_report(FuzzEngineHunt *hunt, FuzzEngineCounts *counts) {
  pthread_mutex_lock(&hunt->lock);
  bool is_first = !hunt->is_reported;
  hunt->is_reported = true;
  *counts = hunt->last;
  pthread_mutex_unlock(&hunt->lock);
  return is_first;
}

/* Adds a result for each target. */
static void keep_target_results(const FuzzEngineHunt *hunt, const FuzzEngineCounts *counts) {
  static const char *const names[engine_verb_count] = {
      "maps of random modules", "random maps to simplify", "random pairs of maps to compose"};
  for (uint32_t verb = 0; verb < engine_verb_count; verb++) {
    if (counts->inputs[verb] == 0) continue;
    bool is_open = counts->refused[verb] > 0 || !has_judged_target(counts, verb);
    Text text = text_create(hunt->arena);
    print_target(&text, counts, verb);
    text_printf(&text, "findings are in %s", hunt->findings.directory);
    results_add(
        hunt->campaign->results, &(Result){.part = "random inputs",
                                     .name = names[verb],
                                     .status = counts->first[verb].questions > 0 ? STATUS_REFUTED
                                               : is_open                         ? STATUS_UNDECIDED
                                                                                 : STATUS_PROVED,
                                     .text = text.bytes,
                                     .seconds = counts->scores[verb].seconds});
  }
}

static Status fuzz_engine_report(FuzzEngineHunt *hunt, EngineTally *tally) {
  FuzzEngineCounts counts;
  bool is_first = takes_report(hunt, &counts);
  Text text = text_create(hunt->arena);
  Status status = report_text(&text, hunt, &counts, tally);
  keep_target_results(hunt, &counts);
  if (hunt->campaign->is_json) {
    text.length = 0;
    report_json(&text, hunt, &counts);
  }
  if (is_first && hunt->campaign->found == nullptr && !session_print(text.bytes))
    status = STATUS_BAD;
  return status;
}

/* Called by the guard thread if the current question outlasts an interrupt, as when the engine
 * hangs. */
static void report_interrupted(void *state) {
  FuzzEngineHunt *hunt = state;
  FuzzEngineCounts counts;
  if (!takes_report(hunt, &counts) || hunt->campaign->found != nullptr) return;
  Arena *arena = arena_create();
  Text text = text_create(arena);
  if (hunt->campaign->is_json) report_json(&text, hunt, &counts);
  else {
    (void)report_text(&text, hunt, &counts, &(EngineTally){});
    text_string(&text, "not counted: the input that was interrupted\n");
  }
  (void)session_print(text.bytes);
  arena_destroy(arena);
}

static bool make_directory(const char *path) { return mkdir(path, 0755) == 0 || errno == EEXIST; }

static Status hunt_with(FuzzEngineHunt *hunt, EngineTally *tally, Error *error) {
  const EngineCampaign *campaign = hunt->campaign;
  bool any = false;
  if (campaign->opcodes != nullptr && !opcode_set_of_option(&hunt->selected, campaign->opcodes))
    return session_usage(
        "--opcodes needs opcodes separated by commas, not '%s'", campaign->opcodes);
  for (uint32_t i = 0; i < engine_verb_count; i++) any |= is_tried(hunt, (EngineVerb)i);
  if (!any)
    return session_usage(
        "the targets of an engine are graph, simplify and compose, if it offers them");
  if (!make_directory(campaign->directory) ||
      !make_directory(arena_printf(hunt->arena, "%s/findings", campaign->directory)))
    return session_usage("%s: %s", campaign->directory, strerror(errno));
  hunt->findings = (EngineFindings){.arena = hunt->names,
      .judge = hunt->judge,
      .found = campaign->found,
      .state = campaign->state,
      .baseline = campaign->baseline,
      .faults = campaign->faults,
      .directory = arena_printf(hunt->names, "%s/findings", campaign->directory)};
  if (!rules_engine(hunt->arena, &hunt->rules, error)) return session_fail(error);
  for (uint32_t i = 0; i < engine_verb_count; i++) {
    hunt->pools[i] = ARENA_NEW(hunt->arena, FuzzInput, pool_capacity);
    if (campaign->seeds != nullptr) read_seeds(hunt, (EngineVerb)i);
  }
  keep_counts(hunt);
  session_on_end(report_interrupted, hunt);
  fuzz_engine_run(hunt);
  Status status = fuzz_engine_report(hunt, tally);
  session_not_on_end(hunt);
  return status;
}

Status fuzz_engine(Engine *engine, const EngineCampaign *campaign, EngineTally *tally) {
  Error error = {};
  Arena *arena = arena_create();
  FuzzEngineHunt hunt = {.engine = engine,
      .campaign = campaign,
      .arena = arena,
      .names = arena_create(),
      .state = (uint64_t)campaign->seed,
      .lock = PTHREAD_MUTEX_INITIALIZER};
  hunt.judge = judge_create(&(JudgeOptions){.engine = engine,
                                .without_smt = true,
                                .oracle = {.elements = 4096, .pairs = 1 << 18, .assignments = 16}},
      &error);
  if (hunt.judge != nullptr) hunt.judge->exactness = campaign->exactness;
  Status status = hunt.judge == nullptr ? session_fail(&error) : hunt_with(&hunt, tally, &error);
  judge_destroy(hunt.judge);
  arena_destroy(hunt.names);
  arena_destroy(arena);
  return status;
}
