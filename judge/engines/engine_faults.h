/* The faults of a foreign engine in groups: one fault is one group, with a count and three
 * witnesses. A group's name is PLACE/KIND/CAUSE, without blanks.
 *   PLACE  simplify, compose, or the opcode of the question, of a wrong answer with its direction
 *   KIND   of an engine that gave no map the word of its reply (crashed, garbage, ...), of a wrong
 *          answer what is wrong with it: missing, extra (and nothing missing), other (both),
 *          outside, disagree; unsettled is no fault: right, and in another form when asked again
 *   CAUSE  the signal and the text of the failed check without digits, addresses and times; of a
 *          wrong answer the change that would make it right (judge/engines/repair.h)
 * A file of names, one a line, says which groups are known; what follows the name on its line is a
 * remark, and so is a line that begins with #. */
#ifndef JUDGE_ENGINE_FAULTS_H
#define JUDGE_ENGINE_FAULTS_H

#include "judge/maps/judge.h"

static constexpr size_t fault_name_capacity = 144, fault_witness_capacity = 144;
static constexpr uint32_t fault_witnesses = 3, engine_faults_most = 128;

static constexpr char fault_unsettled[] = "unsettled";

typedef struct FaultName {
  char text[fault_name_capacity];
} FaultName;

/* Of two witnesses the one of smaller size stands first, then of smaller number. */
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

/* No pointers: several processes may share it. */
typedef struct EngineFaults {
  uint32_t count;
  EngineFault items[engine_faults_most];
} EngineFaults;

/* Joined by name. Past engine_faults_most groups a fault joins the last one, which is called
 * "other" from then on. */
void engine_faults_add(EngineFaults *faults, const EngineFault *fault);
void engine_faults_note(EngineFaults *faults, const FaultName *name, const FaultWitness *witness);
/* A table by operation and fault, the largest count first, what is unsettled last; nothing where
 * there is none. */
void engine_faults_print(Text *text, EngineFaults *faults);

/* Of the reply of an engine that gave no map. */
void fault_name_of_reply(const char *place, const EngineReply *reply, FaultName *name);
/* Of a map that is refuted. `is_disagreement`: the judges contradict each other. */
void fault_name_of_map(Judge *judge, const char *place, bool is_disagreement, const Map *wanted,
    const Map *answer, FaultName *name);
/* Of a judgement that is refuted, be it that the engine gave no map. */
void fault_name_of_judgement(Judge *judge, const Judgement *judgement, FaultName *name);

/* Names that a file holds. */
typedef struct KnownFaults {
  bool is_baseline; /* faults that were known before, of any kind; else accepted over-approximations
                     */
  uint32_t count, capacity;
  struct KnownFault {
    const char *name;
    bool is_seen;
  } *items;
} KnownFaults;
/* False where a line is no name, or is there twice. */
[[nodiscard]] bool known_faults_read(
    Arena *arena, const char *path, KnownFaults *known, Error *error);
/* Whether it is there; it has been seen then. */
[[nodiscard]] bool known_faults_has(KnownFaults *known, const FaultName *name);
/* Whether the fault is of this kind: a KIND, or "wrong" for every kind of a wrong answer. */
[[nodiscard]] bool fault_name_has_kind(const char *name, const char *kind);
/* Whether a fault may be of this kind. */
[[nodiscard]] bool fault_kind_is_known(const char *kind);
/* An over-approximation: nothing is missing. The one kind that may be accepted. */
[[nodiscard]] bool fault_name_is_extra(const char *name);

#endif
