/* Parses maps as printed text, since only their expressions matter here: results are in the
 * parentheses after the arrow, constraints between the commas after them. */
#include "cli/finding_forms.h"

#include <string.h>

#include "judge/maps/operations.h"

typedef struct FormPieces {
  Arena *arena;
  uint32_t count, capacity;
  const char **items; /* sorted, each once */
} FormPieces;

/* The length of a variable's name at the beginning of the text: d0, s0 or rt0. 0: there is none. */
static size_t variable_length(const char *text) {
  size_t letters = strncmp(text, "rt", 2) == 0 ? 2 : *text == 'd' || *text == 's' ? 1 : 0;
  size_t digits = strspn(text + letters, "0123456789");
  return letters == 0 || digits == 0 ? 0 : letters + digits;
}

/* The length of a word, number or single character, and the text that replaces it. */
static size_t form_token(const char *text, const char **instead) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  size_t length = variable_length(text), sign = *text == '-';
  *instead = "v";
  if (length > 0) return length;
  *instead = "c";
  length = strspn(text + sign, "0123456789");
  if (length > 0) return sign + length;
  *instead = nullptr;
  length = strspn(text, letters);
  return length > 0 ? length : 1;
}

/* 'v' or 'c' if the text in parentheses is a sum of variables and constants with constant factors;
 * else 0. */
static char linear_letter(const char *text, size_t length) {
  char letter = 'c';
  uint32_t factors = 0; /* variables in the current product */
  for (size_t i = 0; i < length; i++) {
    if (strchr("vc+-* ", text[i]) == nullptr) return 0;
    if (text[i] == '+' || text[i] == '-') factors = 0;
    if (text[i] == 'v') letter = 'v';
    if (text[i] == 'v' && ++factors > 1) return 0;
  }
  return letter;
}

/* Replaces each linear sum in parentheses by one letter, from the inside out. */
static void merge_linear(char *form) {
  for (size_t open = 0, close = 0; form[close] != 0;) {
    if (form[close] == '(') open = close;
    if (form[close] != ')' || form[open] != '(') {
      close++;
      continue;
    }
    char letter = linear_letter(form + open + 1, close - open - 1);
    form[open] = letter == 0 ? '[' : letter; /* a kept parenthesis is not looked at again */
    if (letter == 0) form[close] = ']';
    else memmove(form + open + 1, form + close + 1, strlen(form + close + 1) + 1);
    open = close = 0;
  }
  for (char *at = form; *at != 0; at++) *at = *at == '[' ? '(' : *at == ']' ? ')' : *at;
}

static const char *form_text(Arena *arena, const char *piece, size_t length) {
  Text text = text_create(arena);
  const char *copy = arena_text(arena, piece, length), *instead;
  for (const char *at = copy; *at != 0;) {
    size_t taken = form_token(at, &instead);
    if (instead != nullptr) text_string(&text, instead);
    else text_append(&text, at, taken);
    at += taken;
  }
  merge_linear(text.bytes);
  return text.bytes;
}

static void add_piece(FormPieces *pieces, const char *piece, size_t length) {
  while (length > 0 && *piece == ' ') piece++, length--;
  const char *form = form_text(pieces->arena, piece, length);
  if (strcmp(form, "v") == 0 || strcmp(form, "c") == 0 || *form == 0) return;
  uint32_t at = 0;
  while (at < pieces->count && strcmp(pieces->items[at], form) < 0) at++;
  if (at < pieces->count && strcmp(pieces->items[at], form) == 0) return;
  (void)ARENA_PUSH(pieces->arena, pieces);
  memmove(
      pieces->items + at + 1, pieces->items + at, (pieces->count - at - 1) * sizeof *pieces->items);
  pieces->items[at] = form;
}

/* The length up to a comma or an end outside of all brackets. */
static size_t piece_length(const char *text, const char *end) {
  int depth = 0;
  const char *at = text;
  for (; at < end; at++) {
    depth += strchr("([{", *at) != nullptr;
    depth -= strchr(")]}", *at) != nullptr;
    if (depth < 0 || (depth == 0 && *at == ',')) break;
  }
  return (size_t)(at - text);
}

