/* Test support: texts of operand_precision, by what they mean. */
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
    {"{HIGH,default}", "high default"}, {"{default,high}", "default high"},
    {"{Highest,default}", "highest default"}, {"{packed_nibble,packed_nibble}", "packed packed"},
    {"{PACKED_NIBBLE,PACKED_NIBBLE}", "packed packed"},
    {"{Packed_Nibble,default}", "packed default"}};

#endif
