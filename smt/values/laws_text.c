/* Parses the laws of core/rules/values.laws: one per line, with the letters w to z, whole numbers,
 * -0, and operations of at most two operands. Laws with an inverse are not used here. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "smt/values/values.h"

static const char law_text[] = {
#embed "../../core/rules/values.laws"
    , 0};

typedef struct LawCursor {
  Arena *arena;
  const char *at;
} LawCursor;

static bool cursor_takes(LawCursor *cursor, const char *word) {
  size_t length = strlen(word);
  cursor->at += strspn(cursor->at, " ");
  if (strncmp(cursor->at, word, length) != 0) return false;
  cursor->at += length;
  return true;
}

static const char *cursor_word(LawCursor *cursor) {
  cursor->at += strspn(cursor->at, " ");
  const char *from = cursor->at;
  while (isalnum((unsigned char)*cursor->at) || *cursor->at == '-') cursor->at++;
  return arena_text(cursor->arena, from, (size_t)(cursor->at - from));
}

static const LawTree *cursor_tree(LawCursor *cursor) {
  LawTree *tree = ARENA_NEW(cursor->arena, LawTree, 1);
  const char *word = cursor_word(cursor);
  if (isdigit((unsigned char)word[0])) {
    *tree = (LawTree){.kind = LAW_TREE_CONSTANT, .constant = strtoll(word, nullptr, 10)};
    return tree;
  }
  if (strcmp(word, "-0") == 0) {
    *tree = (LawTree){.kind = LAW_TREE_CONSTANT, .is_minus_zero = true};
    return tree;
  }
  if (word[0] >= 'w' && word[0] <= 'z' && word[1] == 0) {
    *tree = (LawTree){.kind = LAW_TREE_VARIABLE, .variable = (uint32_t)(word[0] - 'w')};
    return tree;
  }
  tree->kind = LAW_TREE_OPERATION;
  if (!opcode_from_name(word, strlen(word), &tree->opcode) || !cursor_takes(cursor, "("))
    return nullptr;
  do {
    if (tree->count == 2) return nullptr;
    tree->operands[tree->count] = cursor_tree(cursor);
    if (tree->operands[tree->count++] == nullptr) return nullptr;
  } while (cursor_takes(cursor, ","));
  return cursor_takes(cursor, ")") ? tree : nullptr;
}

static bool cursor_types(LawCursor *cursor, LawClass *types) {
  static const char *const names[] = {"integral", "pred", "floating"};
  const char *word = cursor_word(cursor);
  for (uint32_t i = 0; i < 3; i++)
    if (strcmp(word, names[i]) == 0) {
      *types = (LawClass)i;
      return true;
    }
  return false;
}

/* Parses one law; false for a law with other symbols, which is not used. */
static bool cursor_law(LawCursor *cursor, ValueLaw *law) {
  if (!cursor_takes(cursor, "law ")) return false;
  law->name = cursor_word(cursor);
  if (!cursor_takes(cursor, ":")) return false;
  law->left = cursor_tree(cursor);
  if (law->left == nullptr || !cursor_takes(cursor, "=>")) return false;
  law->right = cursor_tree(cursor);
  if (law->right == nullptr || !cursor_takes(cursor, "on ") || !cursor_types(cursor, &law->types) ||
      !cursor_takes(cursor, "grade "))
    return false;
  return law->left->kind == LAW_TREE_OPERATION &&
         law_grade_named(cursor_word(cursor), &law->grade) && law->grade != LAW_NONE;
}

bool law_line(Arena *arena, const char *line, ValueLaw *law) {
  LawCursor cursor = {.arena = arena, .at = line};
  *law = (ValueLaw){};
  return cursor_law(&cursor, law);
}

void laws_open(ValuesProof *proof) {
  for (const char *line = law_text; *line != 0;) {
    ValueLaw law;
    if (law_line(proof->arena, line, &law) && proof->law_count < most_laws)
      proof->laws[proof->law_count++] = law;
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
}
