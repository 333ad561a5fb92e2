/* What a foreign engine says on its standard error, line by line, in memory of fixed size: the line
 * that names a failed check with the one after it, and the last two lines. A stack trace after a
 * failed check does not push it out.
 * Keeps: bytes that print, blanks in place of others. */
#ifndef JUDGE_ENGINES_COMPLAINT_H
#define JUDGE_ENGINES_COMPLAINT_H

#include "core/base/text.h"

static constexpr size_t complaint_line = 200;

typedef struct Complaint {
  char line[complaint_line]; /* the one at hand, without a line break yet */
  char before[complaint_line], last[complaint_line];
  char cause[complaint_line], detail[complaint_line]; /* of the last failed check */
  size_t length;                                      /* of the line at hand */
  bool wants_detail;
} Complaint;

void complaint_take(Complaint *complaint, const char *bytes, size_t length);
/* What stands before the words. */
static constexpr char complaint_prefix[] = "; its last words: ";
/* Appends `; its last words: ...`, or nothing. A last line that begins with `ignored` is left out: a
 * shell names the signal of its child so. nullptr ignores no line. */
void complaint_print(const Complaint *complaint, const char *ignored, Text *text);

#endif
