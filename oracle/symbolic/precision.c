/* XLA accepts the words in upper and lower case. A text with a comment is not understood here. */
#include "oracle/symbolic/precision.h"

#include <string.h>
#include <strings.h>

OperandPrecision operand_precision(const Attribute *attribute) {
  static const char *const words[] = {"default", "high", "highest"};
  static const char between[] = " \t\r\n,{}";
  OperandPrecision precision = PRECISION_DEFAULT;
  if (attribute == nullptr) return precision;
  const char *at = attribute->text;
  for (at += strspn(at, between); *at != 0; at += strspn(at, between)) {
    size_t length = strcspn(at, between), word = 0;
    while (word < 3 && (strlen(words[word]) != length || strncasecmp(words[word], at, length) != 0))
      word++;
    if (word == 3) return PRECISION_OTHER;
    if (word > 0) precision = PRECISION_HIGHER;
    at += length;
  }
  return precision;
}
