/* affirm exhaust: judges every case of some scopes, prints one case, or lists the scopes. */
#include "cli/exhaust/exhaust.h"
#include "cli/help/help.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/engine_options.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/report/json.h"
#include "cli/report/results.h"
#include "cli/session.h"
#include "cli/session_guard.h"

static constexpr int64_t no_case = -1;

typedef struct Exhaust {
  const char *scope, *shard, *journal, *only, *opcodes;
  uint32_t tier;
  int64_t jobs, number, shown, stride, seconds, memory;
  bool list, resume, quiet, json;
  ExhaustOptions run;
  EngineSettings engine;
  Results results;
  Arena *arena;
  KnownFaults accepted;
  OpcodeSet selected; /* with --opcodes */
  ExhaustTally all;
  uint64_t ran, left_out; /* number of scopes; left_out: scopes without modules, which --opcodes
                             excludes */
} Exhaust;

/* The progress of all scopes. It is static because a scope's callback has no user state. */
static Progress bar;
static uint64_t bar_before; /* cases of finished scopes */

static void show_progress(const ScopePlan *plan, uint64_t cases, uint64_t, double) {
  progress_at(&bar, bar_before + cases, plan->scope->name);
}

static uint64_t cases_of_tier(Tier tier) {
  uint64_t cases = 0;
  for (uint32_t i = 0; i < scope_count; i++) cases += scope_cases(&scopes[i], tier);
  return cases;
}

static void list_limits(Text *text, MapGeneratorId generator, const ScopeSize *size) {
  const char *second = map_generator_limit(generator, 1);
  text_printf(text, "%u %s", size->rank, map_generator_limit(generator, 0));
  if (second[0] != 0) text_printf(text, ", %s %" PRId64, second, size->elements);
  text_string(text, ";");
}

static void list_size(Text *text, const Scope *scope, Tier tier) {
  const ScopeSize *size = &scope->sizes[tier];
  text_printf(text, " %s: ", tier_text(tier));
  switch (scope->kind) {
    case SCOPE_MAPS:
    case SCOPE_OPERATORS:
    case SCOPE_COMPOSITIONS: list_limits(text, (MapGeneratorId)scope->what, size); return;
    case SCOPE_RULES: text_printf(text, "%s;", counted(size->rank, "node")); return;
    case SCOPE_ALGEBRA:
      text_printf(
          text, "%s, %s;", counted(size->rank, "result"), counted(size->elements, "constraint"));
      return;
    case SCOPE_GRAPHS:
      text_printf(text, "%s of operations, %s;", counted(size->rank, "form"),
          counted(size->elements, "shape"));
      return;
    case SCOPE_PAIRS:
      text_printf(text, "%s of results, %" PRId64 " of constraints;", counted(size->rank, "form"),
          size->elements);
      return;
    case SCOPE_CHAIN:
    case SCOPE_MIXED:
    case SCOPE_EMPTY:
    case SCOPE_WRAPPED:
      text_printf(text, "rank %u, %s;", size->rank, counted(size->elements, "element"));
      return;
  }
}

static void list_left_out(Text *text) {
  text_string(text, "opcodes that no scope asks about\n");
#define LEFT_OUT(id, why) text_printf(text, "  %s: %s\n", opcode_name(HLO_##id), why);
#include "exhaust/scopes/scope_left_out.def"
#undef LEFT_OUT
}

/* A row is printed as soon as it is counted: counting all takes a second. */
static bool list_counts(Text *text, const Scope *scope, uint64_t *totals) {
  text->length = 0;
  text_printf(text, "%-22s", scope->name);
  for (Tier tier = TIER_GATE; tier <= TIER_FULL; tier++) {
    uint64_t cases = scope_cases(scope, tier);
    text_printf(text, " %16" PRIu64, cases);
    totals[tier] += cases;
  }
  text_string(text, "\n");
  bool goes_on = session_print(text->bytes);
  session_flush();
  return goes_on && !session_is_interrupted();
}

static void list_words(Text *text, const Scope *scope) {
  text_printf(text, "%s\n ", scope->name);
  for (Tier tier = TIER_GATE; tier <= TIER_FULL; tier++)
    if (scope->sizes[tier].rank > 0) list_size(text, scope, tier);
  text_string(text, "\n  ");
  scope_write_words(scope, text);
  Text left_out = text_create(text->arena);
  scope_write_left_out(scope, &left_out);
  if (left_out.length > 0) text_printf(text, "\n  left out: %s", left_out.bytes);
  text_string(text, "\n");
}

