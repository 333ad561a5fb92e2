/* Generates mutants of one C source from clang's syntax tree. A mutant is a range of bytes of the
 * source and the text that replaces it. Only nodes in the source itself are mutated, never the
 * expansion of a macro. Mutants are numbered in the order of the tree, so a number always names the
 * same mutant of an unchanged source.
 *
 *     affirm-mutants BUILD FILE                lists: number, line, first byte and the one after
 *                                              the last, function, operator, before, after
 *     affirm-mutants BUILD FILE --apply N      prints the source with mutant N
 *
 * BUILD contains compile_commands.json. Exit status 0; 3 for bad usage or a source that clang
 * rejects. The operators are those of Jia and Harman's survey of mutation testing, and typical
 * faults of indexing engines: a missing clamp, truncation instead of floor, exchanged ends of an
 * interval, variables counted by the wrong kind, unchecked instead of checked arithmetic. */
#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SourceRange {
  unsigned start, end;
} SourceRange;

typedef struct Mutant {
  SourceRange range;
  unsigned line;
  const char *operator_name;
  char *function, *after;
} Mutant;

typedef struct Mutator {
  CXTranslationUnit unit;
  CXFile file;
  const char *text;
  size_t length;
  CXCursor function;
  Mutant *mutants;
  size_t count, capacity;
} Mutator;

typedef struct Children {
  CXCursor items[64];
  unsigned count;
} Children;

static enum CXChildVisitResult children_add(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Children *children = data;
  if (children->count < 64) children->items[children->count++] = cursor;
  return CXChildVisit_Continue;
}

static Children children_of(CXCursor cursor) {
  Children children = {};
  clang_visitChildren(cursor, children_add, &children);
  return children;
}

/* The bytes of a node; false if a part of it comes from a macro or another file. */
static bool range_of(const Mutator *mutator, CXCursor cursor, SourceRange *range) {
  CXSourceRange extent = clang_getCursorExtent(cursor);
  CXSourceLocation ends[2] = {clang_getRangeStart(extent), clang_getRangeEnd(extent)};
  unsigned offsets[2];
  for (int i = 0; i < 2; i++) {
    CXFile spelled, expanded;
    unsigned offset;
    clang_getSpellingLocation(ends[i], &spelled, nullptr, nullptr, &offset);
    clang_getExpansionLocation(ends[i], &expanded, nullptr, nullptr, &offsets[i]);
    if (spelled == nullptr || !clang_File_isEqual(expanded, mutator->file)) return false;
    if (!clang_File_isEqual(spelled, mutator->file) || offset != offsets[i]) return false;
  }
  *range = (SourceRange){offsets[0], offsets[1]};
  return offsets[0] < offsets[1] && offsets[1] <= mutator->length;
}

static unsigned line_at(const Mutator *mutator, unsigned offset) {
  unsigned line = 1;
  for (unsigned i = 0; i < offset; i++) line += mutator->text[i] == '\n';
  return line;
}

[[gnu::format(printf, 4, 5)]] static void mutant_add(
    Mutator *mutator, const char *operator_name, SourceRange range, const char *format, ...) {
  char *after = nullptr;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&after, format, arguments) < 0) abort();
  va_end(arguments);
  size_t length = range.end - range.start;
  if (strlen(after) == length && memcmp(after, mutator->text + range.start, length) == 0) {
    free(after);
    return;
  }
  if (mutator->count == mutator->capacity) {
    mutator->capacity = mutator->capacity == 0 ? 256 : 2 * mutator->capacity;
    Mutant *grown = realloc(mutator->mutants, mutator->capacity * sizeof *mutator->mutants);
    if (grown == nullptr) abort();
    mutator->mutants = grown;
  }
  CXString name = clang_getCursorSpelling(mutator->function);
  mutator->mutants[mutator->count++] = (Mutant){.range = range,
      .line = line_at(mutator, range.start),
      .operator_name = operator_name,
      .function = strdup(clang_getCString(name)),
      .after = after};
  clang_disposeString(name);
}

#define SPAN(range) (int)((range).end - (range).start), mutator->text + (range).start

