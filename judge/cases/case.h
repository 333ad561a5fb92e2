/* Cases: tests as text, three lines and a blank one (grammar in docs/formats.md).
 *     # reverse_one_dimension_reads_backwards
 *     map o2i 0 0 hlo
 *     p0 = f32[4] parameter(0)
 *     ROOT r = f32[4] reverse(p0), dimensions={0}
 *     end
 *     = (d0) -> (-d0 + 3), domain: d0 in [0, 3]
 * Keeps: every text of a case is a piece of the file, so that errors have a position in it. */
#ifndef JUDGE_CASES_CASE_H
#define JUDGE_CASES_CASE_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef enum CaseBlock : uint8_t { BLOCK_NOTHING, BLOCK_HLO, BLOCK_RULES } CaseBlock;

typedef enum CaseVerb : uint8_t {
#define VERB(id, text, block, run, help) VERB_##id,
#include "judge/cases/verbs.def"
#undef VERB
} CaseVerb;

typedef enum CaseExpect : uint8_t {
  EXPECT_TEXT,    /* = TEXT */
  EXPECT_NOTHING, /* nothing: there is no map; nothing is read */
  EXPECT_ERROR,   /* error LINE:COLUMN: MESSAGE; the position is counted within the input */
  EXPECT_PROVED,
  EXPECT_REFUTED, /* further text must occur in the witness; so for the next four */
  EXPECT_EXACT,
  EXPECT_OVER_APPROXIMATION,
  EXPECT_WRONG,
  EXPECT_UNDEFINED,
  EXPECT_SOUND, /* exact or over-approximation; only expected, never a result */
} CaseExpect;

typedef struct CaseExpectation {
  CaseExpect kind;
  Source text; /* after the word; may be empty */
} CaseExpectation;

typedef struct CaseExpectations {
  uint32_t count, capacity;
  CaseExpectation *items;
} CaseExpectations;
typedef struct CaseMaps {
  uint32_t count, capacity;
  Source *items;
} CaseMaps;

typedef struct Case {
  const char *name;
  CaseVerb verb;
  uint32_t line; /* of the verb */
  Source input;  /* after the verb */
  Source block;  /* between `hlo` or `rules` and `end`; text is nullptr if there is none */
  CaseMaps maps; /* of `map MAP` lines after the block */
  CaseExpectations expected; /* at least one */
} Case;

typedef struct CaseFile {
  bool must_fail; /* the file's name ends with .bad.case */
  uint32_t count, capacity;
  Case *items;
} CaseFile;

/* `source` and its text must outlive the cases. A text without a case is an error. */
[[nodiscard]] bool cases_parse(Arena *arena, const Source *source, CaseFile *cases, Error *error);

[[nodiscard]] const char *case_expect_text(CaseExpect expect);

/* The text as a line of a case: further lines, as a map with sources has, start with white space.
 */
[[nodiscard]] const char *case_continued(Arena *arena, const char *text);

#endif