/* `only`: the one scope that is listed, or nullptr. */
static Status exhaust_list(const Exhaust *exhaust, const Scope *only) {
  Text text = text_create(exhaust->arena);
  text_printf(&text, "%-22s %16s %16s %16s\n", "scope", "gate", "nightly", "full");
  uint64_t totals[tier_count] = {};
  bool goes_on = session_print(text.bytes);
  for (uint32_t i = 0; i < scope_count && goes_on; i++)
    if (only == nullptr || only == &scopes[i]) goes_on = list_counts(&text, &scopes[i], totals);
  if (!goes_on) return session_is_interrupted() ? STATUS_UNDECIDED : STATUS_BAD;
  text.length = 0;
  if (only == nullptr)
    text_printf(&text, "%-22s %16" PRIu64 " %16" PRIu64 " %16" PRIu64 "\n", "all", totals[0],
        totals[1], totals[2]);
  text_string(&text, "symmetric cases dropped: 0, in every scope and tier\n\n");
  for (uint32_t i = 0; i < scope_count; i++)
    if (only == nullptr || only == &scopes[i]) list_words(&text, &scopes[i]);
  if (only == nullptr) list_left_out(&text);
  Text lines = text_create(exhaust->arena);
  help_wrap_lines(&lines, text.bytes);
  return session_print(lines.bytes) ? STATUS_PROVED : STATUS_BAD;
}

static Status print_case(Exhaust *exhaust, const ScopePlan *plan) {
  if ((uint64_t)exhaust->number >= plan->count)
    return session_usage("%s has cases 0 to %" PRIu64 " in tier %s", plan->scope->name,
        plan->count - 1, tier_text(plan->tier));
  Text text = text_create(exhaust->arena);
  if (scope_is_of_modules(plan->scope->kind))
    text_printf(&text, "// %s, tier %s, case %" PRId64 "\n", plan->scope->name,
        tier_text(plan->tier), exhaust->number);
  scope_write_case(plan, (uint64_t)exhaust->number, &text);
  return session_print(text.bytes) ? STATUS_PROVED : STATUS_BAD;
}

static constexpr uint64_t most_judged_again = 4096;

/* --only: whether the verdict is this word, or the fault of the foreign engine is of this kind. */
static bool is_wanted(const char *only, const Examiner *examiner) {
  bool wanted = only == nullptr;
  for (uint32_t i = 0; !wanted && i < exhaust_count_count; i++)
    wanted = examiner->last.counts[i] > 0 && strcmp(exhaust_count_text((ExhaustCount)i), only) == 0;
  for (uint32_t i = 0; !wanted && i < examiner->found_count; i++)
    wanted = fault_name_has_kind(examiner->found[i].text, only);
  return wanted;
}

static void report_cut(Examiner *examiner, size_t length) {
  examiner->report->length = length;
  examiner->report->bytes[length] = 0;
}

/* Adds the case to the report if its status is `wanted`; STATUS_BAD accepts every status. */
static bool explain_case(
    const Exhaust *exhaust, Examiner *examiner, const KeptCase *kept, Status wanted) {
  size_t length = examiner->report->length;
  Status status = examiner_explain(examiner, kept);
  if ((wanted == STATUS_BAD || status == wanted) && is_wanted(exhaust->only, examiner)) return true;
  report_cut(examiner, length);
  return false;
}

/* Explains the kept cases with the wanted status. Returns how many were explained. */
static uint64_t exhaust_explain(const Exhaust *exhaust, Examiner *examiner,
    const ExhaustResult *result, Status wanted, uint64_t most) {
  uint64_t count = 0;
  for (uint64_t i = 0;
      i < result->kept && i < most_judged_again && count < most && !session_is_interrupted(); i++)
    count += explain_case(exhaust, examiner, &result->named[i], wanted);
  return count;
}

/* Whether the group is wanted, and this is its smallest case. */
static bool group_is_of(const Exhaust *exhaust, const EngineFault *group, uint64_t number) {
  return group->witnesses[0].number == number &&
         (exhaust->only == nullptr || fault_name_has_kind(group->name.text, exhaust->only));
}

