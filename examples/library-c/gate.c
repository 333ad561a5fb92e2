/* Judges a map of your own against the reads of an HLO operation.
 *   cc -std=c11 gate.c $(pkg-config --cflags --libs affirm) -o gate
 *   ./gate '(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]'
 * Exit status as that of affirm: 0 exact, 1 a counterexample, 2 unknown, 3 an error. */
#include <affirm.h>
#include <stdio.h>

static const char module_text[] = "HloModule m\n"
                                  "ENTRY e {\n"
                                  "  p = f32[4,3] parameter(0)\n"
                                  "  ROOT r = f32[4,3] reverse(p), dimensions={0}\n"
                                  "}\n";

static int gate_fail(AffirmContext *context) {
  fputs(affirm_error_text(context), stderr);
  affirm_context_destroy(context);
  return AFFIRM_FAILED;
}

/* Prints the rewrites that lead to the simplified map. */
static void print_steps(AffirmContext *context, const AffirmTrace *trace) {
  AffirmStep step;
  for (uint32_t i = 0; i < affirm_trace_count(trace); i++)
    if (affirm_trace_step(context, trace, i, &step))
      printf("  %u. %s (%s): %s\n", i + 1, step.rule, step.bindings, step.after);
}

int main(int argc, char **argv) {
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict;
  const AffirmTrace *trace;
  if (context == NULL || argc != 2) {
    fprintf(stderr, "usage: gate MAP\n");
    affirm_context_destroy(context);
    return AFFIRM_FAILED;
  }

  const AffirmMap *map = affirm_map_parse(context, "<map>", argv[1]);
  const AffirmMap *simple = affirm_map_simplify(context, map, &trace);
  const AffirmModule *module = affirm_module_read(context, "m.hlo", module_text);
  if (simple == NULL || module == NULL) return gate_fail(context);
  printf("simplified: %s\n", affirm_map_text(context, simple));
  print_steps(context, trace);

  AffirmQuestion question = {affirm_module_root(module), AFFIRM_OUTPUT_TO_INPUT, 0, 0, 0};
  const AffirmMaps *own = affirm_maps_compute(context, &question);
  printf("expected: %s\n", affirm_map_text(context, affirm_maps_at(context, own, 0)));

  const AffirmMaps *maps = affirm_maps_create(context, 1, &simple);
  AffirmStatus status = affirm_maps_judge(context, &question, maps, &verdict);
  if (status == AFFIRM_FAILED) return gate_fail(context);
  printf("%s %s\n", verdict.verdict, verdict.text);
  affirm_context_destroy(context);
  return status;
}
