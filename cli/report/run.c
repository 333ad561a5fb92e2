/* The kind of an object is recognised by a member that no other kind has. */
#include "cli/report/run.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "cli/report/run_numbers.h"
#include "cli/report/run_sarif.h"
#include "core/base/foreign.h"
#include "judge/audit/audit_pair.h"
#include "judge/audit/score.h"
#include "judge/graphs/equiv_values.h"
#include "watch/step.h"

bool run_is(const Source *source) { return source->text[strspn(source->text, " \t\r\n")] == '{'; }

static const char *member(Arena *arena, const cJSON *object, const char *name) {
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
  if (cJSON_IsString(found))
    return arena_text(arena, found->valuestring, strlen(found->valuestring));
  if (cJSON_IsNumber(found)) return arena_printf(arena, "%.0f", found->valuedouble);
  return nullptr;
}

static bool has(const cJSON *object, const char *name) {
  return cJSON_HasObjectItem(object, name) != 0;
}

static double member_count(const cJSON *object, const char *name) {
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsNumber(found) ? found->valuedouble : 0;
}

/* The status of a word, from all tables of answers; an unknown word is open. */
static Status status_of(const char *verdict) {
  static const struct {
    const char *verdict;
    Status status;
  } others[] = {{"proved", STATUS_PROVED}, {"refuted", STATUS_REFUTED}, {"passed", STATUS_PROVED},
      {"same", STATUS_PROVED}, {"more", STATUS_REFUTED}, {"safe", STATUS_PROVED},
      {"hazard", STATUS_REFUTED}, {"bad input", STATUS_BAD}, {"failed", STATUS_REFUTED},
      {"new", STATUS_REFUTED}, {"known", STATUS_PROVED}, {"vanished", STATUS_PROVED},
      {"unexpected", STATUS_REFUTED}, {"accepted", STATUS_PROVED}, {"no questions", STATUS_PROVED}};
  for (uint32_t i = 0; i < judge_answer_count; i++)
    if (strcmp(judge_answer_text(judge_answers[i]), verdict) == 0)
      return judge_answer_status(judge_answers[i]);
  for (uint32_t i = 0; i < values_answer_count; i++)
    if (strcmp(equiv_values_text(values_answers[i]), verdict) == 0)
      return equiv_values_status(values_answers[i]);
  for (uint32_t i = 0; i < step_answer_count; i++)
    if (strcmp(step_answer_text(step_answers[i]), verdict) == 0)
      return step_answer_status(step_answers[i]);
  for (VerdictReason reason = 0; reason < verdict_reason_count; reason++) {
    const char *text = pair_answer_text(reason);
    if (text != nullptr && strcmp(text, verdict) == 0) return pair_answer_status(reason);
  }
  for (uint32_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].verdict, verdict) == 0) return others[i].status;
  return STATUS_UNDECIDED;
}

/* The member's text; "" if it does not exist. */
static const char *text_of(Arena *arena, const cJSON *object, const char *name) {
  const char *found = member(arena, object, name);
  return found == nullptr ? "" : found;
}

/* The member as a word of a command to paste. */
static const char *word_of(Arena *arena, const cJSON *object, const char *name) {
  return shell_path(arena, text_of(arena, object, name));
}

/* An integer of more than 15 digits is a string here (run_numbers.h). */
static const char *index_text(Arena *arena, const cJSON *one) {
  static constexpr double most = 1e15;
  if (cJSON_IsNumber(one) && one->valuedouble > -most && one->valuedouble < most)
    return one->valuedouble == (double)(int64_t)one->valuedouble
               ? arena_printf(arena, "%.0f", one->valuedouble)
               : nullptr;
  if (!cJSON_IsString(one)) return nullptr;
  const char *digits = one->valuestring + (one->valuestring[0] == '-');
  const bool is_integer =
      digits[0] >= '1' && digits[0] <= '9' && digits[strspn(digits, "0123456789")] == 0;
  return is_integer ? one->valuestring : nullptr;
}

/* Returns nullptr if an item is no integer. */
static const char *indices_text(Arena *arena, const cJSON *list) {
  const cJSON *one;
  Text text = text_create(arena);
  cJSON_ArrayForEach(one, list) {
    const char *index = index_text(arena, one);
    if (index == nullptr) return nullptr;
    text_printf(&text, "%s%s", text.length == 0 ? "" : ",", index);
  }
  return text.bytes;
}