/* Names the wanted groups of which this is the smallest case. Returns the first one's number. */
static uint32_t print_groups_of(
    const Exhaust *exhaust, Text *text, const EngineFaults *faults, uint64_t number) {
  uint32_t first = UINT32_MAX;
  text_printf(text, "case %" PRIu64 " is the smallest of", number);
  for (uint32_t i = 0; i < faults->count; i++) {
    if (!group_is_of(exhaust, &faults->items[i], number)) continue;
    text_printf(text, "%s %s", first == UINT32_MAX ? "" : ",", faults->items[i].name.text);
    if (first == UINT32_MAX) first = i;
  }
  text_string(text, "\n");
  return first;
}

/* Explains the smallest case of each group, a case of several groups once. */
static uint64_t explain_groups(
    const Exhaust *exhaust, Examiner *examiner, const EngineFaults *faults, uint64_t most) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < faults->count && count < most && !session_is_interrupted(); i++) {
    KeptCase kept = {.number = faults->items[i].witnesses[0].number};
    const size_t length = examiner->report->length;
    if (print_groups_of(exhaust, examiner->report, faults, kept.number) == i &&
        explain_case(exhaust, examiner, &kept, STATUS_BAD))
      count++;
    else report_cut(examiner, length);
  }
  return count;
}

/* Names the first failed cases, then open ones: an interrupted run does not judge them again. */
static void name_cases(
    const Exhaust *exhaust, const ScopePlan *plan, const ExhaustResult *result, Text *text) {
  const uint64_t most = (uint64_t)exhaust->shown;
  if (result->kept == 0 || most == 0) return;
  if (exhaust->only != nullptr)
    text_printf(
        text, "not judged again, so these cases may end otherwise than as '%s':\n", exhaust->only);
  exhaust_print_cases(text, plan->scope->name, tier_text(plan->tier), result->named,
      result->kept < most ? result->kept : most, &result->tally);
}

/* Judges the first failed or open cases again to explain them. Lost cases are only named. */
static bool explain_cases(
    Exhaust *exhaust, const ScopePlan *plan, const ExhaustResult *result, Text *report) {
  Error error = {};
  const uint64_t most = (uint64_t)exhaust->shown;
  Examiner *examiner = examiner_create_of(plan, nullptr, exhaust->run.engine, &error);
  if (examiner == nullptr) return session_fail(&error) == STATUS_PROVED;
  examiner->report = report;
  examiner->accepted = exhaust->run.accepted;
  examiner->simplifies_twice = exhaust->run.simplifies_twice;
  examiner->opcodes = exhaust->run.opcodes;
  if (exhaust->run.wants_exact) examiner_want_exact(examiner);
  examiner->replay = arena_printf(
      exhaust->arena, "--scope %s --tier %s", plan->scope->name, tier_text(plan->tier));
  examiner_call_all(
      examiner, exhaust->stride >= 0 ? (uint64_t)exhaust->stride : exhaust_usual_stride(plan));
  uint64_t shown = explain_groups(exhaust, examiner, result->faults, most);
  if (shown == 0 && result->tally.failed > 0)
    shown = exhaust_explain(exhaust, examiner, result, STATUS_REFUTED, most);
  (void)exhaust_explain(exhaust, examiner, result, STATUS_UNDECIDED, most - shown);
  examiner_destroy(examiner);
  return true;
}

/* Adds a result for the scope: its counts, the explained cases, and the command that repeats it. */
static void keep_result(Exhaust *exhaust, const ScopePlan *plan, const ExhaustResult *result,
    Status status, const Text *shown) {
  Text text = text_create(shown->arena);
  exhaust_print_tally(&text, plan->scope->name, tier_text(plan->tier), &result->tally);
  text_printf(&text, "\n%sreplay: affirm exhaust --scope %s --tier %s", shown->bytes,
      plan->scope->name, tier_text(plan->tier));
  results_add(&exhaust->results, &(Result){.part = "scopes",
                                     .name = plan->scope->name,
                                     .status = status,
                                     .seconds = result->seconds,
                                     .text = text.bytes});
}

