/* Test support: texts of operand_precision, grouped by meaning. Include <string.h> before this
 * file. */
#ifndef CORE_HLO_TEST_PRECISION_ROWS_H
#define CORE_HLO_TEST_PRECISION_ROWS_H

typedef struct PrecisionRow {
  const char *text;    /* "": the attribute is not given */
  const char *meaning; /* equal meanings are the same function */
} PrecisionRow;

static const PrecisionRow precision_rows[] = {{"", "default default"},
    {"{default,default}", "default default"}, {"{default, default}", "default default"},
    {"{DEFAULT,Default}", "default default"}, {"{highest,highest}", "highest highest"},
    {"{HIGHEST,HIGHEST}", "highest highest"}, {"{high,high}", "high high"},
    {"{HIGH,default}", "high default"}, {"{high,default}", "high default"},
    {"{high,default,highest}", "high default highest"}, {"{default,high}", "default high"},
    {"{Highest,default}", "highest default"}, {"{packed_nibble,packed_nibble}", "packed packed"},
    {"{PACKED_NIBBLE,PACKED_NIBBLE}", "packed packed"},
    {"{Packed_Nibble,default}", "packed default"}};

/* Whether the second meaning is the first one with its words exchanged. */
static bool precision_is_exchanged(const char *one, const char *other) {
  size_t first = strcspn(one, " "), second = strlen(one + first + 1);
  return strlen(other) == strlen(one) && strncmp(other, one + first + 1, second) == 0 &&
         other[second] == ' ' && strncmp(other + second + 1, one, first) == 0;
}

#endif
