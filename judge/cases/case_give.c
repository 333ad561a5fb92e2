/* Results of verbs, and the module of a case. */
#include "judge/cases/case_give.h"

#include <string.h>

#include "core/hlo/read/read.h"
#include "judge/maps/tested.h"

void case_give_unknown(CaseRun *run, const char *why) {
  run->verb_result.kind = VERB_RESULT_UNKNOWN;
  run->verb_result.witness = why;
}

void case_give_verdict(CaseRun *run, CaseExpect verdict, const char *witness) {
  run->verb_result.kind = VERB_RESULT_VERDICT;
  run->verb_result.verdict = verdict;
  run->verb_result.witness = arena_text(run->arena, witness, strlen(witness));
}

void case_give_maps(CaseRun *run, const MapSet *maps) {
  static constexpr CaseExpect words[] = {[INDEX_EXACT] = EXPECT_TEXT,
      [INDEX_OVER_APPROXIMATION] = EXPECT_OVER_APPROXIMATION,
      [INDEX_UNDEFINED] = EXPECT_UNDEFINED};
  VerbResult *verb_result = &run->verb_result;
  verb_result->maps = *maps;
  verb_result->verdict = words[maps->claim];
  verb_result->witness = maps->reason;
  verb_result->kind = maps->claim == INDEX_UNDEFINED ? VERB_RESULT_VERDICT : VERB_RESULT_MAPS;
}

bool case_needs_own_engine(CaseRun *run) {
  if (run->judge->engine != nullptr)
    case_give_unknown(run, "affirm's own engine alone is asked this");
  return run->judge->engine == nullptr;
}

static bool ends_a_line(const char *text, char byte) {
  for (const char *at = strchr(text, byte); at != nullptr; at = strchr(at + 1, byte)) {
    const char *next = at + 1;
    while (*next == ' ' || *next == '\t' || *next == '\r') next++;
    if (*next == '\n' || *next == 0) return true;
  }
  return false;
}

const char *case_module_text(Arena *arena, const Source *block) {
  if (strstr(block->text, "ENTRY") != nullptr || ends_a_line(block->text, '{')) return block->text;
  return arena_printf(arena, "ENTRY case {\n%s}\n", block->text);
}

Source *case_entry_source(Arena *arena, const Source *block) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = *block;
  source->text = case_module_text(arena, block);
  if (source->text == block->text) return source;
  source->length = strlen(source->text);
  source->first_line = block->first_line - 1;
  return source;
}

bool case_read_module(
    CaseRun *run, const Source *source, uint32_t first_line, const Module **module) {
  run->first_line = first_line;
  if (!hlo_read(run->arena, source, module, &run->verb_result.error)) return case_give_error(run);
  tested_module(run->judge, *module);
  return true;
}

bool case_entry_module(CaseRun *run, const Module **module) {
  const Source *block = &run->one->block;
  return case_read_module(run, case_entry_source(run->arena, block), block->first_line, module);
}
