/* Judges a parsed block like any other set of maps, and converts the verdict into the audit's
 * answer. Maps that a judge calls inexact are an over-approximation. */
#include <assert.h>
#include <string.h>

#include "core/hlo/compare.h"
#include "judge/audit/audit.h"

static VerdictReason answer_of(VerdictReason judged) {
  if (judged == REASON_EXTRA) return REASON_COVERS;
  return judged == REASON_NOT_OFFERED || judged == REASON_BROKEN ? REASON_OPEN : judged;
}

static void audit_block_explain(Audit *audit, const Text *why) {
  const Judgement *judgement = &audit->judgement;
  audit->answer = answer_of(judgement->answer);
  const Verdict *oracle = &judgement->by[BY_ORACLE];
  bool is_counted = audit->answer == REASON_COVERS && oracle->reason == REASON_EXTRA;
  if (audit->answer == REASON_OPEN && why->length > 0)
    audit_say(audit, REASON_OPEN, "%s%s", why->bytes, judgement->reason);
  else if (is_counted)
    audit_say(
        audit, REASON_COVERS, "%s too many: %s", counted(oracle->extra, "pair"), judgement->reason);
  else audit->text = arena_printf(audit->arena, "%s", judgement->reason);
}

static bool states_undefined(const PrintedBlock *block) {
  return block->maps.count == 1 && strncmp(block->maps.items[0].text, "UNDEFINED", 9) == 0;
}

const Instruction *audit_instruction(const Module *module, const PrintedBlock *block) {
  if (block->instruction == nullptr) return module->entry->root;
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Instruction *found = strcmp(module->computations[i]->name, block->computation) == 0
                                   ? computation_find(module->computations[i], block->instruction)
                                   : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

void audit_block(
    Judge *judge, Arena *arena, const Instruction *root, const PrintedBlock *block, Audit *audit) {
  Question question;
  MapSet set;
  Text why = text_create(arena);
  if (!audit_match(root, block, &question, audit)) {
    if (audit->answer == REASON_OPEN && states_undefined(block))
      audit_say(audit, REASON_UNDEFINED, "the text says UNDEFINED");
    return;
  }
  if (!audit_read_maps(judge->context, arena, &question, block, &why, &set, audit)) return;
  audit->is_judged = true;
  judge_maps(judge, &question, &set, &audit->judgement);
  audit_block_explain(audit, &why);
  assert(audit->answer != REASON_EXACT || audit->text[0] == 0);
}
