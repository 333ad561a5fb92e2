/* Contexts and their errors. The budget of a question belongs to the thread that asks it
 * (core/base/budget.h), so contexts in several threads are independent. */
#include "library/context.h"

#include <stdlib.h>
#include <string.h>

static_assert((int)AFFIRM_ERROR_ENVIRONMENT == (int)ERROR_ENVIRONMENT);
static_assert(
    (int)AFFIRM_FAILED == (int)STATUS_BAD && (int)AFFIRM_UNKNOWN == (int)STATUS_UNDECIDED);

const char *affirm_version(void) { return AFFIRM_VERSION; }

static bool context_begin(AffirmContext *context) {
  context->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (context->locale == (locale_t)0) return false;
  CONTEXT_ENTER(context);
  context->judge = judge_create(nullptr, &context->error);
  if (context->judge == nullptr) return false;
  context->begin = map_context_mark(context->judge->context);
  return true;
}

AffirmContext *affirm_context_create(void) {
  AffirmContext *context = calloc(1, sizeof *context);
  if (context == nullptr || context_begin(context)) return context;
  affirm_context_destroy(context);
  return nullptr;
}

void affirm_context_destroy(AffirmContext *context) {
  if (context == nullptr) return;
  judge_destroy(context->judge);
  if (context->locale != (locale_t)0) freelocale(context->locale);
  free(context);
}

void affirm_context_reset(AffirmContext *context) {
  if (context == nullptr) return;
  indexer_reset(context->judge->indexer);
  map_context_rewind(context->judge->context, context->begin);
  affirm_error_clear(context);
}

void affirm_context_limit(AffirmContext *context, uint32_t seconds) {
  if (context != nullptr) context->judge->seconds = seconds;
}

const AffirmError *affirm_error(AffirmContext *context) {
  static const AffirmError no_context = {
      .kind = AFFIRM_ERROR_INPUT, .message = "the context is null", .source = ""};
  if (context == nullptr) return &no_context;
  const Error *error = &context->error;
  context->shown = (AffirmError){.kind = (AffirmErrorKind)error->kind,
      .message = error->message,
      .source = error->name,
      .line = error->line,
      .column = error->column,
      .width = error->width};
  return &context->shown;
}

const char *affirm_error_text(AffirmContext *context) {
  CONTEXT_ENTER(context);
  if (context == nullptr) return "error: the context is null\n";
  if (context->error.kind == ERROR_NONE) return "";
  error_format(&context->error, context->text, sizeof context->text);
  return context->text;
}

void affirm_error_clear(AffirmContext *context) {
  if (context != nullptr) context->error = (Error){};
}

bool context_owns(
    AffirmContext *context, const char *function, const char *argument, const void *item) {
  MapContext *maps = context->judge->context;
  return arena_holds(context_arena(context), item) || item == map_known_empty(maps) ||
         item == map_undefined(maps) ||
         error_set(
             &context->error, ERROR_INPUT, "%s: %s is not of this context", function, argument);
}

bool context_has_index(AffirmContext *context, const char *what, uint32_t index, uint32_t count) {
  return index < count || error_set(&context->error, ERROR_INPUT, "there is no %s %u: there are %u",
                              what, index, count);
}

void context_forget(AffirmContext *context, MapMark mark) {
  map_context_rewind(context->judge->context, mark);
}

const Source *context_source(AffirmContext *context, const char *name, const char *text) {
  Arena *arena = context_arena(context);
  Source *source = ARENA_NEW(arena, Source, 1);
  size_t length = strlen(text);
  *source = (Source){.name = arena_text(arena, name, strlen(name)),
      .text = arena_text(arena, text, length),
      .length = length,
      .first_line = 1};
  return source;
}

AffirmStatus verdict_give(
    AffirmVerdict *verdict, Status status, const char *name, const char *text) {
  if (verdict != nullptr)
    *verdict = (AffirmVerdict){
        .status = (AffirmStatus)status, .verdict = name, .text = text == nullptr ? "" : text};
  return (AffirmStatus)status;
}

AffirmStatus verdict_fail(AffirmContext *context, AffirmVerdict *verdict) {
  const char *message = affirm_error(context)->message;
  if (context != nullptr) message = arena_text(context_arena(context), message, strlen(message));
  return verdict_give(verdict, STATUS_BAD, "error", message);
}