/* Reports a scope of which no case was judged, as where its journal cannot be opened. */
static Status reject_scope(Exhaust *exhaust, const ScopePlan *plan, const Error *error) {
  Error placed = {};
  const char *file = error->name[0] == 0 ? nullptr : error->name;
  (void)error_of_file(
      &placed, error->kind, file == nullptr ? plan->scope->name : file, "%s", error->message);
  results_add_unread(&exhaust->results, "scopes", plan->scope->name, file, 0, error->message);
  return session_fail(&placed);
}

/* A scope whose cases are being explained. */
typedef struct ScopeReport {
  Exhaust *exhaust;
  const ScopePlan *plan;
  const ExhaustResult *result;
  const char *faults; /* the table of an engine's faults */
  Status status;
} ScopeReport;

static bool print_scope_json(const ScopeReport *report, const Text *shown) {
  const ExhaustResult *result = report->result;
  Text text = text_create(shown->arena);
  exhaust_print_json(&text, report->plan->scope->name, tier_text(report->plan->tier),
      &result->tally, result->cases, (int64_t)(result->seconds * 1000),
      arena_printf(shown->arena, "%s%s", report->faults, shown->bytes));
  return session_print(text.bytes);
}

/* `shown`: the explained or named cases. Beside others, a scope without a case in this shard is not
 * open. */
static bool report_shown(const ScopeReport *report, const Text *shown) {
  const ExhaustResult *result = report->result;
  const bool is_object = result->cases > 0 || report->exhaust->scope != nullptr;
  bool is_printed = !report->exhaust->json ? shown->length == 0 || session_print(shown->bytes)
                                           : !is_object || print_scope_json(report, shown);
  if (!exhaust_asks_nothing(&result->tally, result->cases))
    keep_result(report->exhaust, report->plan, result, report->status, shown);
  return is_printed;
}

/* Called by the guard's thread if explaining a case outlasts an interrupt. */
static void report_unexplained(void *state) {
  const ScopeReport *report = state;
  Arena *arena = arena_create();
  Text named = text_create(arena);
  name_cases(report->exhaust, report->plan, report->result, &named);
  (void)report_shown(report, &named);
  arena_destroy(arena);
}

static bool show_cases(ScopeReport *report) {
  Exhaust *exhaust = report->exhaust;
  const ExhaustResult *result = report->result;
  Text shown = text_create(exhaust->arena);
  bool is_explained = true;
  session_on_end(report_unexplained, report);
  if (result->kept + result->faults->count > 0 && exhaust->shown > 0 && !session_is_interrupted())
    is_explained = explain_cases(exhaust, report->plan, result, &shown);
  session_not_on_end(report);
  if (session_is_interrupted()) name_cases(exhaust, report->plan, result, &shown);
  return report_shown(report, &shown) && is_explained;
}

/* Without --scope each scope has a journal. */
static const char *journal_of(const Exhaust *exhaust, const Scope *scope) {
  return exhaust->scope != nullptr
             ? exhaust->journal
             : arena_printf(exhaust->arena, "%s.%s", exhaust->journal, scope->name);
}

static Status run_scope(Exhaust *exhaust, const ScopePlan *plan) {
  ExhaustResult result;
  Error error = {};
  ExhaustOptions options = exhaust->run;
  options.stride = exhaust->stride >= 0 ? (uint64_t)exhaust->stride : exhaust_usual_stride(plan);
  if (exhaust->journal != nullptr) options.journal = journal_of(exhaust, plan->scope);
  bool is_run = exhaust_run(plan, &options, exhaust->arena, &result, &error);
  if (!result.is_known) return reject_scope(exhaust, plan, &error);
  progress_clear();
  if (result.cases == 0 && exhaust->scope != nullptr)
    session_warn("shard %s of %s has no case", exhaust->shard, exhaust->scope);
  bar_before += plan->count;
  exhaust_tally_add(&exhaust->all, &result.tally);
  exhaust->ran++;
  Text text = text_create(exhaust->arena);
  exhaust_print_tally(&text, plan->scope->name, tier_text(plan->tier), &result.tally);
  uint64_t judged = result.tally.cases - result.resumed;
  text_printf(&text, ", %.2f s, %.0f a second", result.seconds,
      result.seconds > 0 ? (double)judged / result.seconds : 0.0);
  if (options.shards > 1)
    text_printf(&text, ", shard %" PRIu64 "/%" PRIu64, options.shard, options.shards);
  if (result.resumed > 0) text_printf(&text, ", %" PRIu64 " resumed", result.resumed);
  if (result.replaced > 0)
    text_printf(&text, ", %s ended from outside and replaced", counted(result.replaced, "process"));
  if (!result.is_complete)
    text_printf(&text, ", INCOMPLETE: %" PRIu64 " of %" PRIu64, result.tally.cases, result.cases);
  if (result.has_lost_too_many) text_string(&text, ", ended after too many that were lost");
  text_string(&text, "\n");
  if (exhaust->quiet || exhaust->json) text = text_create(exhaust->arena);
  engine_faults_print(&text, result.faults);
  bool is_printed = exhaust->json || text.length == 0 || session_print(text.bytes);
  Status status = status_worse(
      exhaust_tally_status(&result.tally), result.is_complete ? STATUS_PROVED : STATUS_UNDECIDED);
  if (!is_run) status = status_worse(status, session_fail(&error));
  is_printed &= show_cases(&(ScopeReport){exhaust, plan, &result, text.bytes, status});
  return is_printed ? status : STATUS_BAD;
}

