/* Questions about pairs of graphs that differ in one place, and hazards. */
#include "exhaust/test/judges_alone.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/read/read.h"
#include "core/base/choices.h"
#include "generate/decode.h"
#include "generate/mutate.h"
#include "judge/graphs/equiv.h"
#include "judge/graphs/equiv_open.h"
#include "judge/hazards/hazards.h"

static constexpr uint32_t most_pairs = 6; /* of a row */

/* Words of HLO and what takes their place. */
static const char *const exchanged_words[][2] = {{" add(", " subtract("}, {" subtract(", " add("},
    {" multiply(", " add("}, {" maximum(", " minimum("}, {" minimum(", " maximum("},
    {" and(", " or("}, {" or(", " xor("}, {" negate(", " abs("}, {"=LT", "=LE"}, {"=GT", "=GE"},
    {"=GE", "=GT"}, {"=EQ", "=NE"}, {"=true", "=false"}, {"=false", "=true"}, {"s32[", "u32["},
    {"f32[", "f16["}, {"ROOT ", ""}};

/* The length of a place that can be changed, and what takes its place; 0: none begins here. */
static size_t place_at(
    Alone *alone, const char *text, const char *at, uint64_t way, const char **other) {
  for (size_t i = 0; i < sizeof exchanged_words / sizeof *exchanged_words; i++)
    if (strncmp(at, exchanged_words[i][0], strlen(exchanged_words[i][0])) == 0) {
      *other = exchanged_words[i][1];
      return strlen(exchanged_words[i][0]);
    }
  bool is_first = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
  if (!is_first || !isdigit((unsigned char)*at)) return 0;
  char *end;
  long long value = strtoll(at, &end, 10);
  *other = arena_printf(alone->arena, "%lld", value + (way % 2 == 0 || value == 0 ? 1 : -1));
  return (size_t)(end - at);
}

/* The text with one number changed by one, or one word exchanged. */
static const char *alone_edited(Alone *alone, const char *text, uint64_t number) {
  uint64_t count = 0;
  const char *other = "";
  for (const char *at = text; *at != 0; at++) count += place_at(alone, text, at, 0, &other) > 0;
  uint64_t left = count == 0 ? 0 : number % count;
  for (const char *at = text; *at != 0; at++) {
    size_t length = place_at(alone, text, at, number / count, &other);
    if (length > 0 && left-- == 0)
      return arena_printf(alone->arena, "%.*s%s%s", (int)(at - text), text, other, at + length);
  }
  return text;
}

/* ---- hazards ---- */

static void say_hazard(Alone *alone, const HazardQuestion *question) {
  Text *text = &alone->oracle;
  HazardVerdict *verdict = ARENA_NEW(alone->arena, HazardVerdict, 1);
  oracle_hazard_query(alone->arena, question, verdict);
  text_printf(text, "%u %u %u: %d %s", question->output, question->parameter,
      question->parameter_leaf, verdict->answer,
      verdict->answer == HAZARD_UNKNOWN ? verdict->reason : "");
  if (verdict->answer == HAZARD_FOUND) {
    text_printf(text, "%u %d %u %s", verdict->reader_output, verdict->reads_offset,
        verdict->reader_input.parameter, verdict->offsets == nullptr ? "" : verdict->offsets);
    alone_say_index(
        text, verdict->writes_window ? "window" : "writer", verdict->rank, verdict->writer);
    alone_say_index(text, "reader", verdict->reader_rank, verdict->reader);
    alone_say_index(text, "buffer", verdict->buffer_rank, verdict->buffer);
  }
  text_string(text, "\n");
}

static void say_hazards(Alone *alone, const Module *module) {
  Text *text = &alone->oracle;
  HazardPairs pairs = {};
  Error error = {};
  if (module == nullptr) return;
  if (!hazard_pairs(alone->arena, module, &pairs, &error))
    text_printf(text, "no pairs: %s\n", error.message);
  for (uint32_t i = 0; i < pairs.count && i < most_pairs; i++) {
    const HazardPair *pair = &pairs.items[i];
    text_printf(text, "%s %s of %s, leaf %u: ", pair->why,
        pair->writer == nullptr ? "" : pair->writer->name, pair->fusion->name, pair->written);
    say_hazard(alone, &pair->question);
  }
}

