/* The functions of each form of finding: one computes the signature of a text, one describes the
 * smallest text. */
#ifndef REDUCE_SHRINK_FORM_H
#define REDUCE_SHRINK_FORM_H

#include "fuzz/harness/kinds.h"
#include "reduce/shrink.h"

/* The judge is created once; the scratch arena is rewound after each text. */
typedef struct Hunt {
  Shrink *shrink;
  Judge *judge;
  Arena *scratch;
  bool asks_called; /* of a module: after the entry, the other computations too */
  bool reads;       /* for the descriptions: parsing the smallest text does not end the process */
} Hunt;

/* The signature of a text that parses, if it is the wanted one. */
static constexpr char signature_reads[] = "reads";
/* Looks, with a Hunt as state. */
void look_module(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);
void look_maps(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);
void look_rules(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);
void look_text(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);

/* Each sets size, name, witness, maps and body of the smallest text. If the fault ends the process,
 * only results of parsing are set, and only if the text `reads`. */
void describe_module(Hunt *hunt);
void describe_maps(Hunt *hunt);
void describe_rules(Hunt *hunt);
void describe_text(Hunt *hunt);

#endif