static bool scope_is_left_out(const Exhaust *exhaust, const Scope *scope) {
  return exhaust->opcodes != nullptr && !scope_is_of_modules(scope->kind);
}

static Status run_one(Exhaust *exhaust, const Scope *scope) {
  if (scope_is_left_out(exhaust, scope)) {
    exhaust->left_out++;
    return exhaust->scope == nullptr
               ? STATUS_PROVED
               : session_usage("%s has no modules, and --opcodes selects modules", scope->name);
  }
  session_at("scope %s", scope->name);
  ScopePlan *plan = scope_plan_create(scope, (Tier)exhaust->tier);
  Status status = STATUS_PROVED;
  if (plan->count == 0 && exhaust->scope == nullptr) status = STATUS_PROVED;
  else if (plan->count == 0)
    status = session_usage("%s is not in tier %s", scope->name, tier_text((Tier)exhaust->tier));
  else if (exhaust->number != no_case) status = print_case(exhaust, plan);
  else status = run_scope(exhaust, plan);
  scope_plan_destroy(plan);
  return status;
}

/* A run without a case, or of which --opcodes excludes every case, has proved nothing. */
static Status status_of_left_out(const Exhaust *exhaust, Status status) {
  return exhaust_asks_nothing(&exhaust->all, exhaust->all.cases)
             ? status_worse(status, STATUS_UNDECIDED)
             : status;
}

static Status exhaust_command_run(Exhaust *exhaust) {
  if (exhaust->list && exhaust->scope == nullptr) return exhaust_list(exhaust, nullptr);
  if (exhaust->scope != nullptr) {
    const Scope *scope = scope_find(exhaust->scope);
    return scope == nullptr             ? exhaust_reject_scope(exhaust->scope, "")
           : exhaust->list              ? exhaust_list(exhaust, scope)
           : exhaust->number != no_case ? run_one(exhaust, scope)
                                        : status_of_left_out(exhaust, run_one(exhaust, scope));
  }
  Status status = STATUS_PROVED;
  for (uint32_t i = 0; i < scope_count && !session_is_interrupted(); i++)
    status = status_worse(status, run_one(exhaust, &scopes[i]));
  Text text = text_create(exhaust->arena);
  exhaust_print_tally(&text, "all", tier_text((Tier)exhaust->tier), &exhaust->all);
  text_printf(&text, "\n%s in %s, %" PRIu64 " failed, %" PRIu64 " open\n",
      counted(exhaust->all.cases, "case"), counted(exhaust->ran, "scope"), exhaust->all.failed,
      exhaust->all.open);
  if (exhaust->left_out > 0)
    text_printf(
        &text, "left out by --opcodes: %s without modules\n", counted(exhaust->left_out, "scope"));
  status = status_of_left_out(exhaust, status);
  return exhaust->json || session_print(text.bytes) ? status : STATUS_BAD;
}

/* "i/n", counted from 0. */
static bool parse_shard(const char *text, ExhaustOptions *options) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return false;
  options->shard = strtoull(text, &end, 10);
  if (*end != '/' || end[1] < '0' || end[1] > '9') return false;
  options->shards = strtoull(end + 1, &end, 10);
  return *end == 0 && options->shard < options->shards && options->shards <= 1 << 20;
}