/* The entry as a kernel that writes over each of its parameters, and the entry as a schedule. */
void ask_about_hazards(Alone *alone, const char *text, uint32_t row) {
  const Module *module = alone_module(alone, text);
  if (module == nullptr) return;
  for (uint32_t i = 0; i < module->entry->parameter_count && i < 3; i++)
    say_hazard(alone,
        &(HazardQuestion){.kernel = module->entry, .parameter = i, .reads_after = row % 3 == 1});
  const char *end = strncmp(text, "HloModule", 9) == 0 ? strchr(text, '\n') : nullptr;
  if (end != nullptr) text = end;
  say_hazards(alone,
      alone_module(alone,
          arena_printf(alone->arena,
              "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }\n%s",
              text)));
}

/* ---- pairs of graphs ---- */

static void say_values(Text *text, const ValuesVerdict *values) {
  text_printf(text, "values: %s by %s, laws %s; %s; %s; %s; %s; %s; %s",
      verdict_reason_name(values->answer), values->by == nullptr ? "" : values->by,
      values->laws == nullptr ? "" : values->laws, values->terms == nullptr ? "" : values->terms,
      values->inputs == nullptr ? "" : values->inputs,
      values->element == nullptr ? "" : values->element,
      values->stopped == nullptr ? "" : values->stopped,
      values->values[0] == nullptr ? "" : values->values[0], values->reason);
  if (values->has_point) alone_say_index(text, "at", values->rank, values->point);
  text_string(text, "\n");
}

