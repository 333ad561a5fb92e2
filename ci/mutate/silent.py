"""Programs in which one judge decides nothing: every question to it fails with an error. They show which kills are lost without this judge."""
import units
from program import ROOT, fail, run

READS = "const Instruction *a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, const Map *const *f"
MAPS = "const Map *a, const Map *b"
QUESTIONS = {
    "oracle": {"output_to_input": READS, "input_to_output": READS, "same_map": MAPS + ", uint64_t c", "same_relation": MAPS + ", uint64_t c", "contained": MAPS + ", uint64_t c",
               "same_pairs": "const Instruction *a, bool b, uint32_t c, uint32_t d, uint32_t e, OracleMaps f, OracleMaps g"},
    "smt": {"output_to_input": READS, "input_to_output": READS, "same_map": MAPS, "same_relation": MAPS, "contained": MAPS,
            "same_reads": "const Computation *a, const Computation *b, uint32_t c, uint32_t d, uint32_t e, bool *f"},
}
judge = None
made, ends = [], {}


def source_of(name):
    """Returns a source in which every question to the judge is answered by an error."""
    lines = [f'#include "{name}/{name}.h"', '#include "core/base/error.h"', "#pragma clang diagnostic ignored \"-Wunused-parameter\""]
    for question, parameters in QUESTIONS[name].items():
        function = f"__wrap_{name}_{question}({name.capitalize()} *judge, {parameters}, Verdict *verdict, Error *error)"
        lines += [f"bool {function};", f'bool {function} {{ return error_set(error, ERROR_UNSUPPORTED, "the judge is silent"); }}']
    return "\n".join(lines) + "\n"


def objects(build):
    if judge and not made:
        place = build.directory / "mutants" / f"silent.{judge}"
        place.mkdir(parents=True, exist_ok=True)
        made.append(build.object_of(ROOT / "judge/obligations/obligation.c", source_of(judge), place) or fail(f"{judge} cannot be silenced"))
    return list(made)


def options():
    """Returns the options of the link; none if every judge is asked."""
    if not judge:
        return ()
    return ("-Wl,--strip-debug", "-Wl,--threads=1", *(f"-Wl,--wrap={judge}_{question}" for question in QUESTIONS[judge]))


def end_without_mutant(build, unit):
    """Returns how the unit ends in the program without a mutant and without the judge."""
    if unit["name"] not in ends:
        place = build.directory / "mutants" / f"silent.{judge}"
        target = unit.get("target", "affirm")
        program = place / target
        if target not in ends:
            ends[target] = build.program_of(objects(build), place, target, *options()) or fail(f"{target} cannot be linked without {judge}")
        ends[unit["name"]] = run([str(program), *unit["words"]], unit.get("cwd", units.CORPUS), 600, place)[0]
        if ends[unit["name"]] != "passed":
            print(f"{unit['name']}: {ends[unit['name']]} without a mutant and without {judge}", flush=True)
    return ends[unit["name"]]


def is_kill(build, unit, how):
    if not judge:
        return how != "passed"
    return how != "passed" and how != end_without_mutant(build, unit)