/* Finds the operator's own bytes, between the two operands. */
static bool operator_between(const Mutator *mutator, SourceRange left, SourceRange right,
    const char *spelling, SourceRange *found) {
  size_t length = strlen(spelling);
  for (unsigned i = left.end; i + length <= right.start; i++) {
    if (memcmp(mutator->text + i, spelling, length) != 0) continue;
    *found = (SourceRange){i, i + (unsigned)length};
    return true;
  }
  return false;
}

static bool is_arithmetic_type(CXCursor cursor) {
  enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  return kind >= CXType_Bool && kind <= CXType_LongDouble;
}

typedef struct OperatorExchange {
  const char *operator_name, *from, *to;
} OperatorExchange;

static const OperatorExchange exchanges[] = {
    {"relation", "<", "<="},
    {"relation", "<", ">="},
    {"relation", "<=", "<"},
    {"relation", "<=", ">"},
    {"relation", ">", ">="},
    {"relation", ">", "<="},
    {"relation", ">=", ">"},
    {"relation", ">=", "<"},
    {"relation", "==", "!="},
    {"relation", "!=", "=="},
    {"arithmetic", "+", "-"},
    {"arithmetic", "-", "+"},
    {"arithmetic", "*", "+"},
    {"arithmetic", "/", "*"},
    {"arithmetic", "%", "/"},
    {"arithmetic", "+=", "-="},
    {"arithmetic", "-=", "+="},
    {"arithmetic", "*=", "+="},
    {"bits", "<<", ">>"},
    {"bits", ">>", "<<"},
    {"bits", "&", "|"},
    {"bits", "|", "&"},
    {"bits", "|=", "&="},
    {"bits", "&=", "|="},
    {"logic", "&&", "||"},
    {"logic", "||", "&&"},
};

static void mutate_binary(Mutator *mutator, CXCursor cursor) {
  Children operands = children_of(cursor);
  SourceRange left, right, position;
  if (operands.count != 2 || !range_of(mutator, operands.items[0], &left) ||
      !range_of(mutator, operands.items[1], &right))
    return;
  if (!is_arithmetic_type(operands.items[1])) return;
  CXString string = clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(cursor));
  const char *spelling = clang_getCString(string);
  if (spelling != nullptr && operator_between(mutator, left, right, spelling, &position)) {
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++)
      if (strcmp(exchanges[i].from, spelling) == 0)
        mutant_add(mutator, exchanges[i].operator_name, position, "%s", exchanges[i].to);
    if (strcmp(spelling, "&&") == 0 || strcmp(spelling, "||") == 0) {
      mutant_add(mutator, "conjunct", (SourceRange){left.start, right.end}, "%.*s", SPAN(left));
      mutant_add(mutator, "conjunct", (SourceRange){left.start, right.end}, "%.*s", SPAN(right));
    }
  }
  clang_disposeString(string);
}

static void mutate_unary(Mutator *mutator, CXCursor cursor) {
  Children operands = children_of(cursor);
  SourceRange whole, operand;
  if (operands.count != 1 || !range_of(mutator, cursor, &whole) ||
      !range_of(mutator, operands.items[0], &operand))
    return;
  switch ((unsigned)clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_LNot:
      mutant_add(mutator, "negation", whole, "(bool)(%.*s)", SPAN(operand));
      break;
    case CXUnaryOperator_Minus: mutant_add(mutator, "sign", whole, "%.*s", SPAN(operand)); break;
    default: break;
  }
}

static void mutate_literal(Mutator *mutator, CXCursor cursor) {
  SourceRange range;
  if (!range_of(mutator, cursor, &range)) return;
  mutant_add(mutator, "constant", range, "(%.*s + 1)", SPAN(range));
  mutant_add(mutator, "constant", range, "(%.*s - 1)", SPAN(range));
  enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  if (kind == CXType_Long) mutant_add(mutator, "edge", range, "INT64_MAX");
}

static void mutate_condition(Mutator *mutator, CXCursor condition, bool may_be_true) {
  SourceRange range;
  if (!range_of(mutator, condition, &range)) return;
  mutant_add(mutator, "condition", range, "!(%.*s)", SPAN(range));
  mutant_add(mutator, "condition", range, "false");
  if (may_be_true) mutant_add(mutator, "condition", range, "true");
}

