/* What each form of finding gives to the one that reduces it: how it is looked at, and what is
 * written about the smallest. */
#ifndef FUZZ_SHRINK_FORM_H
#define FUZZ_SHRINK_FORM_H

#include "fuzz/harness/kinds.h"
#include "reduce/shrink.h"

/* The judge is made once; what a look leaves is rewound. */
typedef struct Hunt {
  Shrink *shrink;
  Judge *judge;
  Arena *scratch;
  bool reads; /* for the descriptions: the smallest reads without ending the process */
} Hunt;

/* Wanted to learn whether the text reads at all; then it is what is seen. */
static constexpr char signature_reads[] = "reads";
[[nodiscard]] bool hunt_wants(const char *wanted, const char *signature);
/* Looks, with a Hunt as state. */
void look_module(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);
void look_maps(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);
void look_rules(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);
void look_text(
    void *hunt, const char *wanted, const char *text, size_t length, FaultSignature *signature);

/* Each sets size, name, witness, maps and body of the smallest, which still shows the sight. Of one
 * at which the process ends nothing is computed but what reading alone gives, and that where it
 * `reads`. */
void describe_module(Hunt *hunt);
void describe_maps(Hunt *hunt);
void describe_rules(Hunt *hunt);
void describe_text(Hunt *hunt);

#endif
