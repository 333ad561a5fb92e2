/* Writes a map in isl's language, and makes the timed calls. Reading is not timed. isl normalises
 * while it reads, so the timed part is smaller than the whole job. */
#include "bench/simplify_isl.h"

#ifdef AFFIRM_HAS_ISL

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <stdlib.h>

struct IslJob {
  isl_ctx *context;
  isl_pw_multi_aff *function;
  isl_set *domain;
};

typedef struct SimplifyIslWriter {
  Text *text;
  const ExprPool *pool;
  bool fits;
} SimplifyIslWriter;

static void write_expr(SimplifyIslWriter *writer, Expr expr);

static void write_division(SimplifyIslWriter *writer, const ExprNode *node) {
  static const char *const forms[][3] = {
      {"floor((", ")/", ")"}, {"(-floor((-(", "))/", "))"}, {"((", ") mod ", ")"}};
  const char *const *form = forms[node->op == EXPR_FLOORDIV ? 0 : node->op == EXPR_CEILDIV ? 1 : 2];
  text_string(writer->text, form[0]);
  write_expr(writer, node->left);
  text_string(writer->text, form[1]);
  int64_t divisor;
  writer->fits &= expr_is_const(writer->pool, node->right, &divisor);
  if (writer->fits) text_integer(writer->text, divisor);
  text_string(writer->text, form[2]);
}

static void write_pair(
    SimplifyIslWriter *writer, const ExprNode *node, const char *open, const char *between) {
  text_string(writer->text, open);
  write_expr(writer, node->left);
  text_string(writer->text, between);
  write_expr(writer, node->right);
  text_string(writer->text, ")");
}

static void write_expr(SimplifyIslWriter *writer, Expr expr) {
  static const char *const prefixes[] = {[VAR_DIM] = "d", [VAR_RANGE] = "s", [VAR_RUNTIME] = "rt"};
  const ExprNode node = *expr_node(writer->pool, expr);
  switch (node.op) {
    case EXPR_CONST: text_integer(writer->text, node.value); return;
    case EXPR_VAR:
      text_printf(writer->text, "%s%u", prefixes[node.var_kind], node.var_index);
      return;
    case EXPR_ADD: write_pair(writer, &node, "(", " + "); return;
    case EXPR_MUL:
      if (!expr_is_const(writer->pool, node.left, nullptr) &&
          !expr_is_const(writer->pool, node.right, nullptr))
        writer->fits = false;
      write_pair(writer, &node, "(", " * ");
      return;
    case EXPR_FLOORDIV:
    case EXPR_CEILDIV:
    case EXPR_MOD: write_division(writer, &node); return;
    case EXPR_MIN: write_pair(writer, &node, "min(", ", "); return;
    case EXPR_MAX: write_pair(writer, &node, "max(", ", "); return;
  }
}

static void write_names(Text *text, const Map *map) {
  const char *between = "";
  for (uint32_t i = 0; i < map->dim_count; i++, between = ", ")
    text_printf(text, "%sd%u", between, i);
  for (uint32_t i = 0; i < map->range_count; i++, between = ", ")
    text_printf(text, "%ss%u", between, i);
  for (uint32_t i = 0; i < map->runtime_count; i++, between = ", ")
    text_printf(text, "%srt%u", between, i);
}

static void simplify_isl_write_bounds(
    Text *text, const char *prefix, uint32_t count, const Variable *variables) {
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, " and %lld <= %s%u <= %lld", (long long)variables[i].bounds.lo, prefix, i,
        (long long)variables[i].bounds.hi);
}

static bool simplify_isl_write_map(Text *text, const MapContext *context, const Map *map) {
  SimplifyIslWriter writer = {.text = text, .pool = context->pool, .fits = true};
  text_string(text, "{ [");
  write_names(text, map);
  text_string(text, "] -> [");
  for (uint32_t i = 0; i < map->result_count; i++) {
    if (i > 0) text_string(text, ", ");
    write_expr(&writer, map->results[i]);
  }
  text_string(text, "] : 0 = 0");
  simplify_isl_write_bounds(text, "d", map->dim_count, map->dims);
  simplify_isl_write_bounds(text, "s", map->range_count, map->ranges);
  simplify_isl_write_bounds(text, "rt", map->runtime_count, map->runtimes);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    text_printf(text, " and %lld <= ", (long long)map->constraints[i].in.lo);
    write_expr(&writer, map->constraints[i].expr);
    text_printf(text, " <= %lld", (long long)map->constraints[i].in.hi);
  }
  text_string(text, " }");
  return writer.fits;
}

IslJob *isl_job_create(const MapContext *context, const Map *map) {
  Text text = text_create(context->arena);
  if (!simplify_isl_write_map(&text, context, map)) return nullptr;
  IslJob *job = malloc(sizeof *job);
  if (job == nullptr) arena_out_of_memory(sizeof *job);
  *job = (IslJob){.context = isl_ctx_alloc()};
  isl_options_set_on_error(job->context, ISL_ON_ERROR_CONTINUE);
  job->function = isl_pw_multi_aff_read_from_str(job->context, text.bytes);
  if (job->function == nullptr) {
    isl_ctx_free(job->context);
    free(job);
    return nullptr;
  }
  job->domain = isl_pw_multi_aff_domain(isl_pw_multi_aff_copy(job->function));
  return job;
}

void isl_job_run(IslJob *job) {
  isl_pw_multi_aff *function =
      isl_pw_multi_aff_gist(isl_pw_multi_aff_copy(job->function), isl_set_copy(job->domain));
  isl_pw_multi_aff_free(isl_pw_multi_aff_coalesce(function));
}

void isl_job_destroy(IslJob *job) {
  if (job == nullptr) return;
  isl_pw_multi_aff_free(job->function);
  isl_set_free(job->domain);
  isl_ctx_free(job->context);
  free(job);
}

#else

IslJob *isl_job_create(const MapContext *context, const Map *map) {
  (void)context, (void)map;
  return nullptr;
}
void isl_job_run(IslJob *job) { (void)job; }
void isl_job_destroy(IslJob *job) { (void)job; }

#endif
