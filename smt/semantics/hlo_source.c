/* Searches a computation and the bodies called in it, to a bounded depth. The source is matched by
 * identity if it has one, otherwise by name. */
#include "smt/semantics/hlo_source.h"

#include <string.h>

static constexpr uint32_t deepest = 20;

typedef struct HloSourceSearch {
  Sums *sums;
  const RuntimeSource *source;
  const Instruction *instruction;
  const CallSite *frame;
  uint32_t found;
} HloSourceSearch;

static bool is_it(const RuntimeSource *source, const Instruction *instruction) {
  if (source->instruction != nullptr) return source->instruction == instruction;
  if (source->name == nullptr) return false;
  const char *name = source->name[0] == '%' ? source->name + 1 : source->name;
  return strcmp(name, instruction->name) == 0;
}

static bool has_body(const Instruction *instruction) {
  return instruction->called_count == 1 &&
         (instruction->opcode == HLO_FUSION || instruction->opcode == HLO_CALL ||
             instruction->opcode == HLO_ASYNC_START);
}

static void search_body(
    HloSourceSearch *search, const Instruction *caller, const CallSite *outer, uint32_t depth) {
  if (!has_body(caller) || depth >= deepest) return;
  CallSite *frame = ARENA_NEW(search->sums->arena, CallSite, 1);
  *frame = (CallSite){.caller = caller, .outer = outer};
  const Computation *body = caller->called[0];
  for (uint32_t i = 0; i < body->instruction_count; i++) {
    if (is_it(search->source, body->instructions[i])) {
      search->instruction = body->instructions[i];
      search->frame = frame;
      search->found++;
    }
    search_body(search, body->instructions[i], frame, depth + 1);
  }
}

SourceFound hlo_find_source(Sums *sums, const Instruction *top, const RuntimeSource *source,
    const Instruction **instruction, const CallSite **frame) {
  HloSourceSearch search = {.sums = sums, .source = source};
  const Computation *own = top->parent;
  for (uint32_t i = 0; i < own->instruction_count; i++) {
    if (!is_it(source, own->instructions[i])) continue;
    search.instruction = own->instructions[i];
    search.found++;
  }
  if (search.found == 0) search_body(&search, top, nullptr, 0);
  *instruction = search.instruction;
  *frame = search.frame;
  return search.found == 1 ? SOURCE_FOUND : search.found == 0 ? SOURCE_NOT_FOUND : SOURCE_AMBIGUOUS;
}