static void ask_values(Alone *alone, const Module *before, const Module *after, LawGrade grade) {
  EquivValues values;
  Error error = {};
  ValuesLimits limits = {.grade = grade, .elements = 20'000};
  if (!equiv_values_create(alone->arena, before, after, &limits, &values, &error)) return;
  SmtValues *proof = smt_values_create(alone->judge->smt, before->entry, after->entry, grade);
  for (uint32_t leaf = 0; leaf < values.leaf_count && leaf < 4; leaf++) {
    EquivValuesVerdict *verdict = ARENA_NEW(alone->arena, EquivValuesVerdict, 1);
    equiv_values_query(&values, leaf, &verdict->values);
    say_values(&alone->oracle, &verdict->values);
    if (!shape_is_array(shape_leaf(values.output, leaf))) continue;
    if (!smt_values_query(proof, leaf, &verdict->proof, &error)) continue;
    const char *laws = smt_values_laws(proof);
    alone_say_smt(alone, arena_printf(alone->arena, "values, laws %s", laws == nullptr ? "" : laws),
        &verdict->proof);
    if (verdict->values.answer == REASON_DIFFERENT && verdict->proof.status == VERDICT_PROVED)
      alone_contradict(alone, "values", "oracle", "different", "smt", "the same");
  }
  smt_values_destroy(proof);
}

static void ask_same_reads(Alone *alone, const Module *before, const Module *after) {
  Judge oracle = *alone->judge;
  Equiv equiv;
  EquivPairs pairs = {};
  Error error = {};
  oracle.smt = nullptr;
  if (!equiv_create(&oracle, alone->arena, before, after, &equiv, &error)) return;
  equiv_pairs(&equiv, alone->arena, &pairs);
  for (uint32_t i = 0; i < pairs.count && i < most_pairs; i++) {
    EquivPair pair = pairs.items[i];
    EquivVerdict *verdict = ARENA_NEW(alone->arena, EquivVerdict, 1);
    Verdict proof = {};
    bool known = true;
    equiv_judge(&equiv, pair, verdict);
    text_printf(&alone->oracle, "reads: %s%s %s", equiv_answer_text(verdict->answer),
        verdict->is_unread ? " unread" : "", verdict->reason);
    if (verdict->has_witness) {
      text_printf(&alone->oracle, " %d", verdict->reader);
      alone_say_index(&alone->oracle, "at", verdict->point_rank, verdict->point);
      alone_say_index(&alone->oracle, "reads", verdict->element_rank, verdict->element);
    }
    text_string(&alone->oracle, "\n");
    if ((alone->asked++ % 2 != 0) ||
        !smt_same_reads(alone->judge->smt, before->entry, after->entry, pair.output, pair.parameter,
            pair.parameter_leaf, &known, &proof, &error))
      continue;
    alone_say_smt(alone, known ? "reads" : "reads, in part", &proof);
    bool differs = verdict->answer == REASON_DIFFERENT || verdict->answer == REASON_EXTRA;
    if ((differs && proof.status == VERDICT_PROVED) ||
        (verdict->answer == REASON_EXACT && proof.status == VERDICT_REFUTED))
      alone_contradict(alone, "reads", "oracle", verdict_reason_name(verdict->answer), "smt",
          verdict_text(&proof));
  }
}

static void ask_both(Alone *alone, const Module *before, const Module *after, uint32_t row) {
  ask_values(alone, before, after, row % 2 == 0 ? LAW_EXACT : LAW_FAST);
  ask_same_reads(alone, before, after);
}

static bool is_pair(Alone *alone, const Module *before, const Module *after) {
  EquivValues values;
  Error error = {};
  return equiv_values_create(
      alone->arena, before, after, &(ValuesLimits){.elements = 1}, &values, &error);
}

/* The first edits of `text` that leave parameters and outputs as they are. */
static void ask_edits(
    Alone *alone, const Module *before, const char *text, uint32_t number, uint32_t edits) {
  Error error = {};
  for (uint32_t i = 0; before != nullptr && i < 40 && edits > 0; i++) {
    const Module *after = alone_module(alone, alone_edited(alone, text, number + i * UINT64_C(31)));
    if (after == nullptr || hlo_same_graph(before, after, &error) || !is_pair(alone, before, after))
      continue;
    ask_both(alone, before, after, number);
    edits--;
  }
}

void ask_about_edit(Alone *alone, const char *text, uint32_t row) {
  ask_edits(alone, alone_module(alone, text), text, row, 2);
}

/* A rewrite of the corpus, with edits of its second graph. */
void ask_about_rewrite(Alone *alone, const char *path, uint32_t row) {
  const char *after = arena_printf(alone->arena, "%.*safter.hlo", (int)strlen(path) - 10, path);
  ask_edits(
      alone, alone_module(alone, alone_file(alone, path)), alone_file(alone, after), row * 101, 2);
}

void ask_about_program(Alone *alone, const char *path, uint32_t row) {
  const char *text = alone_file(alone, path);
  for (uint32_t i = 0; i < 6; i++)
    say_hazards(alone, alone_module(alone, alone_edited(alone, text, row + i * 37)));
}

void ask_about_graphs(Alone *alone, const char *text, uint32_t row) {
  Source source = alone_source(alone, text), *parts;
  uint32_t count;
  Error error = {};
  const Module *modules[2];
  if (hlo_split(alone->arena, &source, &count, &parts, &error) && count == 2 &&
      hlo_read(alone->arena, &parts[0], &modules[0], &error) &&
      hlo_read(alone->arena, &parts[1], &modules[1], &error))
    ask_both(alone, modules[0], modules[1], row);
}

/* A random graph and a mutant of it. */
void ask_about_mutant(Alone *alone, const char *, uint32_t row) {
  uint8_t bytes[256], other[256];
  RandomChoices random = choices_of_seed(UINT64_C(7919) * row + 5);
  size_t size = 20 + (size_t)choose(&random.choices, 80), length;
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)choose(&random.choices, 256);
  const Module *before = alone_module(alone, fuzz_decode_graph(alone->arena, bytes, size, &length));
  Error error = {};
  for (uint32_t i = 0; before != nullptr && i < 12; i++) {
    memcpy(other, bytes, size);
    size_t changed = fuzz_mutate_graph(other, size, sizeof other, row + i, nullptr);
    const Module *after =
        alone_module(alone, fuzz_decode_graph(alone->arena, other, changed, &length));
    if (after == nullptr || hlo_same_graph(before, after, &error) || !is_pair(alone, before, after))
      continue;
    ask_both(alone, before, after, row);
    return;
  }
}
