"""Divides the suite into units: the rules, each case file, each directory of modules, each scope, each unit test. A unit is run for a mutant only if
it runs the mutated function. A build with counters measures once which functions each unit runs. The cheapest unit runs first.
"""
import functools, hashlib, json, pathlib, re, shutil, subprocess
from program import ROOT, fail, output_of, run

GATE_TESTS = "the gate's unit tests"  # those with the label gate (ci/labels.cmake)
CORPUS = ROOT  # the directory that contains the corpus
COUNTED = ("-g0", "-O1", "-fprofile-instr-generate", "-fprofile-continuous")


def gate_units(build):
    """Yields name, stage and arguments of `affirm`, in the gate's order of stages."""
    scratch = build.directory / "mutants" / "rules alone"
    scratch.mkdir(parents=True, exist_ok=True)
    for path in ("corpus/maps/same.case", "corpus/hazards"):
        source = CORPUS / path
        source = source if source.is_file() else sorted(source.glob("*.hlo"))[0]
        shutil.copy(source, scratch)
    yield {"name": "rules", "stage": "rules", "words": ["gate", "--fuzz", "0", "--exhaust", "0", str(scratch)]}
    streams = [line.split()[1] for line in output_of([str(build.directory / "affirm"), "snapshot", "--list", "corpus"], cwd=CORPUS).splitlines()]
    for group in sorted({name.split("/")[0] + "/" if "/" in name else name for name in streams}):
        yield {"name": f"snapshot {group}", "stage": "snapshot", "words": ["snapshot", "--stream", group]}
    for path in sorted((CORPUS / "corpus").rglob("*.case")):
        name = str(path.relative_to(CORPUS))
        yield {"name": name, "stage": "cases", "words": ["check", name]}
    groups = {}
    for path in sorted((CORPUS / "corpus").rglob("*.hlo")):
        name = str(path.relative_to(CORPUS))
        if "/seeds/" in name:
            continue
        group = name if "/modules/" in name else str(pathlib.Path(name).parent)
        if group.startswith("corpus/rewrites"):
            group += "/" + path.name[0]
        groups.setdefault(group, []).append(name)
    for group, names in groups.items():
        yield {"name": group, "stage": "modules", "words": ["check", *names]}
    for line in output_of([str(build.directory / "affirm"), "exhaust", "--list"], cwd=ROOT).splitlines():
        found = re.match(r"([a-z][a-z0-9-]*) +(\d+) +\d+ +\d+$", line)
        if found and found[1] != "all" and int(found[2]) > 0:
            cases = int(found[2])
            yield {"name": f"scope {found[1]}", "stage": "small scopes" if cases < 8192 else "scopes", "words": ["exhaust", "--scope", found[1], "--tier", "gate", "--jobs", "1"], "cases": cases}


def test_units(build):
    """Yields the tests in C that are built, whatever their label: each directory has one program, which runs the test
    named by its argument and has the lengths that the build directory gives it. measure_test leaves out those that take too long."""
    tests = json.loads(output_of(["ctest", "--test-dir", str(build.directory), "--show-only=json-v1", "-L", "unit|corpus|slow"]))["tests"]
    for test in tests:
        words = test.get("command", [])
        if words and words[0].startswith(str(build.directory)) and words[0].endswith("_tests"):
            properties = {p["name"]: p["value"] for p in test["properties"]}
            yield {"name": test["name"], "stage": GATE_TESTS if "gate" in properties.get("LABELS", []) else "unit tests", "target": pathlib.Path(words[0]).name,
                "words": words[1:], "settings": properties.get("ENVIRONMENT", []), "cwd": properties.get("WORKING_DIRECTORY", str(ROOT))}


def command(unit, program):
    """Returns the words that run the unit by this program."""
    settings = unit.get("settings")
    return [*(["env", *settings] if settings else []), str(program), *unit["words"]]


@functools.cache
def test_sources():
    """Returns the sources of the tests by the word that selects a test in its program."""
    found = {}
    for path in (path for depth in range(1, 4) for path in sorted(ROOT.glob("*/" * depth + "test/*.c"))):
        found.setdefault(path.stem, []).append(path)
    return found


def digest_of(*words):
    return hashlib.sha256(json.dumps([str(word) for word in words]).encode()).hexdigest()[:16]


def identity(unit):
    """Returns a word that changes with the unit's command, with a file that it names, and with the source of its test."""
    texts = [unit["name"], unit["words"], unit.get("settings"), unit.get("target")]
    for word in unit["words"]:
        files = test_sources().get(word, []) if "target" in unit else [CORPUS / word]
        texts += [hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()]
    return digest_of(*texts)


