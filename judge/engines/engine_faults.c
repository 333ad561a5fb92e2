/* Groups are searched linearly, because an engine has few different faults. What is wrong follows
 * from the judges' verdicts, whichever judge gives it. Repairs are judged by enumeration, and those
 * of an answer that is too large for it by proof. */
#include "judge/engines/engine_faults.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/budget.h"
#include "core/base/foreign.h"
#include "core/base/file.h"
#include "judge/engines/complaint.h"
#include "judge/engines/repair.h"
#include "judge/maps/same.h"
#include "judge/maps/witness.h"

/* --- groups --- */

static bool stands_before(const FaultWitness *a, const FaultWitness *b) {
  return a->size < b->size || (a->size == b->size && a->number < b->number);
}

static void keep_witness(EngineFault *fault, const FaultWitness *witness) {
  uint32_t at = fault->kept;
  while (at > 0 && stands_before(witness, &fault->witnesses[at - 1])) at--;
  if (at == fault_witnesses) return;
  if (fault->kept < fault_witnesses) fault->kept++;
  memmove(
      &fault->witnesses[at + 1], &fault->witnesses[at], (fault->kept - at - 1) * sizeof *witness);
  fault->witnesses[at] = *witness;
}

/* The number of the group of that name; `count` if there is none. */
static uint32_t group_of(const EngineFaults *faults, const char *name) {
  uint32_t at = 0;
  while (at < faults->count && strcmp(faults->items[at].name.text, name) != 0) at++;
  return at;
}

void engine_faults_add(EngineFaults *faults, const EngineFault *fault) {
  const uint32_t unnamed = group_of(faults, fault_unnamed),
                 most_named =
                     engine_faults_most - (unnamed == faults->count); /* one is left free */
  uint32_t at = group_of(faults, fault->name.text);
  const bool is_unnamed = at == faults->count && at >= most_named;
  if (is_unnamed) at = unnamed;
  if (at == faults->count) {
    assert(at < engine_faults_most);
    faults->items[faults->count++] = *fault;
    if (is_unnamed) snprintf(faults->items[at].name.text, fault_name_capacity, "%s", fault_unnamed);
    return;
  }
  faults->items[at].count += fault->count;
  for (uint32_t i = 0; i < fault->kept; i++) keep_witness(&faults->items[at], &fault->witnesses[i]);
}

void engine_faults_note(EngineFaults *faults, const FaultName *name, const FaultWitness *witness) {
  EngineFault fault = {.name = *name, .count = 1, .kept = 1};
  fault.witnesses[0] = *witness;
  engine_faults_add(faults, &fault);
}

static int by_count(const void *a, const void *b) {
  const EngineFault *x = a, *y = b;
  bool is_last = fault_name_has_kind(x->name.text, fault_unsettled);
  if (is_last != fault_name_has_kind(y->name.text, fault_unsettled)) return is_last ? 1 : -1;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return strcmp(x->name.text, y->name.text);
}

/* The widths of the columns of names: at least the usual ones, and no name is longer. */
typedef struct FaultWidths {
  size_t operation, fault;
} FaultWidths;

static FaultWidths widths_of(const EngineFaults *faults) {
  FaultWidths widths = {.operation = 20, .fault = 40};
  for (uint32_t i = 0; i < faults->count; i++) {
    const char *name = faults->items[i].name.text;
    size_t operation = strcspn(name, "/"), all = strlen(name), fault = all - operation;
    fault -= fault > 0;
    if (operation > widths.operation) widths.operation = operation;
    if (fault > widths.fault) widths.fault = fault;
  }
  return widths;
}

void engine_faults_print(Text *text, EngineFaults *faults) {
  if (faults->count == 0) return;
  qsort(faults->items, faults->count, sizeof *faults->items, by_count);
  const FaultWidths widths = widths_of(faults);
  text_printf(text, "%-*s %-*s %10s  %s\n", (int)widths.operation, "operation", (int)widths.fault,
      "fault", "count", "smallest witnesses");
  for (uint32_t i = 0; i < faults->count; i++) {
    const EngineFault *fault = &faults->items[i];
    size_t operation = strcspn(fault->name.text, "/");
    const char *rest = fault->name.text + operation;
    text_printf(text, "%-*.*s %-*s %10llu", (int)widths.operation, (int)operation, fault->name.text,
        (int)widths.fault, rest + (*rest == '/'), (unsigned long long)fault->count);
    for (uint32_t k = 0; k < fault->kept; k++) {
      text_string(text, k == 0 ? "  " : "; ");
      text_foreign(text, fault->witnesses[k].text);
    }
    text_string(text, "\n");
  }
}