/* Without ` in [LO, HI]`. */
static size_t without_interval(const char *piece, size_t length) {
  for (size_t i = length; i > 5; i--)
    if (strncmp(piece + i - 5, " in [", 5) == 0) return i - 5;
  return length;
}

static void add_map(FormPieces *pieces, const char *text, const char *end) {
  static const char arrow[] = "-> (", domain[] = ", domain: ";
  const char *at = strstr(text, arrow);
  if (at == nullptr || at >= end) {
    add_piece(pieces, text, (size_t)(end - text));
    return;
  }
  for (at += strlen(arrow); at < end && *at != ')';) {
    size_t length = piece_length(at, end);
    add_piece(pieces, at, length);
    at += length;
    if (at < end && *at == ',') at++;
  }
  at = at < end ? strstr(at, domain) : nullptr;
  if (at == nullptr || at >= end) return;
  for (at += strlen(domain); at < end;) {
    size_t length = piece_length(at, end);
    add_piece(pieces, at, without_interval(at, length));
    at += length + 1;
  }
}

/* `between` separates the maps of the text. */
static void print_form(Text *text, const char *maps, const char *between) {
  FormPieces pieces = {.arena = text->arena};
  for (const char *at = maps; *at != 0;) {
    const char *next = strstr(at, between), *end = next == nullptr ? at + strlen(at) : next;
    add_map(&pieces, at, end);
    at = next == nullptr ? end : next + strlen(between);
  }
  for (uint32_t i = 0; i < pieces.count; i++)
    text_printf(text, "%s%s", i == 0 ? "" : ", ", pieces.items[i]);
  if (pieces.count == 0) text_string(text, "nothing but variables and constants");
}

const char *finding_form_of_maps(Arena *arena, const char *question, const char *answer) {
  Text text = text_create(arena);
  print_form(&text, question, " ; ");
  text_string(&text, " => ");
  print_form(&text, answer, "\n");
  return text.bytes;
}

const char *finding_form_of_module(Arena *arena, const char *module, const char *answer) {
  Text text = text_create(arena);
  OpcodeSet used = {};
  opcode_set_add_text(&used, module, strlen(module));
  for (uint32_t i = 0; i < opcode_count; i++)
    if (i != HLO_PARAMETER && opcode_set_has(&used, (Opcode)i))
      text_printf(&text, "%s%s", text.length == 0 ? "" : ", ", opcode_name((Opcode)i));
  text_string(&text, " => ");
  print_form(&text, answer, "\n");
  return text.bytes;
}

void finding_forms_add(Arena *arena, FindingForms *forms, const char *form, const char *smallest) {
  FindingForm *found = nullptr;
  for (uint32_t i = 0; i < forms->count && found == nullptr; i++)
    if (strcmp(forms->items[i].form, form) == 0) found = &forms->items[i];
  if (found == nullptr) {
    found = ARENA_PUSH(arena, forms);
    *found = (FindingForm){.form = arena_text(arena, form, strlen(form))};
  }
  found->count++;
  if (found->smallest == nullptr || strlen(smallest) < strlen(found->smallest))
    found->smallest = arena_text(arena, smallest, strlen(smallest));
}

FindingForms finding_forms_copy(Arena *arena, const FindingForms *forms) {
  FindingForms copy = {.count = forms->count, .capacity = forms->count};
  copy.items = ARENA_NEW(arena, FindingForm, forms->count == 0 ? 1 : forms->count);
  if (forms->count > 0) memcpy(copy.items, forms->items, forms->count * sizeof *copy.items);
  return copy;
}

void finding_forms_print(Text *text, const FindingForms *forms) {
  static constexpr size_t longest = 160;
  if (forms->count == 0) return;
  text_printf(text, "%s of the smallest wrong answers (v: a variable, c: a constant)\n",
      counted(forms->count, "form"));
  for (uint32_t i = 0; i < forms->count; i++) {
    const FindingForm *form = &forms->items[i];
    bool is_long = strlen(form->form) > longest;
    text_printf(text, "  %-12s %.*s%s\n", counted(form->count, "finding"), (int)longest, form->form,
        is_long ? " ..." : "");
    if (*form->smallest != 0) text_printf(text, "               %s\n", form->smallest);
  }
}