linked = {}  # the test programs without a mutant
too_long = 15  # processor seconds of one test: a survivor takes all tests that reach its function


def measure_test(build, unit):
    """Returns whether the test passes without a mutant, and its processor seconds. The program is linked and placed as one with a mutant is:
    otherwise a test that needs the build directory would detect every mutant."""
    place = build.directory / "mutants" / "tests"
    place.mkdir(parents=True, exist_ok=True)
    if unit["target"] not in linked:
        linked[unit["target"]] = build.program_of([], place, unit["target"])
    program = linked[unit["target"]] or fail(f"{unit['target']} cannot be linked")
    unit["status"], unit["seconds"], text = run(command(unit, program), unit["cwd"], too_long, place)
    if unit["status"] == "time" or unit["seconds"] > too_long:
        unit["status"] = "too long"
        print(f"{unit['name']}: more than {too_long} s without a mutant, left out", flush=True)
    elif unit["status"] != "passed":
        print(f"{unit['name']}: {unit['status']} without a mutant, left out\n{text[-400:]}", flush=True)


def functions_run(build, profile):
    """Returns the name of each function that was entered; a static one has its file name (without directory)."""
    data = profile.with_suffix(".profdata")
    subprocess.run([build.profdata, "merge", str(profile), "-o", str(data)], check=True)
    listing = output_of([build.profdata, "show", "--all-functions", str(data)])
    for name, count in re.findall(r"^  (\S+):\n(?:    .*\n)*?    Function count: (\d+)", listing, re.M):
        if int(count) > 0:
            yield name


def measure(build, sources, few):
    """Returns processor seconds and functions of each unit, measured by the program with counters and cached beside the build. A unit is measured
    again if its command or its files, the program, `few` or the counted sources are others. `few`: measures only a part of each scope's cases, so
    rarely run functions may be missing."""
    kept = build.directory / "mutants" / "units.json"
    known = {unit["name"]: unit for unit in json.loads(kept.read_text())} if kept.exists() else {}
    texts = [(build.directory / "affirm").read_bytes()] + [source.read_bytes() for source in sources]
    counted = digest_of(few, *sources, *(hashlib.sha256(text).hexdigest() for text in texts))
    place = build.directory / "mutants" / "counted"
    units, objects, programs = list(gate_units(build)), None, {}
    for unit in units:
        measured = digest_of(counted, identity(unit))
        if known.get(unit["name"], {}).get("measured") == measured:
            unit.update({key: known[unit["name"]][key] for key in ("seconds", "functions", "status", "measured")})
            continue
        if objects is None:
            objects = counted_objects(build, sources, place, counted)
        program = programs.setdefault("affirm", build.program_of(objects, place, "affirm", "-fprofile-instr-generate", "-fprofile-continuous", "-Wl,--strip-debug"))
        if program is None:
            fail("the program with counters cannot be linked")
        profile = place / "unit.profraw"
        profile.unlink(missing_ok=True)
        words = [str(program), *unit["words"]]
        parts = min(20, unit["cases"] // 1000) if few and unit.get("cases", 0) > 2000 else 1
        if parts > 1:
            words += ["--shard", f"0/{parts}"]
        how, seconds, text = run(["env", f"LLVM_PROFILE_FILE={place}/unit%c.profraw", *words], CORPUS, 3600, place)
        unit.update(status=how, seconds=round(seconds * parts, 3), functions=sorted(functions_run(build, profile)), measured=measured)
        if how != "passed":
            print(f"{unit['name']}: {how} without a mutant, left out\n{text[-400:]}")
        kept.write_text(json.dumps([u for u in units if "functions" in u]))
        print(f"{unit['name']}: {unit['seconds']} s, {len(unit['functions'])} functions", flush=True)
    kept.write_text(json.dumps(units))
    return [dict(unit, functions=set(unit["functions"])) for unit in units if unit["status"] == "passed"]


def counted_objects(build, sources, place, counted):
    """Compiles the sources with counters. Objects of an interrupted run of the same sources are kept, all others are removed."""
    mark = place / "of"
    if not mark.exists() or mark.read_text() != counted:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        mark.write_text(counted)
    objects = []
    for source in sources:
        directory = place / str(source.relative_to(ROOT)).replace("/", "_")
        directory.mkdir(exist_ok=True)
        made = directory / "mutant.o"
        objects.append(made if made.exists() else build.object_of(source, source.read_text(), directory, *COUNTED))
    return objects


def runs(unit, mutant):
    """Returns whether the unit runs the mutated function; a mutant outside functions may affect every
    unit."""
    name = pathlib.Path(mutant["file"]).name
    return not mutant["function"] or mutant["function"] in unit["functions"] or f"{name}:{mutant['function']}" in unit["functions"]