/* --- names --- */

/* Appends only the letters, with a hyphen for other characters. Words that start with a digit, such
 * as hexadecimal numbers and times, are dropped. */
static void append_letters(FaultName *name, const char *text, size_t length) {
  size_t used = strlen(name->text);
  bool wants_hyphen = used > 0 && name->text[used - 1] != '/' && name->text[used - 1] != '-';
  for (size_t i = 0; i < length && used + 2 < sizeof name->text;) {
    size_t word = 0;
    bool has_digit = false;
    for (; i + word < length && (isalnum((unsigned char)text[i + word]) || text[i + word] == '_');
        word++)
      has_digit |= isdigit((unsigned char)text[i + word]) != 0;
    bool is_number = has_digit && isdigit((unsigned char)text[i]);
    if (word > 0 && !is_number) {
      if (wants_hyphen) name->text[used++] = '-';
      for (size_t k = 0; k < word && used + 1 < sizeof name->text; k++)
        if (!isdigit((unsigned char)text[i + k])) name->text[used++] = text[i + k];
      wants_hyphen = true;
    }
    i += word == 0 ? 1 : word;
  }
  name->text[used] = 0;
}

static void begin_name(FaultName *name, const char *operation, const char *kind) {
  *name = (FaultName){};
  snprintf(name->text, sizeof name->text, "%s/%s/", operation, kind);
  for (char *at = name->text; *at != 0; at++)
    if (*at == ' ') *at = '-';
}

void fault_name_of_reply(const char *operation, const EngineReply *reply, FaultName *name) {
  begin_name(name, operation, engine_kind_text(reply->kind));
  size_t length = reply->quoted != 0 ? reply->quoted : strlen(reply->why);
  append_letters(name, reply->why, reply->words != 0 ? reply->words : length);
  if (reply->words == 0) return;
  const char *words = reply->why + reply->words;
  words += strnlen(words, sizeof complaint_prefix - 1);
  const char *check = strstr(words, "Check failed");
  if (check == nullptr) check = words;
  append_letters(name, check, strcspn(check, "|"));
}

/* A judge of repairs: one that it does not decide is rejected. */
typedef struct RepairJudge {
  Judge judge;
  const Question *question;
  const MapSet *maps; /* of the question, including the answer */
  uint32_t at;
  const Map *wanted;
} RepairJudge;

/* A judge without proof. */
static RepairJudge repair_judge(const Judge *judge) {
  RepairJudge made = {.judge = *judge};
  made.judge.smt = nullptr;
  return made;
}

static bool is_same_relation(void *state, const Map *changed) {
  RepairJudge *with = state;
  SameJudgement same;
  judge_same(&with->judge, OBLIGATION_SAME_RELATION, with->wanted, changed, &same);
  return same.reason == REASON_EXACT;
}

/* A judge with proof, which is asked only where enumeration does not decide. */
static RepairJudge sparing_judge(const Judge *judge) {
  RepairJudge made = {.judge = *judge};
  made.judge.effort = EFFORT_SPARING;
  return made;
}

static VerdictReason contained(RepairJudge *with, const Map *inner, const Map *outer) {
  SameJudgement same;
  judge_same(&with->judge, OBLIGATION_CONTAINED, inner, outer, &same);
  return same.reason;
}

void fault_name_of_map(Judge *judge, const char *operation, bool is_disagreement, const Map *wanted,
    const Map *answer, FaultName *name) {
  MapMark mark = map_context_mark(judge->context);
  RepairJudge with = repair_judge(judge), sparing = sparing_judge(judge);
  with.wanted = wanted;
  bool has_all = !is_disagreement && contained(&sparing, wanted, answer) == REASON_EXACT,
       has_no_more = !is_disagreement && contained(&sparing, answer, wanted) == REASON_EXACT;
  begin_name(name, operation,
      is_disagreement ? "disagree"
      : has_all       ? "extra"
      : has_no_more   ? "missing"
                      : "other");
  char change[repair_capacity];
  repair_name(&(Repair){.context = judge->context,
                  .wanted = wanted,
                  .answer = answer,
                  .is_two_sided = !is_disagreement && !has_all && !has_no_more,
                  .is_right = is_same_relation,
                  .state = &with},
      change);
  size_t used = strlen(name->text);
  snprintf(name->text + used, sizeof name->text - used, "%s", change);
  map_context_rewind(judge->context, mark);
}