static uint64_t cases_in_run(const Exhaust *exhaust) {
  if (exhaust->scope == nullptr) return cases_of_tier((Tier)exhaust->tier);
  const Scope *scope = scope_find(exhaust->scope);
  if (scope == nullptr) return 0;
  ScopePlan *plan = scope_plan_create(scope, (Tier)exhaust->tier);
  uint64_t cases = plan->count;
  scope_plan_destroy(plan);
  return cases;
}

static int usual_jobs(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > exhaust_max_jobs ? (int)exhaust_max_jobs : (int)cores;
}

/* A word that says how cases end that are explained, which cases that pass are not. */
static Status reject_word(const char *word) {
  if (fault_kind_is_known(word)) return STATUS_PROVED;
  for (uint32_t i = 0; i < exhaust_count_count; i++) {
    if (strcmp(exhaust_count_text((ExhaustCount)i), word) != 0) continue;
    return exhaust_count_status((ExhaustCount)i) != STATUS_PROVED
               ? STATUS_PROVED
               : session_usage("--only: cases that end as '%s' pass and are not explained", word);
  }
  return session_usage("--only: no case ends as '%s'", word);
}

static const OptionNeed exhaust_needs[] = {ENGINE_NEEDS,
    {"accept exact twice", "engine engine-cmd"}, {"resume", "journal"}, {"case", "scope"}};
static const OptionUse exhaust_uses[] = {{"tier", "none case"},
    {"jobs all-judges shard journal resume show case-seconds case-memory only opcodes exact twice "
     "engine engine-cmd engine-time engine-memory accept junit sarif github json quiet",
        "none"}};

/* False, with a warning, if a file of results is the journal of a scope. */
static bool journals_are_kept(const Exhaust *exhaust) {
  const char *const files[] = {exhaust->results.junit, exhaust->results.sarif};
  for (uint32_t i = 0; exhaust->journal != nullptr && i < 2 * scope_count; i++)
    if (files[i % 2] != nullptr &&
        input_is_same_file(files[i % 2], journal_of(exhaust, &scopes[i / 2])))
      return session_reject("--journal and --%s would write the same file: %s",
          i % 2 == 0 ? "junit" : "sarif", files[i % 2]);
  return true;
}