static void mutate_deleted(Mutator *mutator, CXCursor statement) {
  SourceRange range;
  enum CXCursorKind kind = clang_getCursorKind(statement);
  bool is_effect = kind == CXCursor_CallExpr || kind == CXCursor_CompoundAssignOperator ||
                   kind == CXCursor_BinaryOperator || kind == CXCursor_UnaryOperator;
  if (is_effect && range_of(mutator, statement, &range))
    mutant_add(mutator, "deletion", range, "(void)0");
}

/* A call of this name with two or three arguments is replaced by the text, in which $1 to $3 are
 * its arguments. */
typedef struct CallChange {
  const char *operator_name, *name, *after;
} CallChange;

static const CallChange call_changes[] = {
    {"unchecked", "add64", "(*($3) = (int64_t)((uint64_t)($1) + (uint64_t)($2)), true)"},
    {"unchecked", "sub64", "(*($3) = (int64_t)((uint64_t)($1) - (uint64_t)($2)), true)"},
    {"unchecked", "mul64", "(*($3) = (int64_t)((uint64_t)($1) * (uint64_t)($2)), true)"},
    {"truncation", "floordiv64", "(($1) / ($2))"},
    {"truncation", "ceildiv64", "(($1) / ($2))"},
    {"truncation", "mod64", "(($1) % ($2))"},
    {"clamp", "min64", "($1)"},
    {"clamp", "min64", "($2)"},
    {"clamp", "min64", "max64($1, $2)"},
    {"clamp", "max64", "($1)"},
    {"clamp", "max64", "($2)"},
    {"clamp", "max64", "min64($1, $2)"},
};

static void mutate_named_call(Mutator *mutator, const char *name, SourceRange whole, unsigned count,
    const SourceRange *arguments) {
  for (size_t i = 0; i < sizeof call_changes / sizeof *call_changes; i++) {
    if (strcmp(call_changes[i].name, name) != 0) continue;
    char text[4096];
    size_t length = 0;
    for (const char *at = call_changes[i].after; *at != 0 && length + 1 < sizeof text; at++) {
      if (*at != '$') {
        text[length++] = *at;
        continue;
      }
      unsigned number = (unsigned)(*++at - '1');
      if (number >= count) return;
      SourceRange argument = arguments[number];
      int written = snprintf(text + length, sizeof text - length, "%.*s", SPAN(argument));
      if (written < 0 || (size_t)written >= sizeof text - length) return;
      length += (size_t)written;
    }
    text[length] = 0;
    mutant_add(mutator, call_changes[i].operator_name, whole, "%s", text);
  }
}

static void mutate_call(Mutator *mutator, CXCursor cursor) {
  SourceRange whole, ranges[16];
  int count = clang_Cursor_getNumArguments(cursor);
  if (count < 1 || count > 16 || !range_of(mutator, cursor, &whole)) return;
  for (int i = 0; i < count; i++)
    if (!range_of(mutator, clang_Cursor_getArgument(cursor, (unsigned)i), &ranges[i])) return;
  for (int i = 0; i + 1 < count; i++) {
    CXType left = clang_getCursorType(clang_Cursor_getArgument(cursor, (unsigned)i));
    CXType right = clang_getCursorType(clang_Cursor_getArgument(cursor, (unsigned)i + 1));
    if (!clang_equalTypes(clang_getCanonicalType(left), clang_getCanonicalType(right))) continue;
    SourceRange both = {ranges[i].start, ranges[i + 1].end},
                gap = {ranges[i].end, ranges[i + 1].start};
    mutant_add(mutator, "arguments", both, "%.*s%.*s%.*s", SPAN(ranges[i + 1]), SPAN(gap),
        SPAN(ranges[i]));
  }
  CXString name = clang_getCursorSpelling(cursor);
  mutate_named_call(mutator, clang_getCString(name), whole, (unsigned)count, ranges);
  clang_disposeString(name);
}

/* A field that is easily confused with another. */
static const OperatorExchange fields[] = {
    {"interval", "lo", "hi"},
    {"interval", "hi", "lo"},
    {"variables", "dim_count", "range_count"},
    {"variables", "range_count", "dim_count"},
    {"variables", "runtime_count", "range_count"},
    {"variables", "dims", "ranges"},
    {"variables", "ranges", "runtimes"},
    {"size", "low", "high"},
    {"size", "high", "low"},
    {"size", "before", "after"},
};

