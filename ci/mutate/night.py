"""What a survivor of the gate and the unit tests is run against at night, in rounds: each fuzz target with random inputs, and between them a part of
the nightly tier of each scope that runs the mutated function. The order is fixed, so that a later night goes on where the last one ended.
"""
import itertools, os, re, shutil
import units
from program import ROOT, output_of, run

STAGES = ("fuzzing", "nightly scopes")
SLICE = 10  # processor seconds of one run of a fuzz target
CASES, ROUNDS = 20000, 40  # a shard has about so many cases; all shards of the nightly tier are in so many rounds


def targets(build):
    """Returns the fuzz programs of the build that have seeds; that of MLIR judges another engine."""
    programs = [path.name for path in sorted(build.directory.glob("fuzz_*")) if path.is_file() and os.access(path, os.X_OK)]
    return [name for name in programs if name != "fuzz_mlir" and (ROOT / "corpus/seeds" / name.removeprefix("fuzz_")).is_dir()]


def scopes(build, wanted):
    """Returns the name and number of cases of each scope that is larger at night and that is among the wanted parts or, having no case in the gate, was
    never measured."""
    reached = {unit["name"] for unit in wanted}
    found = re.findall(r"^([a-z][a-z0-9-]*) +(\d+) +(\d+) +\d+$", output_of([str(build.directory / "affirm"), "exhaust", "--list"], cwd=ROOT), re.M)
    return [(name, int(night)) for name, gate, night in found if name != "all" and int(night) > int(gate) and (gate == "0" or f"scope {name}" in reached)]


def search(place, target, seed):
    inputs = place / f"{target}.inputs"
    words = [f"-seed={seed}", "-entropic=0", "-max_len=4096", "-verbosity=0", f"-artifact_prefix={place}/found-", str(inputs), str(ROOT / "corpus/seeds" / target.removeprefix("fuzz_"))]
    return {"name": f"{target} -seed={seed}", "stage": "fuzzing", "target": target, "words": words, "limit": SLICE, "inputs": inputs}


def shards(scope, cases, turn):
    """Returns the shards of the scope that are in this round."""
    count = -(-cases // CASES)
    return [{"name": f"scope {scope}, shard {shard}/{count}", "stage": "nightly scopes", "target": "affirm", "limit": 600,
             "words": ["exhaust", "--scope", scope, "--tier", "nightly", "--jobs", "1", "--all-judges", "0", "--shard", f"{shard}/{count}"]}
            for shard in range(count) if shard * ROUNDS // count == turn]


def parts(place, programs, sizes):
    """Yields the parts, targets and shards of a round in turn, without end if there is a target."""
    for turn in itertools.count() if programs else range(ROUNDS):
        both = [search(place, target, turn + 1) for target in programs], [part for scope, cases in sizes if turn < ROUNDS for part in shards(scope, cases, turn)]
        for _, kind, at in sorted((at / len(some), kind, at) for kind, some in enumerate(both) for at in range(len(some))):
            yield both[kind][at]


def ends(program, unit, place):
    """Returns how this program ends on the part; to search until the time is spent is to pass."""
    if "inputs" in unit:
        unit["inputs"].mkdir(exist_ok=True)
    how, seconds, text = run([str(program), *unit["words"]], units.CORPUS, unit["limit"], place)
    return "passed" if how == "time" and unit["stage"] == "fuzzing" else how, seconds, text


def without_mutant(build, unit, place):
    """Returns how the program without a mutant ends on what ended the one with it: the input that the fuzz target kept, or the same part."""
    program = build.directory / unit["target"]
    kept = sorted(place.glob("found-*"))
    if kept:
        return run([str(program), str(kept[0])], units.CORPUS, 60, place)[0]
    shutil.rmtree(unit.get("inputs", place / "none"), ignore_errors=True)
    return ends(program, unit, place)[0]


def first_kill(build, made, place, wanted, done, seconds):
    """Runs the parts after the first `done` until one kills or the seconds are spent. Returns the seconds, how many parts ran in all, and the kill. What
    the program without a mutant does not pass either is no kill, but a finding, which is printed. A target that does not link with the mutated object,
    because it has none of its library, has no parts."""
    programs = {name: program for name in [*targets(build), "affirm"] if (program := build.program_of([made], place, name))}
    spent = 0.0
    for unit in itertools.islice(parts(place, [name for name in programs if name != "affirm"], scopes(build, wanted)), done, None):
        if spent >= seconds:
            break
        how, used, text = ends(programs[unit["target"]], unit, place)
        spent, done = spent + used, done + 1
        if how == "passed":
            continue
        original = without_mutant(build, unit, place)
        if original == "passed":
            said = next((line for line in text.splitlines() if any(word in line for word in ("# fuzz_found", "wrong", "REFUTED", "ERROR", "Assertion"))), text[-300:])
            return spent, done, {"outcome": "killed", "unit": unit["name"], "stage": unit["stage"], "how": how, "said": said.strip()[:400]}
        print(f"without a mutant {unit['name']} is {original} too:\n{text[-1000:]}", flush=True)
        for kept in place.glob("found-*"):
            shutil.copy(kept, build.directory / "mutants")
            kept.unlink()
    return spent, done, {}