int cli_exhaust(int argc, char **argv) {
  Exhaust exhaust = {.engine = engine_settings_usual,
      .shown = 5,
      .jobs = usual_jobs(),
      .number = no_case,
      .stride = -1,
      .seconds = exhaust_case_seconds,
      .memory = exhaust_case_memory >> 20,
      .run = {.shards = 1, .stop = session_must_end}};
  static const char *const tiers[] = {"gate", "nightly", "full", nullptr};
  const Option options[] = {
      {"list", OPTION_FLAG, &exhaust.list,
          "list the scopes, or that of --scope, with their numbers of cases and what they leave out",
          nullptr},
      {"scope", OPTION_TEXT, &exhaust.scope, "NAME: one scope (default: all of the tier)", nullptr},
      {"tier", OPTION_CHOICE, &exhaust.tier, "TIER: gate, nightly or full (default gate)", tiers},
      {"case", OPTION_NUMBER, &exhaust.number, "K: print case K of the scope as a file", nullptr},
      {"jobs", OPTION_COUNT, &exhaust.jobs, "N: processes (default: one per core)", nullptr},
      {"all-judges", OPTION_NUMBER, &exhaust.stride,
          "N: also ask MLIR and isl about every N-th case; 0: about none (default: one case per scope in tier gate, about 100 in nightly, all in full)",
          nullptr},
      {"shard", OPTION_TEXT, &exhaust.shard, "I/N: part I, from 0, of N", nullptr},
      {"journal", OPTION_UPDATE, &exhaust.journal,
          "FILE: record finished cases for --resume and merge; with several scopes FILE.NAME",
          nullptr},
      {"resume", OPTION_FLAG, &exhaust.resume, "continue from the journal", nullptr},
      {"show", OPTION_NUMBER, &exhaust.shown,
          "N: maximum number of cases that are explained per scope; 0: none (default 5)", nullptr},
      {"case-seconds", OPTION_COUNT, &exhaust.seconds,
          "N: limit of processor seconds of one case (30); beyond it the case counts as hung",
          nullptr},
      {"case-memory", OPTION_COUNT, &exhaust.memory, "MB: memory limit of one case (2048)",
          nullptr},
      {"only", OPTION_TEXT, &exhaust.only,
          "WORD: explain only cases with this result: a word of the table that is no pass, or a kind of fault of an engine (wrong, missing, crashed, ...)",
          nullptr},
      {"opcodes", OPTION_TEXT, &exhaust.opcodes,
          "LIST: judge only modules whose opcodes, including those of combiners, are in this comma-separated list or are parameter, constant, tuple, get-tuple-element, fusion, call or copy; count the others as left out",
          nullptr},
      {"exact", OPTION_FLAG, &exhaust.run.wants_exact,
          "treat a foreign engine's over-approximation where affirm's own map is exact as a fault",
          nullptr},
      {"twice", OPTION_FLAG, &exhaust.run.simplifies_twice,
          "ask a foreign engine to simplify each simplified map again, and each map with its operands and constraints in reverse order",
          nullptr},
      ENGINE_OPTIONS(exhaust.engine),
      ENGINE_ACCEPT_OPTION(exhaust.engine),
      RESULT_OPTIONS(exhaust.results),
      {"json", OPTION_FLAG, &exhaust.json, "print one JSON object per scope and line", nullptr},
      {"quiet", OPTION_FLAG, &exhaust.quiet, "print no progress and no line per scope", nullptr},
  };
  const Command table = {.usage = "exhaust [OPTION]...",
      .about =
          "Judges the engine on every case of the given scopes, for both directions of each operand.",
      .notes =
          "Exact maps and over-approximations pass. A foreign engine's over-approximations where affirm's own map is exact are counted as avoidable, and fail with --exact. "
          "An existing journal is extended only with --resume. `affirm merge` joins the journals of shards.",
      OPTION_TABLE(options),
      NEED_TABLE(exhaust_needs),
      MODE_TABLE("list case", exhaust_uses)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (first < argc)
    return session_end(scope_find(argv[first]) != nullptr
                           ? session_usage("a scope needs its option: --scope %s", argv[first])
                           : session_usage("exhaust takes no file: '%s'", argv[first]));
  if (exhaust.shard != nullptr && !parse_shard(exhaust.shard, &exhaust.run))
    return session_end(session_usage("--shard needs I/N with I below N, not '%s'", exhaust.shard));
  if (!option_fits("jobs", exhaust.jobs, exhaust_max_jobs) ||
      !option_fits("case-seconds", exhaust.seconds, 1 << 20) ||
      !option_fits("case-memory", exhaust.memory, 1 << 30))
    return session_end(STATUS_BAD);
  exhaust.run.case_seconds = (uint64_t)exhaust.seconds;
  exhaust.run.case_memory = (uint64_t)exhaust.memory << 20;
  exhaust.run.jobs = (uint64_t)exhaust.jobs;
  exhaust.run.resume = exhaust.resume;
  if (!exhaust.quiet && !exhaust.list && isatty(STDERR_FILENO)) {
    bar = progress_begin("cases", cases_in_run(&exhaust), true);
    exhaust.run.progress = show_progress;
  }
  if (exhaust.only != nullptr && reject_word(exhaust.only) != STATUS_PROVED)
    return session_end(STATUS_BAD);
  if (exhaust.opcodes != nullptr && !opcode_set_of_option(&exhaust.selected, exhaust.opcodes))
    return session_end(
        session_usage("--opcodes needs opcodes separated by commas, not '%s'", exhaust.opcodes));
  if (exhaust.opcodes != nullptr) exhaust.run.opcodes = &exhaust.selected;
  exhaust.arena = arena_create();
  if (!journals_are_kept(&exhaust)) return session_end(STATUS_BAD);
  exhaust.run.accepted = &exhaust.accepted;
  results_begin(&exhaust.results);
  if (!engine_read_accepted(exhaust.arena, &exhaust.engine, &exhaust.accepted) ||
      !engine_open(&exhaust.engine, &exhaust.run.engine))
    return session_end(results_write(&exhaust.results, STATUS_BAD));
  session_catch_signals();
  Status status = exhaust_command_run(&exhaust);
  status = results_write(&exhaust.results, status);
  engine_close(exhaust.run.engine);
  arena_destroy(exhaust.arena);
  return session_end(status);
}