static void mutate_member(Mutator *mutator, CXCursor cursor) {
  SourceRange range;
  if (!range_of(mutator, cursor, &range)) return;
  CXString string = clang_getCursorSpelling(cursor);
  const char *name = clang_getCString(string);
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (strcmp(fields[i].from, name) != 0 || range.end - range.start < length) continue;
    SourceRange field = {range.end - (unsigned)length, range.end};
    if (memcmp(mutator->text + field.start, name, length) == 0)
      mutant_add(mutator, fields[i].operator_name, field, "%s", fields[i].to);
  }
  clang_disposeString(string);
}

static void mutate_function(Mutator *mutator, CXCursor function) {
  Children parts = children_of(function);
  SourceRange body;
  if (parts.count == 0 ||
      clang_getCursorKind(parts.items[parts.count - 1]) != CXCursor_CompoundStmt ||
      !range_of(mutator, parts.items[parts.count - 1], &body))
    return;
  SourceRange start = {body.start, body.start + 1};
  CXType type = clang_getCanonicalType(clang_getCursorResultType(function));
  if (type.kind == CXType_Bool) {
    mutant_add(mutator, "return", start, "{ return true;");
    mutant_add(mutator, "return", start, "{ return false;");
  } else if (type.kind == CXType_Void) {
    mutant_add(mutator, "return", start, "{ return;");
  } else if (type.kind == CXType_Pointer) {
    mutant_add(mutator, "return", start, "{ return nullptr;");
  } else if (type.kind > CXType_Bool && type.kind <= CXType_LongDouble) {
    mutant_add(mutator, "return", start, "{ return 0;");
  }
}

static void mutate_jump(Mutator *mutator, CXCursor cursor, bool breaks) {
  SourceRange range;
  if (range_of(mutator, cursor, &range))
    mutant_add(mutator, "jump", range, breaks ? "continue" : "break");
}

static void mutate_node(Mutator *mutator, CXCursor cursor, CXCursor parent) {
  enum CXCursorKind kind = clang_getCursorKind(cursor), above = clang_getCursorKind(parent);
  Children parts = children_of(cursor);
  if (above == CXCursor_CompoundStmt) mutate_deleted(mutator, cursor);
  switch ((unsigned)kind) {
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: mutate_binary(mutator, cursor); break;
    case CXCursor_UnaryOperator: mutate_unary(mutator, cursor); break;
    case CXCursor_IntegerLiteral:
      if (above != CXCursor_CaseStmt) mutate_literal(mutator, cursor);
      break;
    case CXCursor_CallExpr: mutate_call(mutator, cursor); break;
    case CXCursor_MemberRefExpr: mutate_member(mutator, cursor); break;
    case CXCursor_IfStmt:
      if (parts.count > 0) mutate_condition(mutator, parts.items[0], true);
      break;
    case CXCursor_ConditionalOperator:
      if (parts.count > 0) mutate_condition(mutator, parts.items[0], true);
      break;
    case CXCursor_WhileStmt:
      if (parts.count > 0) mutate_condition(mutator, parts.items[0], false);
      break;
    case CXCursor_BreakStmt:
      if (above != CXCursor_CaseStmt && above != CXCursor_SwitchStmt)
        mutate_jump(mutator, cursor, true);
      break;
    case CXCursor_ContinueStmt: mutate_jump(mutator, cursor, false); break;
    default: break;
  }
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  Mutator *mutator = data;
  CXFile file;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, nullptr, nullptr, nullptr);
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_FunctionDecl) {
    if (file == nullptr || !clang_File_isEqual(file, mutator->file)) return CXChildVisit_Continue;
    mutator->function = cursor;
    mutate_function(mutator, cursor);
    return CXChildVisit_Recurse;
  }
  if (clang_isDeclaration(kind) && kind != CXCursor_VarDecl) return CXChildVisit_Continue;
  if (!clang_Cursor_isNull(mutator->function)) mutate_node(mutator, cursor, parent);
  return CXChildVisit_Recurse;
}

