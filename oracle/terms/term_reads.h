/* Which elements two terms read. */
#ifndef ORACLE_TERMS_TERM_READS_H
#define ORACLE_TERMS_TERM_READS_H

#include "oracle/terms/term.h"

typedef enum TermReadsAnswer : uint8_t {
  TERM_READS_SAME,
  TERM_READS_MORE,  /* the second term reads all that the first reads, and more */
  TERM_READS_FEWER, /* the reverse */
  TERM_READS_BOTH,  /* each reads what the other does not */
  TERM_READS_LARGE, /* too many terms to compare */
} TermReadsAnswer;

typedef struct TermReads TermReads;
/* For the terms that exist. KEEP: arena and terms. */
[[nodiscard]] TermReads *term_reads_create(Arena *arena, const Terms *terms);
/* `alone`: an element or an array that one term alone reads; unchanged if there is none. */
[[nodiscard]] TermReadsAnswer term_reads_compare(
    TermReads *reads, Term before, Term after, Term *alone);

#endif