/* Reads the members that a reader needs, as sentences. */
static void read_notes(Arena *arena, const cJSON *object, RunRow *row) {
  static const char *const names[] = {"reason", "text", "note", "why", "method", "values", "sides",
      "true_if_also", "cannot_run", "no_certificate", "witness", "judges", "by", "laws", "inputs",
      "element", "stopped", "smallest", "cause", "actual", "left", "right", "order"};
  static constexpr uint32_t most = sizeof names / sizeof *names;
  row->notes = ARENA_NEW(arena, const char *, most + 1);
  const cJSON *point = cJSON_GetObjectItemCaseSensitive(object, "point");
  const char *at = indices_text(arena, point);
  if (cJSON_GetArraySize(point) > 0 && at != nullptr && !has(object, "element"))
    row->notes[row->note_count++] = arena_printf(arena, "first at element (%s)", at);
  for (uint32_t i = 0; i < most; i++) {
    const char *words = member(arena, object, names[i]);
    if (words != nullptr && words[0] != 0)
      row->notes[row->note_count++] = arena_printf(arena, "%s: %s", names[i], words);
  }
}

static void read_sides(Arena *arena, const cJSON *object, RunRow *row) {
  static const char *const values[] = {"value_before", "value_after"}, *const terms[] = {
                                                                           "term_before",
                                                                           "term_after"};
  for (uint32_t side = 0; side < 2; side++) {
    row->values[side] = member(arena, object, values[side]);
    row->terms[side] = member(arena, object, terms[side]);
  }
}

static void read_maps(Arena *arena, const cJSON *object, RunRow *row) {
  const cJSON *maps = cJSON_GetObjectItemCaseSensitive(object, "maps"), *map;
  row->maps = ARENA_NEW(arena, const char *, (size_t)cJSON_GetArraySize(maps) + 1);
  cJSON_ArrayForEach(map, maps) if (cJSON_IsString(map)) row->maps[row->map_count++] =
      arena_text(arena, map->valuestring, strlen(map->valuestring));
  const char *simplified = member(arena, object, "simplified");
  if (simplified != nullptr && simplified[0] != 0) row->maps[row->map_count++] = simplified;
}

/* `check` writes both members only for a wrong map: a read that no map contains. */
static const char *witness_of(Arena *arena, const cJSON *object) {
  const cJSON *point = cJSON_GetObjectItemCaseSensitive(object, "point"),
              *element = cJSON_GetObjectItemCaseSensitive(object, "element");
  const char *from = indices_text(arena, point), *to = indices_text(arena, element);
  if (!cJSON_IsArray(point) || !cJSON_IsArray(element) || from == nullptr || to == nullptr)
    return "";
  return arena_printf(arena, "{\"from\":[%s],\"to\":[%s],\"kind\":\"missing\"}", from, to);
}

/* nullptr if there is no list of sizes. */
static const char *sizes_of(Arena *arena, const cJSON *object, const char *name) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
  const char *sizes = cJSON_IsArray(list) ? indices_text(arena, list) : nullptr;
  return sizes == nullptr || strchr(sizes, '-') != nullptr ? nullptr : sizes;
}

static void read_operand(Arena *arena, const cJSON *object, RunRow *row) {
  row->kind = has(object, "alias")    ? "hazard"
              : has(object, "opcode") ? text_of(arena, object, "opcode")
                                      : "operand";
  const char *instruction = text_of(arena, object, "instruction"),
             *path = has(object, "computation")
                         ? arena_printf(
                               arena, "%s/%s", text_of(arena, object, "computation"), instruction)
                         : instruction,
             *operand = arena_printf(arena, "operand %s.%s", text_of(arena, object, "operand"),
                 has(object, "operand_leaf") ? text_of(arena, object, "operand_leaf") : "0");
  row->direction = text_of(arena, object, "direction");
  const char *module = has(object, "module")
                           ? arena_printf(arena, "module %s, ", text_of(arena, object, "module"))
                           : "";
  row->heading = arena_printf(arena, "%s%s %s, output %s, %s", module, row->direction, instruction,
      text_of(arena, object, "output"), operand);
  bool is_inverse = strcmp(row->direction, "i2o") == 0;
  row->sizes[is_inverse] = sizes_of(arena, object, "output_sizes");
  row->sizes[!is_inverse] = sizes_of(arena, object, "operand_sizes");
  row->from_name = is_inverse ? operand : instruction;
  row->to_name = is_inverse ? instruction : operand;
  if (!has(object, "maps_file") && !has(object, "alias"))
    row->replay =
        arena_printf(arena, "affirm check %s --instruction %s --direction %s --output %s --%s",
            word_of(arena, object, "file"), shell_word(arena, path), row->direction,
            text_of(arena, object, "output"), operand);
}