static CXTranslationUnit unit_parse(CXIndex index, const char *build, const char *path) {
  CXCompilationDatabase_Error error;
  CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(build, &error);
  if (database == nullptr) return nullptr;
  CXCompileCommands commands = clang_CompilationDatabase_getCompileCommands(database, path);
  if (clang_CompileCommands_getSize(commands) == 0) return nullptr;
  CXCompileCommand command = clang_CompileCommands_getCommand(commands, 0);
  unsigned count = clang_CompileCommand_getNumArgs(command), kept = 0;
  const char **words = calloc(count + 2, sizeof *words);
  if (words == nullptr) abort();
  for (unsigned i = 0; i + 1 < count; i++) {
    const char *word = clang_getCString(clang_CompileCommand_getArg(command, i));
    if (strcmp(word, "-c") == 0 || strcmp(word, "--") == 0) continue;
    if (strcmp(word, "-o") == 0) {
      i++;
      continue;
    }
    words[kept++] = word;
  }
  CXTranslationUnit unit = nullptr;
  clang_parseTranslationUnit2FullArgv(
      index, path, words, (int)kept, nullptr, 0, CXTranslationUnit_None, &unit);
  free(words);
  return unit;
}

/* Prints the errors of the unit: its tree lacks the parts that have them. A warning that an option
 * makes an error loses nothing. */
static bool unit_has_errors(CXTranslationUnit unit) {
  bool any = false;
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    CXString option = clang_getDiagnosticOption(diagnostic, nullptr);
    bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
                    clang_getCString(option)[0] == 0;
    if (is_error) {
      CXString text = clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions());
      fprintf(stderr, "affirm-mutants: %s\n", clang_getCString(text));
      clang_disposeString(text);
    }
    any |= is_error;
    clang_disposeString(option);
    clang_disposeDiagnostic(diagnostic);
  }
  return any;
}

static void print_quoted(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) putchar(text[i] == '\n' || text[i] == '\t' ? ' ' : text[i]);
}

static void mutants_list(const Mutator *mutator) {
  for (size_t i = 0; i < mutator->count; i++) {
    const Mutant *mutant = &mutator->mutants[i];
    printf("%zu\t%u\t%u\t%u\t%s\t%s\t", i, mutant->line, mutant->range.start, mutant->range.end,
        mutant->function, mutant->operator_name);
    print_quoted(mutator->text + mutant->range.start, mutant->range.end - mutant->range.start);
    putchar('\t');
    print_quoted(mutant->after, strlen(mutant->after));
    putchar('\n');
  }
}

static int mutant_apply(const Mutator *mutator, size_t number) {
  if (number >= mutator->count) return 3;
  const Mutant *mutant = &mutator->mutants[number];
  fwrite(mutator->text, 1, mutant->range.start, stdout);
  fputs(mutant->after, stdout);
  fwrite(mutator->text + mutant->range.end, 1, mutator->length - mutant->range.end, stdout);
  return fflush(stdout) == 0 ? 0 : 3;
}

int main(int count, char **words) {
  bool applies = count == 5 && strcmp(words[3], "--apply") == 0;
  if (count != 3 && !applies) {
    fprintf(stderr, "usage: affirm-mutants BUILD FILE [--apply N]\n");
    return 3;
  }
  CXIndex index = clang_createIndex(0, 0);
  Mutator mutator = {
      .unit = unit_parse(index, words[1], words[2]), .function = clang_getNullCursor()};
  if (mutator.unit == nullptr) {
    fprintf(stderr, "affirm-mutants: %s: no compile command in %s, or clang rejects the source\n",
        words[2], words[1]);
    return 3;
  }
  if (unit_has_errors(mutator.unit)) return 3;
  mutator.file = clang_getFile(mutator.unit, words[2]);
  mutator.text = clang_getFileContents(mutator.unit, mutator.file, &mutator.length);
  clang_visitChildren(clang_getTranslationUnitCursor(mutator.unit), visit, &mutator);
  int status = 0;
  if (applies) status = mutant_apply(&mutator, strtoull(words[4], nullptr, 10));
  else mutants_list(&mutator);
  clang_disposeTranslationUnit(mutator.unit);
  clang_disposeIndex(index);
  return status;
}