static bool is_accepted(void *state, const Map *changed) {
  RepairJudge *with = state;
  const Map *maps[64];
  assert(with->maps->count <= 64);
  memcpy(maps, with->maps->maps, with->maps->count * sizeof *maps);
  maps[with->at] = changed;
  MapSet set = *with->maps;
  set.maps = maps;
  Judgement judgement = {};
  judge_maps(&with->judge, with->question, &set, &judgement);
  return judgement.answer == REASON_EXACT;
}

/* Affirm's own answer if it is a single map. is_exact: the judge finds it exact, so that it
 * represents the read set. */
static const Map *own_map(RepairJudge *with, bool *is_exact) {
  MapSet own = {};
  Error error = {};
  if (!judge_query_own(&with->judge, with->question, &own, &error) || own.count != 1)
    return nullptr;
  Judgement judgement = {};
  judge_maps(&with->judge, with->question, &own, &judgement);
  *is_exact = judgement.answer == REASON_EXACT;
  return own.maps[0];
}

/* The proving judge names a missing pair and no other. Whether the map has extra pairs is a
 * question about it and affirm's own map; "missing" if that remains open. */
static bool is_proved_extra(Judge *judge, const Judgement *judgement) {
  if (judgement->maps.count != 1) return false;
  bool is_exact = false;
  MapMark mark = map_context_mark(judge->context);
  RepairJudge with = sparing_judge(judge);
  with.question = &judgement->question;
  bool began = budget_begin(judge->seconds, judge->stop);
  const Map *own = own_map(&with, &is_exact);
  bool is_extra = is_exact && contained(&with, judgement->maps.maps[0], own) == REASON_DIFFERENT;
  budget_end(began);
  map_context_rewind(judge->context, mark);
  return is_extra;
}

static const char *kind_of_judgement(Judge *judge, const Judgement *judgement) {
  const Verdict *oracle = &judgement->by[BY_ORACLE];
  if (judgement->answer == REASON_DISSENT) return "disagree";
  switch (judgement_witness(judgement).kind) {
    case WITNESS_NONE:
    case WITNESS_OUTSIDE: return "outside";
    case WITNESS_EXTRA: return "extra";
    case WITNESS_MISSING: break;
  }
  bool is_extra = verdict_decides(oracle) ? oracle->extra > 0 : is_proved_extra(judge, judgement);
  return is_extra ? "other" : "missing";
}

static constexpr uint32_t most_maps = 8, most_enumerations = 64;

/* Names the repair of the first map that can be repaired. Comparing two maps is faster than
 * comparing a map with an instruction's reads; only the former is left to proof, for an answer
 * that enumeration did not decide. */
static void name_repair(
    Judge *judge, const Judgement *judgement, bool is_two_sided, char change[repair_capacity]) {
  bool is_exact = false;
  MapMark mark = map_context_mark(judge->context);
  bool is_enumerated = verdict_decides(&judgement->by[BY_ORACLE]);
  bool began = budget_begin(judge->seconds, judge->stop);
  RepairJudge with = is_enumerated ? repair_judge(judge) : sparing_judge(judge);
  with.question = &judgement->question;
  with.maps = &judgement->maps;
  with.wanted = own_map(&with, &is_exact);
  bool is_compared = is_exact && judgement->maps.count == 1;
  if (!is_compared) with.judge.smt = nullptr;
  Repair repair = {.context = judge->context,
      .wanted = with.wanted,
      .is_two_sided = is_two_sided,
      .is_right = is_compared ? is_same_relation : is_accepted,
      .state = &with,
      .most_trials = is_compared ? 0 : most_enumerations};
  snprintf(change, repair_capacity, "no-repair");
  for (; with.at < judgement->maps.count && with.at < most_maps; with.at++) {
    repair.answer = judgement->maps.maps[with.at];
    repair_name(&repair, change);
    if (strcmp(change, "no-repair") != 0) break;
  }
  budget_end(began);
  map_context_rewind(judge->context, mark);
}

