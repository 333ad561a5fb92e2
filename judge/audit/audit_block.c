/* A block that reads is judged like any other set of maps; what the judges say becomes the audit's
 * answer. A map that a judge calls loose contains the read set and more: covering. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "judge/audit/audit.h"

static AuditAnswer answer_of(JudgeAnswer answer) {
  switch (answer) {
    case JUDGE_EXACT: return AUDIT_EXACT;
    case JUDGE_COVERING:
    case JUDGE_LOOSE: return AUDIT_COVERING;
    case JUDGE_WRONG: return AUDIT_WRONG;
    case JUDGE_DISAGREE: return AUDIT_DISAGREE;
    case JUDGE_UNDEFINED: return AUDIT_UNDEFINED;
    case JUDGE_NOT_OFFERED:
    case JUDGE_BROKEN:
    case JUDGE_NOT_JUDGED: return AUDIT_NOT_JUDGED;
  }
  return AUDIT_NOT_JUDGED;
}

static void explain(Audit *audit, const Text *why) {
  const Judgement *judgement = &audit->judgement;
  audit->answer = answer_of(judgement->answer);
  const Verdict *oracle = &judgement->by[BY_ORACLE];
  bool is_counted = audit->answer == AUDIT_COVERING && oracle->reason == REASON_EXTRA;
  if (audit->answer == AUDIT_NOT_JUDGED && why->length > 0)
    audit_say(audit, AUDIT_NOT_JUDGED, "%.300s%.440s", why->bytes, judgement->reason);
  else if (is_counted)
    audit_say(audit, AUDIT_COVERING, "%" PRId64 " pairs too many: %.600s", oracle->extra,
        judgement->reason);
  else snprintf(audit->text, sizeof audit->text, "%s", judgement->reason);
}

static bool says_undefined(const PrintedBlock *block) {
  return block->maps.count == 1 && strncmp(block->maps.items[0].text, "UNDEFINED", 9) == 0;
}

void audit_block(
    Judge *judge, Arena *arena, const Instruction *root, const PrintedBlock *block, Audit *audit) {
  Question question;
  MapSet set;
  Text why = text_create(arena);
  if (!audit_match(root, block, &question, audit)) {
    if (audit->answer == AUDIT_NOT_JUDGED && says_undefined(block))
      audit_say(audit, AUDIT_UNDEFINED, "the text says UNDEFINED");
    return;
  }
  if (!audit_read_maps(judge->context, arena, &question, block, &why, &set, audit)) return;
  audit->is_judged = true;
  judge_maps(judge, &question, &set, &audit->judgement);
  explain(audit, &why);
  assert(audit->answer != AUDIT_EXACT || audit->text[0] == 0);
}
