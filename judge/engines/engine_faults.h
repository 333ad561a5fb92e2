/* Groups the faults of a foreign engine: one group per fault, with a count and three witnesses. A
 * group's name is PLACE/KIND/CAUSE, without blanks.
 *   PLACE  simplify, compose, or the opcode of the question; for a wrong answer with the direction
 *   KIND   if the engine returned no map, the word of its reply (crashed, garbage, ...); for a
 *          wrong answer what is wrong: missing, extra (and nothing missing), other (both), outside,
 *          disagree; unsettled is no fault: right, but in another form when asked again
 *   CAUSE  the signal and the text of the failed check without digits, addresses and times; for a
 *          wrong answer the change that would make it right (judge/engines/repair.h)
 * A file of known groups has one name per line; the rest of the line is a comment, and so is a line
 * that starts with #. */
#ifndef JUDGE_ENGINES_ENGINE_FAULTS_H
#define JUDGE_ENGINES_ENGINE_FAULTS_H

#include "judge/maps/judge.h"

static constexpr size_t fault_name_capacity = 144, fault_witness_capacity = 144;
static constexpr uint32_t fault_witnesses = 3, engine_faults_most = 128;

static constexpr char fault_unsettled[] = "unsettled";
static constexpr char fault_unnamed[] =
    "other"; /* the group of faults without a group of their own */

typedef struct FaultName {
  char text[fault_name_capacity];
} FaultName;

/* Ordered by smaller size, then by smaller number. */
typedef struct FaultWitness {
  uint64_t size, number;
  char text[fault_witness_capacity];
} FaultWitness;

typedef struct EngineFault {
  FaultName name;
  uint64_t count;
  uint32_t kept;
  FaultWitness witnesses[fault_witnesses];
} EngineFault;

/* Has no pointers, so that processes can share it. */
typedef struct EngineFaults {
  uint32_t count;
  EngineFault items[engine_faults_most];
} EngineFaults;

/* Merges faults by name. With engine_faults_most groups one is fault_unnamed: faults that are in
 * none of the others. */
void engine_faults_add(EngineFaults *faults, const EngineFault *fault);
void engine_faults_note(EngineFaults *faults, const FaultName *name, const FaultWitness *witness);
/* Prints a table by operation and fault, largest count first, unsettled last; prints nothing if
 * there are no faults. */
void engine_faults_print(Text *text, EngineFaults *faults);

/* The group of an engine's reply without a map. */
void fault_name_of_reply(const char *operation, const EngineReply *reply, FaultName *name);
/* The group of a refuted map. `is_disagreement`: the judges contradict each other. */
void fault_name_of_map(Judge *judge, const char *operation, bool is_disagreement, const Map *wanted,
    const Map *answer, FaultName *name);
/* The group of a refuted judgement, also if the engine returned no map. */
void fault_name_of_judgement(Judge *judge, const Judgement *judgement, FaultName *name);

/* The names in a file. */
typedef struct KnownFaults {
  bool is_baseline; /* previously known faults of any kind; else accepted over-approximations */
  uint32_t count, capacity;
  struct KnownFault {
    const char *name;
    bool is_seen;
  } *items;
} KnownFaults;
/* Returns false if a line is not a name or is repeated. */
[[nodiscard]] bool known_faults_read(
    Arena *arena, const char *path, KnownFaults *known, Error *error);
/* True if the name is known; marks it as seen. */
[[nodiscard]] bool known_faults_has(KnownFaults *known, const FaultName *name);
/* True if the engine has answered a question of the fault's PLACE: the operation, in the direction
 * that the name has. Only then has a fault that was not seen vanished. */
[[nodiscard]] bool fault_name_was_answered(const char *name, const EngineAnswered *answered);
/* True if the fault has this KIND; "wrong" matches every kind of wrong answer. */
[[nodiscard]] bool fault_name_has_kind(const char *name, const char *kind);
/* True if faults can have this kind. */
[[nodiscard]] bool fault_kind_is_known(const char *kind);
/* True for a wrong answer that a change of its domain alone would make right. */
[[nodiscard]] bool fault_name_is_of_domain(const char *name);
/* True for an over-approximation: nothing is missing. Only this kind can be accepted. */
[[nodiscard]] bool fault_name_is_extra(const char *name);

#endif