void fault_name_of_judgement(Judge *judge, const Judgement *judgement, FaultName *name) {
  const Question *question = &judgement->question;
  const char *opcode = opcode_name(question->instruction->opcode);
  char operation[80], change[repair_capacity] = "no-map";
  if (judgement->answer == REASON_BROKEN) {
    fault_name_of_reply(opcode, engine_reply(judge->engine), name);
    return;
  }
  snprintf(operation, sizeof operation, "%s-%s", opcode, direction_text(question->direction));
  const char *kind = kind_of_judgement(judge, judgement);
  begin_name(name, operation, kind);
  if (judgement->maps.count > 0 && judgement->maps.count <= 64)
    name_repair(judge, judgement, strcmp(kind, "other") == 0, change);
  size_t used = strlen(name->text);
  snprintf(name->text + used, sizeof name->text - used, "%s", change);
}

static const char *const wrong_kinds[] = {"missing", "extra", "other", "outside", "disagree"};

static bool is_wrong_kind(size_t length, const char *kind) {
  for (size_t i = 0; i < sizeof wrong_kinds / sizeof *wrong_kinds; i++)
    if (strlen(wrong_kinds[i]) == length && strncmp(wrong_kinds[i], kind, length) == 0) return true;
  return false;
}

bool fault_name_has_kind(const char *name, const char *kind) {
  const char *at = strchr(name, '/');
  if (at == nullptr) return false;
  size_t length = strcspn(++at, "/");
  if (strcmp(kind, "wrong") == 0) return is_wrong_kind(length, at);
  for (; *kind != 0 && length > 0 && (*at == *kind || (*at == '-' && *kind == ' ')); length--)
    at++, kind++;
  return *kind == 0 && length == 0;
}

bool fault_kind_is_known(const char *kind) {
  bool is_known = strcmp(kind, "wrong") == 0 || is_wrong_kind(strlen(kind), kind);
  is_known |= strcmp(kind, fault_unsettled) == 0;
  for (uint32_t i = 0; i < engine_kind_count; i++)
    is_known |= strcmp(engine_kind_text((EngineKind)i), kind) == 0;
  return is_known;
}

bool fault_name_is_of_domain(const char *name) {
  const char *cause = strrchr(name, '/');
  return cause != nullptr && fault_name_has_kind(name, "wrong") && repair_is_of_domain(cause + 1);
}

bool fault_name_is_extra(const char *name) { return fault_name_has_kind(name, "extra"); }

bool fault_name_was_answered(const char *name, const EngineAnswered *answered) {
  char place[fault_name_capacity], wanted[fault_name_capacity];
  snprintf(place, sizeof place, "%.*s", (int)strcspn(name, "/"), name);
  if (strcmp(place, "simplify") == 0) return answered->simplify;
  if (strcmp(place, "compose") == 0) return answered->compose;
  if (strcmp(place, "case") == 0) return answered->in_case;
  bool is_answered = false;
  for (uint32_t i = 0; i < opcode_count; i++)
    for (uint32_t k = 0; k < 2; k++) {
      const char *opcode = opcode_name((Opcode)i);
      snprintf(wanted, sizeof wanted, "%s-%s", opcode, direction_text((Direction)k));
      bool is_place = strcmp(place, wanted) == 0 || strcmp(place, opcode) == 0;
      is_answered |= is_place && opcode_set_has(&answered->analysed[k], (Opcode)i);
    }
  return is_answered;
}

/* --- files of names --- */

bool known_faults_has(KnownFaults *known, const FaultName *name) {
  for (uint32_t i = 0; i < known->count; i++)
    if (strcmp(known->items[i].name, name->text) == 0) return known->items[i].is_seen = true;
  return false;
}

bool known_faults_read(Arena *arena, const char *path, KnownFaults *known, Error *error) {
  Source source;
  if (!file_read(arena, path, (size_t)1 << 20, &source, error)) return false;
  uint32_t number = 0;
  for (const char *line = source.text; *line != 0;) {
    size_t length = strcspn(line, "\n"), skipped = strspn(line, " \t\r");
    const char *at = line + skipped;
    size_t word = strcspn(at, " \t\r\n");
    line += length + (line[length] != 0);
    number++;
    if (word == 0 || *at == '#') continue;
    FaultName name = {};
    bool fits = word < sizeof name.text && memchr(at, '/', word) != nullptr;
    if (fits) memcpy(name.text, at, word);
    if (!fits || known_faults_has(known, &name))
      return error_set(error, ERROR_INPUT, "%s:%u: %.*s %s", path, number, (int)word, at,
          fits ? "is listed twice" : "is no name of a fault, PLACE/KIND/CAUSE");
    *ARENA_PUSH(arena, known) = (struct KnownFault){.name = arena_text(arena, at, word)};
  }
  for (uint32_t i = 0; i < known->count; i++) known->items[i].is_seen = false;
  return true;
}
