/* Extracts a foreign engine's complaint from its standard error, line by line, in fixed memory. It
 * keeps the line that names a failed check, the line after it, and the last two lines. A stack
 * trace after a failed check does not displace that line.
 * Keeps: printable bytes, blanks for others. */
#ifndef JUDGE_ENGINES_COMPLAINT_H
#define JUDGE_ENGINES_COMPLAINT_H

#include "core/base/text.h"

static constexpr size_t complaint_line = 200;

typedef struct Complaint {
  char line[complaint_line]; /* the current line, not yet ended */
  char before[complaint_line], last[complaint_line];
  char cause[complaint_line], detail[complaint_line]; /* of the last failed check */
  size_t length;                                      /* of the current line */
  bool wants_detail;
} Complaint;

void complaint_take(Complaint *complaint, const char *bytes, size_t length);
/* Printed before the words. */
static constexpr char complaint_prefix[] = "; its last words: ";
/* Appends `; its last words: ...` or nothing. A last line that starts with `ignored` is dropped,
 * because a shell names the signal of its child that way. nullptr: no line is ignored. */
void complaint_print(const Complaint *complaint, const char *ignored, Text *text);

#endif