/* For prove --order. Older runs state no answer: all obligations are proved and the twin is
 * refuted. */
static void read_order(Arena *arena, const cJSON *object, RunRow *row) {
  double wanted = member_count(object, "obligations"), proved = member_count(object, "proved");
  row->key = text_of(arena, object, "rule");
  row->heading = arena_printf(arena, "%s: %.0f of %.0f obligations proved, twin %s", row->key,
      proved, wanted, member_count(object, "twin_refuted") > 0 ? "refuted" : "open");
  bool is_proved = proved == wanted && member_count(object, "twin_refuted") > 0;
  if (!has(object, "answer")) row->verdict = is_proved ? "proved" : "unknown";
}

static void read_rule(Arena *arena, const cJSON *object, RunRow *row) {
  bool is_negative = has(object, "negative"), is_example = has(object, "example");
  row->kind = is_negative ? "negative example" : is_example ? "example" : "rule";
  if (has(object, "file"))
    row->replay = arena_printf(arena, "affirm prove %s", word_of(arena, object, "file"));
  row->verdict = text_of(arena, object,
      is_negative  ? "negative"
      : is_example ? "example"
                   : "verdict");
  if (is_negative || is_example)
    row->key = arena_printf(arena, "%s of %s", row->kind, row->heading);
  if (is_negative && strcmp(row->verdict, "REFUTED") == 0) row->verdict = "passed";
  else if (is_negative && strcmp(row->verdict, "PROVED") == 0) row->verdict = "refuted";
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

static void read_graphs(Arena *arena, const cJSON *object, RunRow *row) {
  const char *before = text_of(arena, object, "before"), *after = text_of(arena, object, "after");
  bool is_step = has(object, "pass");
  row->kind = is_step ? text_of(arena, object, "pass") : "graphs";
  Text text = text_create(arena);
  if (!is_step) text_printf(&text, "%s, ", base_name(before));
  text_string(&text, base_name(after));
  static const char *const names[] = {"module", "output", "parameter", "parameter_leaf"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (has(object, names[i]))
      text_printf(&text, ", %s %s", names[i], text_of(arena, object, names[i]));
  row->heading = text.bytes;
  row->key = arena_printf(arena, "%s %s", before, text.bytes);
  row->file = arena_text(arena, after, (size_t)(base_name(after) - after));
  row->replay =
      arena_printf(arena, "affirm equiv %s%s %s", has(object, "parameter") ? "--reads " : "",
          shell_path(arena, before), shell_path(arena, after));
}

/* For exhaust: the number of judged cases, and of each verdict. */
static void read_scope(Arena *arena, const cJSON *object, RunRow *row) {
  const cJSON *count;
  Text text = text_create(arena);
  row->key = text_of(arena, object, "scope");
  text_printf(&text, "%s: %.0f cases, %.0f failed, %.0f open; answers:", row->key,
      member_count(object, "cases"), member_count(object, "failed"), member_count(object, "open"));
  const char *separator = " ";
  cJSON_ArrayForEach(count, cJSON_GetObjectItemCaseSensitive(object, "counts")) {
    text_printf(&text, "%s%.0f %s", separator, count->valuedouble, count->string);
    separator = ", ";
  }
  row->heading = text.bytes;
  if (strcmp(row->verdict, "failed") == 0) row->verdict = "refuted";
  if (strcmp(row->verdict, "open") == 0) row->verdict = "unknown";
  row->replay = arena_printf(
      arena, "affirm exhaust --scope %s --tier %s", row->key, text_of(arena, object, "tier"));
}

static void read_case(Arena *arena, const cJSON *object, RunRow *row) {
  row->replay = arena_printf(arena, "affirm check %s", word_of(arena, object, "file"));
}

/* For a fault of an engine compared with a baseline: a new fault fails, a known one does not. */
static void read_fault(Arena *arena, const cJSON *object, RunRow *row) {
  row->key = text_of(arena, object, "fault");
  row->heading = arena_printf(arena, "%s: %.0f times", row->key, member_count(object, "count"));
}

/* For a question whose fault is accepted or known. */
static void read_accepted(Arena *arena, const cJSON *object, RunRow *row) {
  row->heading = arena_printf(
      arena, "%s: %s", text_of(arena, object, "fault"), text_of(arena, object, "question"));
}

/* Two rules at one term whose results are not joined; a pair with a reason in the list is known. */
static void read_pair(Arena *arena, const cJSON *object, RunRow *row) {
  row->heading = arena_printf(
      arena, "%s, %s", text_of(arena, object, "first"), text_of(arena, object, "second"));
  row->key = arena_printf(arena, "%s %s", row->heading, text_of(arena, object, "map"));
  row->verdict = row->verdict[0] != 0 ? "known" : "refuted";
}

static void read_map(Arena *arena, const cJSON *, RunRow *row) {
  row->heading = arena_printf(arena, "line %s", row->heading);
  row->from_name = "dimensions";
  row->to_name = "results";
}

/* A part without any question is open. */
static const char *part_verdict(const cJSON *part) {
  return member_count(part, "failed") > 0     ? "refuted"
         : member_count(part, "not_read") > 0 ? "bad input"
         : member_count(part, "open") > 0 &&
                 !(has(part, "sample") && member_count(part, "passed") > 0)
             ? "unknown"
         : member_count(part, "passed") > 0 ? "passed"
                                            : "not asked";
}

/* For a question of a part of the gate that did not pass. */
static void read_part_question(Arena *arena, const cJSON *object, RunRow *row) {
  if (has(object, "name"))
    row->heading = arena_printf(arena, "%s: %s", row->heading, text_of(arena, object, "name"));
}

static void read_part(Arena *arena, const cJSON *object, RunRow *row) {
  row->heading = arena_printf(arena, "%s: %.0f passed, %.0f failed, %.0f open, %.0f not read",
      text_of(arena, object, "part"), member_count(object, "passed"),
      member_count(object, "failed"), member_count(object, "open"),
      member_count(object, "not_read"));
  row->key = text_of(arena, object, "part");
  row->verdict = part_verdict(object);
}

static void read_target(Arena *arena, const cJSON *object, RunRow *row) {
  const double findings = member_count(object, "findings"), known = member_count(object, "known");
  row->heading = arena_printf(arena, "%s: %.0f executions, %.0f findings, %.0f known, %s",
      text_of(arena, object, "target"), member_count(object, "executions"), findings, known,
      text_of(arena, object, "state"));
  row->key = text_of(arena, object, "target");
  row->verdict = findings + known > 0               ? "refuted"
                 : strcmp(row->verdict, "ran") == 0 ? "passed"
                                                    : "unknown";
}

/* Prints the columns that have questions, and returns the worst status of them. */
static Status print_columns(Text *text, const cJSON *counts) {
  Status worst = STATUS_PROVED;
  for (uint32_t i = 0; i < score_column_count; i++) {
    double count = member_count(counts, score_column_text((ScoreColumn)i));
    if (count == 0) continue;
    text_printf(text, ", %.0f %s", count, score_column_text((ScoreColumn)i));
    worst = status_worse(worst, score_column_status((ScoreColumn)i));
  }
  return worst;
}

static const char *run_status_text(Status status) {
  static const char *const texts[] = {[STATUS_PROVED] = "passed",
      [STATUS_REFUTED] = "refuted",
      [STATUS_UNDECIDED] = "unknown",
      [STATUS_BAD] = "bad input"};
  return texts[status];
}

/* A verb without questions does not count for the exit status of `score` either. */
static void read_score(Arena *arena, const cJSON *object, RunRow *row) {
  bool has_questions = member_count(object, "asked") > 0;
  Text text = text_create(arena);
  row->key = arena_printf(
      arena, "%s %s", text_of(arena, object, "engine"), text_of(arena, object, "verb"));
  text_printf(&text, "%s: %.0f asked", row->key, member_count(object, "asked"));
  Status worst = print_columns(&text, object);
  row->verdict = has_questions ? run_status_text(worst) : "no questions";
  row->heading = text.bytes;
}

/* Whether a campaign, or a target of one, judged an answer and none was refused. */
static bool has_answers(const cJSON *object, const cJSON *counts) {
  double answered = member_count(object, "answered");
  for (uint32_t i = 0; i < score_column_count; i++)
    if (score_column_status((ScoreColumn)i) == STATUS_PROVED)
      answered += member_count(counts, score_column_text((ScoreColumn)i));
  return answered > 0 && member_count(object, "refused") == 0 &&
         member_count(counts, "refused") == 0;
}

/* For a campaign against an engine: one kind of input, or all. Questions that are open decide
 * nothing there if others passed, but what the engine refused does. */
static void read_campaign(Arena *arena, const cJSON *object, RunRow *row) {
  bool is_target = has(object, "target") && has(object, "counts");
  Text text = text_create(arena);
  row->key = text_of(arena, object, is_target ? "target" : "engine");
  text_printf(&text, "%s: %.0f %s", row->key,
      member_count(object, is_target ? "questions" : "findings"),
      is_target ? "questions" : "findings");
  const cJSON *counts = cJSON_GetObjectItemCaseSensitive(object, "counts");
  bool is_wrong = is_target ? print_columns(&text, counts) == STATUS_REFUTED
                            : member_count(object, "findings") > 0;
  row->verdict = is_wrong ? "refuted" : has_answers(object, counts) ? "passed" : "unknown";
  row->heading = text.bytes;
}

static void read_other(Arena *arena, const cJSON *object, RunRow *row) {
  static const char *const names[] = {"smallest", "kind", "case", "operation"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!has(object, names[i])) continue;
    const char *answer = member(arena, object, "answer"),
               *verdict = member(arena, object, "verdict");
    bool is_finding = i < 2;
    row->kind = is_finding ? "finding" : names[i];
    row->heading = text_of(arena, object, is_finding && i == 0 ? "stage" : names[i]);
    row->verdict = is_finding           ? "refuted"
                   : answer != nullptr  ? answer
                   : verdict != nullptr ? verdict
                                        : "unknown";
    return;
  }
  if (!has(object, "verdict") && !has(object, "answer")) return;
  row->kind = "whole";
  row->heading = "the whole run";
  row->verdict = text_of(arena, object, has(object, "verdict") ? "verdict" : "answer");
}

/* A kind of objects: the members that all of them have, the kind of their rows, the members with
 * heading and verdict, and what sets the rest of a row. The first kind that fits is an object's. */
static const struct {
  const char *members[2], *kind, *heading, *verdict;
  void (*read)(Arena *arena, const cJSON *object, RunRow *row);
} kinds[] = {
    {{"instruction", "operand"}, "", "", "answer", read_operand},
    {{"rule", "order"}, "rule decreases", "rule", "answer", read_order},
    {{"rule"}, "rule", "rule", "verdict", read_rule},
    {{"before", "after"}, "graphs", "", "answer", read_graphs},
    {{"scope", "counts"}, "scope", "scope", "answer", read_scope},
    {{"case", "outcome"}, "case", "case", "outcome", read_case},
    {{"declaration"}, "declaration", "declaration", "answer", nullptr},
    {{"fault", "state"}, "fault of an engine", "fault", "state", read_fault},
    {{"fault", "question"}, "fault of an engine", "fault", "answer", read_accepted},
    {{"first", "second"}, "critical pair", "", "why", read_pair},
    {{"same"}, "map", "line", "same", read_map},
    {{"part", "answer"}, "question of the gate", "part", "answer", read_part_question},
    {{"part"}, "part of the gate", "part", "", read_part},
    {{"target", "counts"}, "campaign", "target", "", read_campaign},
    {{"engine", "findings"}, "campaign", "engine", "", read_campaign},
    {{"target"}, "fuzz target", "target", "state", read_target},
    {{"engine", "verb"}, "score", "engine", "", read_score},
    {{}, nullptr, "", "", read_other},
};

/* Some commands print verdicts in capitals. */
static const char *text_lower(Arena *arena, const char *word) {
  char *copy = arena_text(arena, word, strlen(word));
  for (char *at = copy; *at != 0; at++)
    if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
  return copy;
}

static bool read_row(Arena *arena, const cJSON *object, RunRow *row) {
  uint32_t at = 0;
  while ((kinds[at].members[0] != nullptr && !has(object, kinds[at].members[0])) ||
         (kinds[at].members[1] != nullptr && !has(object, kinds[at].members[1])))
    at++;
  *row = (RunRow){.kind = kinds[at].kind,
      .heading = text_of(arena, object, kinds[at].heading),
      .verdict = text_of(arena, object, kinds[at].verdict),
      .direction = "",
      .from_name = "",
      .to_name = ""};
  if (kinds[at].read != nullptr) kinds[at].read(arena, object, row);
  if (row->kind == nullptr) return false;
  if (row->file == nullptr) row->file = text_of(arena, object, "file");
  row->witness = witness_of(arena, object);
  if (row->key == nullptr) row->key = row->heading;
  row->key = arena_printf(arena, "%u %s %s", at, row->file, row->key);
  row->verdict = text_lower(arena, row->verdict);
  row->status = has(object, "accepted")   ? STATUS_PROVED
                : has(object, "rejected") ? STATUS_REFUTED
                                          : status_of(row->verdict);
  read_notes(arena, object, row);
  read_sides(arena, object, row);
  read_maps(arena, object, row);
  return true;
}

static constexpr double lines_version = 1;

/* A status that is worse than that of every row says that the rows lack something. */
static void note_totals(Arena *arena, ReportRun *run, const cJSON *totals) {
  const double status = member_count(totals, "status");
  const Status ended = status == 0   ? STATUS_PROVED
                       : status == 1 ? STATUS_REFUTED
                       : status == 2 ? STATUS_UNDECIDED
                                     : STATUS_BAD;
  const bool is_explained = status_worse(run->worst, ended) == run->worst;
  run->is_open = false;
  run->worst = STATUS_PROVED;
  if (has(totals, "interrupted")) run->cut = "the run was interrupted";
  else if (!is_explained)
    run->cut =
        arena_printf(arena, "the run ended with status %.0f, which no row of it explains", status);
  if (!is_explained) run->cut_status = status_worse(run->cut_status, ended);
}

/* The totals count all objects of their run, so that more rows are of two runs. */
static void note_rows(ReportRun *run, const cJSON *line) {
  const cJSON *totals = cJSON_GetObjectItemCaseSensitive(line, "totals");
  if (run->count - run->ended > member_count(totals, "objects"))
    run->cut = "a run before the last one did not end: it has no line of totals";
  run->ended = run->count;
}

static bool read_line(
    Arena *arena, const Source *source, const char *line, ReportRun *run, Error *error) {
  size_t length = strcspn(line, "\n");
  if (strspn(line, " \t\r") >= length) return true;
  size_t kept = length;
  const char *exact = run_keep_digits(arena, line, &kept);
  cJSON *object = cJSON_ParseWithLength(exact, kept);
  RunRow row;
  bool is_totals = cJSON_IsObject(object) && has(object, "totals");
  bool is_torn = object == nullptr && line[length] == 0 && run->count > 0;
  if (is_totals) note_rows(run, object);
  double version = member_count(object, "version");
  bool is_other = cJSON_IsObject(object) && has(object, "version") && version != lines_version;
  bool is_read =
      !is_other && (is_totals || (cJSON_IsObject(object) && read_row(arena, object, &row)));
  if (is_read && is_totals) note_totals(arena, run, object);
  if (is_read && !is_totals) {
    *ARENA_PUSH(arena, run) = row;
    run->is_open = true;
    run->worst = status_worse(run->worst, row.status);
  }
  cJSON_Delete(object);
  if (is_read) return true;
  if (is_torn) {
    run->cut = "the run did not end: its last line is incomplete";
    return true;
  }
  size_t at = (size_t)(line - source->text);
  if (is_other)
    return error_at(error, ERROR_INPUT, source, at, length,
        "a line of version %.0f of affirm's --json; version %.0f is read here", version,
        lines_version);
  return error_at(error, ERROR_INPUT, source, at, length == 0 ? 1 : length,
      "a line of affirm's --json was expected");
}

bool run_read(Arena *arena, const Source *source, ReportRun *run, Error *error) {
  *run = (ReportRun){.name = source->name};
  cJSON *whole = cJSON_ParseWithOpts(source->text, nullptr, true);
  bool is_sarif = whole != nullptr && run_read_sarif(arena, whole, run);
  cJSON_Delete(whole);
  for (const char *line = source->text; !is_sarif && *line != 0;) {
    if (!read_line(arena, source, line, run, error)) return false;
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  if (run->is_open && run->cut == nullptr)
    run->cut = "the run did not end: it has no line of totals";
  return is_sarif || run->count > 0 || run->cut != nullptr ||
         error_set(error, ERROR_INPUT, "%s has no result", source->name);
}

RunRow run_cut_row(const ReportRun *run) {
  const Status status = status_worse(run->cut_status, STATUS_UNDECIDED);
  return (RunRow){.kind = "whole",
      .key = run->cut,
      .heading = run->cut,
      .verdict = run_status_text(status),
      .status = status,
      .file = run->name,
      .direction = "",
      .from_name = "",
      .to_name = "",
      .witness = ""};
}
