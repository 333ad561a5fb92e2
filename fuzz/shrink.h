/* From a module in which the engine is refuted to one small case: the first question that a judge refutes is found, and the module is made
 * small (reduce.h) while the same judge still gives the same answer about an instruction with the same opcode.
 * The cheapest judge that sees it is the one that is kept: enumeration alone, else proof alone, else both. */
#ifndef FUZZ_SHRINK_H
#define FUZZ_SHRINK_H

#include "judge/judge.h"

typedef enum ShrinkJudge : uint8_t { SHRINK_ORACLE, SHRINK_SMT, SHRINK_BOTH } ShrinkJudge;

/* What was refuted; texts live in the arena. */
typedef struct ShrinkFault {
  JudgeAnswer answer;
  Opcode opcode;
  ShrinkJudge judge;
  bool is_root;            /* of the entry */
  IndexClaim claim;        /* the engine's */
  const char *instruction;
  const char *question;    /* "o2i 0 1": as a case's verb takes it */
  const char *reason, *maps; /* the witness; the maps, each on its line */
} ShrinkFault;

typedef struct Shrink {
  Arena *arena;
  const RuleSet *rules;    /* nullptr: the engine's own */
  double seconds;          /* when to be content with what is there */
  uint32_t most_trials;
  uint32_t trials;         /* set */
  uint32_t operations;     /* set: parameters aside, of the smallest */
  ShrinkFault fault;       /* set: in the smallest */
  const char *smallest;    /* set: as hlo_print writes it */
} Shrink;

typedef enum ShrinkEnd : uint8_t { SHRINK_DONE, SHRINK_NO_FAULT, SHRINK_ERROR } ShrinkEnd;
/* NO_FAULT: no judge refutes anything about an instruction of the entry. */
[[nodiscard]] ShrinkEnd shrink_module(Shrink *shrink, const Source *source, Error *error);
/* A case that expects what would be right, and its history as remarks. `origin` names where the module came from. */
void shrink_print_case(Text *text, const Shrink *shrink, const char *origin, const char *version, const char *path);

#endif
