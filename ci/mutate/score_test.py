#!/usr/bin/env python3
"""Tests the distinctions of ci/score: how a program ended, which mutants are sampled, what counts as killed. No mutant is built here."""
import contextlib, io, importlib.machinery, importlib.util, json, pathlib, re, shutil, sys, tempfile, types, unittest

here = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(here))
import night, program, rule_mutants, silent, tables, units
from program import ROOT, run



def loaded(name):
    loader = importlib.machinery.SourceFileLoader(name, str(here.parent / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


score, score_page = loaded("score"), loaded("score_page")


def mutant(file, function, number=0, **more):
    return {"file": file, "function": function, "number": number, "operator": "sign", "before": "a", "after": "b", "line": 1, **more}


class Ends(unittest.TestCase):
    def how(self, script, seconds=5):
        with tempfile.TemporaryDirectory() as home:
            return run(["sh", "-c", script], home, seconds, pathlib.Path(home))[0]

    def test_each_end_has_its_word(self):
        for script, how in (("exit 0", "passed"), ("exit 1", "refuted"), ("exit 2", "open"), ("exit 3", "error"), ("kill -SEGV $$", "crash 11"), ("kill -ABRT $$", "crash 6")):
            self.assertEqual(self.how(script), how, script)

    def test_processor_time_ends_what_computes_for_ever(self):
        self.assertEqual(self.how("while :; do :; done", 0), "time")

    def test_a_kill_from_outside_is_no_time_limit(self):
        self.assertEqual(self.how("kill -KILL $$"), "crash 9")

    def test_a_program_that_is_missing_is_no_end(self):
        with tempfile.TemporaryDirectory() as home, self.assertRaises(FileNotFoundError):
            run([home + "/affirm"], home, 5, pathlib.Path(home))


class Sample(unittest.TestCase):
    mutants = [mutant(f"core/{file}.c", f"f{f}", n) for file in "abc" for f in range(4) for n in range(3)]

    def test_files_come_first_and_then_functions(self):
        chosen = score.sample(self.mutants, 0, 1)
        self.assertEqual(len(chosen), len(self.mutants))
        self.assertEqual(len({m["file"] for m in chosen[:3]}), 3)
        self.assertEqual(len({(m["file"], m["function"]) for m in chosen[:12]}), 12)

    def test_the_seed_decides(self):
        self.assertEqual(score.sample(self.mutants, 9, 5), score.sample(self.mutants, 9, 5))
        self.assertNotEqual(score.sample(self.mutants, 9, 5), score.sample(self.mutants, 9, 6))


class Lists(unittest.TestCase):
    def test_another_program_lists_the_mutants_again(self):
        source = ROOT / "ci/mutate/mutants.c"
        with tempfile.TemporaryDirectory() as home:
            build, seen = types.SimpleNamespace(directory=pathlib.Path(home)), []
            for operator in ("sign", "constant", "constant"):
                program = build.directory / "affirm-mutants"
                program.write_text(f"#!/bin/sh\necho x >>{home}/runs\nprintf '1\\t2\\t3\\t4\\tf\\t{operator}\\ta\\tb\\n'\n")
                program.chmod(0o700)
                (made,) = score.mutants_of(build, source)
                seen.append(made["operator"])
            self.assertEqual(seen, ["sign", "constant", "constant"])
            self.assertEqual((build.directory / "runs").read_text(), "x\nx\n")


class Parts(unittest.TestCase):
    def test_a_part_is_run_where_it_runs_the_function(self):
        unit = {"functions": {"map_parse", "print.c:write"}}
        self.assertTrue(units.runs(unit, mutant("core/map/parse.c", "map_parse")))
        self.assertTrue(units.runs(unit, mutant("core/map/print.c", "write")))
        self.assertFalse(units.runs(unit, mutant("core/rules/text.c", "write")))
        self.assertTrue(units.runs(unit, mutant("core/rules/text.c", "")))

    def test_the_source_of_every_test_is_found(self):
        found = {path for paths in units.test_sources().values() for path in paths}
        rooms = re.findall(r"^affirm_directory\(([\w/]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)
        tests = [path for room in rooms for path in (ROOT / room).rglob("test/*_test.c")]
        self.assertEqual([path for path in tests if path not in found], [])
        self.assertGreater(len(tests), 200)

    def test_a_mutant_that_does_not_link_is_not_killed(self):
        class NoProgram:
            def program_of(self, *_):
                return None

        unit = {"name": "cases", "stage": "cases", "words": []}
        self.assertEqual(score.first_kill(NoProgram(), None, None, [unit], 1)[1], {"outcome": "no program"})


    def test_files_are_found_beside_the_source(self):
        with tempfile.TemporaryDirectory() as home:
            home = pathlib.Path(home)
            (home / "compiler").write_text(f'#!/bin/sh\necho "$@" > {home}/words\n')
            (home / "compiler").chmod(0o700)
            (home / "place").mkdir()
            build = program.Build.__new__(program.Build)
            build.directory, build.compile = home, {"/sources/laws.c": [f"{home}/compiler", "-o", "laws.o", "-c", "/sources/laws.c"]}
            build.object_of(pathlib.Path("/sources/laws.c"), "", home / "place")
            words = (home / "words").read_text().split()
            self.assertIn("-I/sources", words)
            self.assertIn("--embed-dir=/sources", words)

    def test_a_program_has_beside_it_what_it_looks_for(self):
        with tempfile.TemporaryDirectory() as home:
            home = pathlib.Path(home)
            build = program.Build.__new__(program.Build)
            build.directory, build.links = home / "build", {"affirm": ["true", "-o", "affirm", "libcore.a"]}
            for directory in ("build", "mutant"):
                (home / directory).mkdir()
            names = ("affirm-check", "affirm-engine-host", "libengine_faulty.so")
            for name in names:
                (home / "build" / name).touch()
            for _ in range(2):
                self.assertEqual(build.program_of([], home / "mutant"), home / "mutant" / "affirm")
                self.assertTrue(all((home / "mutant" / name).exists() for name in names))

    def test_a_test_is_measured_where_a_mutant_would_be(self):
        class Elsewhere:
            def program_of(self, _, place, target):
                return place / target

        with tempfile.TemporaryDirectory() as home:
            build = Elsewhere()
            build.directory = pathlib.Path(home)
            (build.directory / "own_tests").symlink_to("/bin/true")
            (build.directory / "mutants" / "tests").mkdir(parents=True)
            (build.directory / "mutants" / "tests" / "own_tests").symlink_to("/bin/false")
            unit = {"name": "own", "target": "own_tests", "words": [], "cwd": home}
            with contextlib.redirect_stdout(io.StringIO()):
                units.measure_test(build, unit)
            self.assertEqual(unit["status"], "refuted")

    def test_parts_are_run_until_the_seconds_are_spent(self):
        class Program:
            def program_of(self, *_):
                return "true"

        parts = [{"name": str(i), "stage": "cases", "words": [], "seconds": 1} for i in range(4)]
        with tempfile.TemporaryDirectory() as home:
            self.assertEqual(score.first_kill(Program(), None, pathlib.Path(home), parts, 5)[1], {"outcome": "survived", "ran": [units.identity(part) for part in parts]})
            self.assertEqual(score.first_kill(Program(), None, pathlib.Path(home), parts, 0)[1], {"outcome": "open", "ran": []})


class Measured(unittest.TestCase):
    """Functions of units are measured again if the cached ones are of something else."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        home = pathlib.Path(self.home.name)
        (home / "mutants").mkdir()
        (home / "affirm").write_text("program")
        (home / "case").write_text("= 1")
        self.build, self.source, self.case = types.SimpleNamespace(directory=home, program_of=lambda *_: "true"), home / "a.c", home / "case"
        self.source.write_text("int a;")
        unit = {"name": "case", "stage": "cases", "words": ["check", "case"]}
        self.times = 0
        changes = {"CORPUS": home, "gate_units": lambda _: [dict(unit)], "counted_objects": self.count, "functions_run": lambda *_: ["f"], "run": lambda *_: ("passed", 0.1, "")}
        self.kept = {name: getattr(units, name) for name in changes}
        for name, changed in changes.items():
            setattr(units, name, changed)

    def tearDown(self):
        for name, was in self.kept.items():
            setattr(units, name, was)
        self.home.cleanup()

    def count(self, *_):
        self.times += 1
        return []

    def measured(self, sources, few=False):
        before = self.times
        with contextlib.redirect_stdout(io.StringIO()):
            (part,) = units.measure(self.build, sources, few)
        self.assertEqual(part["functions"], {"f"})
        return self.times - before

    def test_other_sources_programs_files_and_fewer_cases_are_measured_again(self):
        other = self.build.directory / "b.c"
        other.write_text("int b;")
        self.assertEqual([self.measured([self.source]), self.measured([self.source])], [1, 0])
        self.assertEqual([self.measured([self.source, other]), self.measured([self.source, other])], [1, 0])
        self.assertEqual([self.measured([other], True), self.measured([other], True), self.measured([other])], [1, 0, 1])
        for file in (other, self.case, self.build.directory / "affirm"):
            file.write_text(file.read_text() + " ")
            self.assertEqual([self.measured([other]), self.measured([other])], [1, 0], file)


class Journal(unittest.TestCase):
    """Which parts a mutant of the journal is run against."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.directory = pathlib.Path(self.home.name)
        self.build = types.SimpleNamespace(directory=self.directory, code_of_original=lambda *_: "code", object_of=lambda *_: "object", program_of=lambda *_: "program", digest=lambda: self.program)
        self.kept = score.text_of, score.code_of, score.run, score.control
        score.text_of, score.code_of, score.run, score.control = lambda *_: "text", lambda _: "other code", self.run_part, lambda *_: None
        self.ran, self.known, self.killer, self.program = "", {}, "K", "first"

    def tearDown(self):
        score.text_of, score.code_of, score.run, score.control = self.kept
        self.home.cleanup()

    def run_part(self, words, *_):
        self.ran += words[-1]
        return "refuted" if words[-1] == self.killer else "passed", 1.0, ""

    def runs_of(self, names, seconds=float("inf")):
        self.ran = ""
        one = {"start": 0, "end": 0} | mutant("oracle/oracle.c", "")
        parts = [{"name": name, "stage": "cases", "words": [name], "seconds": 1} for name in names]
        score.campaign(self.build, [one], self.known, self.directory / "journal", parts, [], seconds)
        (result,) = self.known.values()
        return self.ran, result["outcome"], result.get("left")

    def test_an_open_mutant_goes_on_with_the_parts_that_did_not_run(self):
        self.assertEqual(self.runs_of("ABCDEFGH", 2), ("AB", "open", 6))
        self.assertEqual(self.runs_of("HABCD", 3), ("H", "open", 2))
        self.assertEqual(self.runs_of("HABCD", 3), ("", "open", 2))
        self.assertEqual(self.runs_of("ABCDEFGH"), ("CDEFG", "survived", 0))

    def test_a_survivor_is_run_against_what_is_new(self):
        self.assertEqual(self.runs_of("AB"), ("AB", "survived", 0))
        self.assertEqual(self.runs_of("AB"), ("", "survived", 0))
        self.assertEqual(self.runs_of("ACB"), ("C", "survived", 0))

    def test_a_kill_is_of_a_part_that_is_still_there(self):
        self.assertEqual(self.runs_of("AKB"), ("AK", "killed", None))
        self.assertEqual(self.runs_of("AKBC"), ("", "killed", None))
        self.assertEqual(self.runs_of("ABC"), ("ABC", "survived", 0))

    def test_a_survivor_that_a_new_part_could_kill_is_open(self):
        self.assertEqual(self.runs_of("AB"), ("AB", "survived", 0))
        self.assertEqual(self.runs_of("ABC", 2), ("", "open", 1))
        written = (self.directory / "journal").read_text().splitlines()
        self.assertEqual(json.loads(written[-1])["outcome"], "open")
        self.assertEqual(self.runs_of("ABC", 3), ("C", "survived", 0))

    def test_a_result_of_another_program_is_none(self):
        for parts, result in (("AB", ("AB", "survived", 0)), ("AK", ("AK", "killed", None))):
            self.assertEqual(self.runs_of(parts), result)
            self.assertEqual(self.runs_of(parts)[0], "")
            (known,) = self.known.values()
            self.assertIs(score.of_program(self.build, known), known)
            self.program += "x"
            self.assertEqual(score.of_program(self.build, known)["outcome"], "open")
            self.assertEqual(self.runs_of(parts), result)
            self.known.clear()

    def test_the_program_is_that_of_the_build(self):
        build = program.Build.__new__(program.Build)
        build.directory, build.affirm = self.directory, None
        (self.directory / "affirm").write_text("one")
        first = build.digest()
        (self.directory / "affirm").write_text("two")
        build.affirm = None
        self.assertNotEqual(build.digest(), first)

    def test_the_table_says_which_results_are_of_another_program(self):
        for old, said in ((0, False), (1, True)):
            with contextlib.redirect_stdout(io.StringIO()) as text:
                score.print_tables([mutant("core/map/map.c", "f", outcome="open", seconds=0)], {}, old)
            self.assertEqual("1 of 1 results are of another program" in text.getvalue(), said)

    def test_unit_tests_take_no_seconds_from_the_parts(self):
        self.assertEqual(self.runs_of("A"), ("A", "survived", 0))
        (key,) = self.known
        self.known[key]["seconds"] += 100
        self.assertEqual(self.runs_of("AB", 5), ("B", "survived", 0))

    def test_a_line_that_a_killed_run_began_is_no_result(self):
        path = self.directory / "journal"
        whole = json.dumps({"of": {}}) + "\n" + json.dumps(mutant("a.c", "f", 3, outcome="killed")) + "\n"
        path.write_text(whole + '{"file": "co')
        self.assertEqual([number for _, number in score.read_journal(path, {})], [3])
        self.assertEqual(score.whole_lines(path), whole)

    def test_a_journal_is_of_its_options(self):
        given = dict(silent=None, corpus=pathlib.Path("."), without="", stage="gate", few=False)
        of = score.settings(types.SimpleNamespace(**given))
        path = self.directory / "journal"
        path.write_text(json.dumps({"of": of}) + "\n" + json.dumps(mutant("a.c", "f", 3, outcome="killed")) + "\n")
        self.assertEqual(score.settings(types.SimpleNamespace(**dict(given, stage="tests"))), of)
        self.assertEqual([number for _, number in score.read_journal(path, of)], [3])
        for change in (dict(silent="smt"), dict(corpus=pathlib.Path("/")), dict(without="cases"), dict(stage="own"), dict(few=True)):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                score.read_journal(path, score.settings(types.SimpleNamespace(**dict(given, **change))))
        path.write_text(json.dumps(mutant("a.c", "f", 3, outcome="killed")) + "\n")
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            score.read_journal(path, of)


class Night(unittest.TestCase):
    """What survivors are run against at night."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.home.name)
        self.build = types.SimpleNamespace(directory=self.place / "original", program_of=lambda objects, place, target: place / target)
        (self.place / "original/mutants").mkdir(parents=True)
        self.kept = night.targets, night.scopes, night.run
        night.targets, night.scopes, night.run = lambda _: ["fuzz_graph", "fuzz_text"], lambda *_: [("pad", 100 * night.CASES), ("slice", 3)], self.run_part
        self.ran, self.ends, self.original = [], {}, "passed"

    def tearDown(self):
        night.targets, night.scopes, night.run = self.kept
        self.home.cleanup()

    def run_part(self, words, *_):
        program, part = pathlib.Path(words[0]), " ".join(words[1:3])
        self.ran.append((program.parent.name == "original", program.name))
        if len(words) == 2:
            return self.original, 10, ""
        if (program.name, part) in self.ends:
            (self.place / "found-1").write_text("input")
            return "error", 10, self.ends[program.name, part]
        return "passed" if program.name == "affirm" else "time", 10, ""

    def kill(self, done, seconds):
        self.ran = []
        return night.first_kill(self.build, None, self.place, [], done, seconds)

    def test_every_shard_is_in_one_round_and_targets_are_in_each(self):
        parts = []
        for part in night.parts(self.place, ["fuzz_graph"], [("pad", 100 * night.CASES), ("slice", 3)]):
            if part["name"] == f"fuzz_graph -seed={night.ROUNDS + 2}":
                break
            parts.append(part["name"])
        self.assertEqual(len(parts), len(set(parts)))
        self.assertEqual([name for name in parts if name.startswith("fuzz")], [f"fuzz_graph -seed={n + 1}" for n in range(night.ROUNDS + 1)])
        self.assertEqual({name for name in parts if name.startswith("scope")}, {f"scope pad, shard {i}/100" for i in range(100)} | {"scope slice, shard 0/1"})
        self.assertEqual([part["name"] for part in night.parts(self.place, [], [("slice", 3)])], ["scope slice, shard 0/1"])

    def test_a_night_goes_on_where_the_last_one_ended(self):
        whole = self.kill(0, 80), self.ran
        first, second = (self.kill(0, 40), self.ran), (self.kill(4, 40), self.ran)
        self.assertEqual((whole[0][:2], first[0][:2], second[0][:2]), ((80, 8), (40, 4), (40, 8)))
        self.assertEqual(whole[1], first[1] + second[1])
        self.assertFalse(any(original for original, _ in whole[1]))

    def test_a_search_that_ends_with_its_time_kills_nothing_and_one_that_finds_does(self):
        self.ends["fuzz_text", "-seed=1 -entropic=0"] = "# fuzz_found_wrong"
        seconds, done, kill = self.kill(0, 1000)
        self.assertEqual((seconds, done, kill["stage"], kill["unit"], kill["said"]), (40, 4, "fuzzing", "fuzz_text -seed=1", "# fuzz_found_wrong"))
        self.assertEqual(self.ran[-1], (True, "fuzz_text"))

    def test_a_target_that_does_not_link_has_no_parts(self):
        self.build.program_of = lambda objects, place, target: None if target.startswith("fuzz") else place / target
        self.assertEqual(self.kill(0, 2000), (1010, 101, {}))
        self.assertEqual({name for _, name in self.ran}, {"affirm"})

    def test_what_the_program_without_a_mutant_does_not_pass_is_no_kill(self):
        self.ends["fuzz_graph", "-seed=1 -entropic=0"] = "# fuzz_found_wrong"
        self.original = "error"
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.assertEqual(self.kill(0, 30), (30, 3, {}))
        self.assertIn("without a mutant fuzz_graph -seed=1 is error too", text.getvalue())
        self.assertTrue((self.build.directory / "mutants/found-1").exists() and not (self.place / "found-1").exists())


class Silent(unittest.TestCase):
    def tearDown(self):
        silent.judge = None
        silent.ends.clear()

    def test_every_question_is_one_of_the_judge(self):
        for judge, questions in silent.QUESTIONS.items():
            header = (ROOT / judge / f"{judge}.h").read_text()
            for question in questions:
                self.assertIn(f"bool {judge}_{question}(", header)
            self.assertEqual(silent.source_of(judge).count("return error_set"), len(questions))

    def test_what_ends_as_without_a_mutant_is_no_kill(self):
        unit = {"name": "scope"}
        self.assertTrue(silent.is_kill(None, unit, "open"))
        self.assertFalse(silent.is_kill(None, unit, "passed"))
        silent.judge, silent.ends["scope"] = "smt", "open"
        self.assertFalse(silent.is_kill(None, unit, "open"))
        self.assertTrue(silent.is_kill(None, unit, "refuted"))

    def test_the_link_replaces_the_questions_only_if_a_judge_is_silent(self):
        self.assertEqual(silent.options(), ())
        silent.judge = "oracle"
        self.assertIn("-Wl,--wrap=oracle_same_map", silent.options())


class Tables(unittest.TestCase):
    def test_equivalent_ones_are_in_no_share(self):
        killed = mutant("core/map/map.c", "f", outcome="killed", stage="cases", how="crash 11", seconds=0.5)
        survived = mutant("core/map/map.c", "g", outcome="survived", seconds=2)
        argued = mutant("core/map/map.c", "h", outcome="survived", seconds=2)
        same = mutant("core/map/map.c", "i", outcome="same code")
        text = tables.by_column([killed, survived, argued, same], "directory", {tables.place_of(argued): "why"})
        self.assertIn("| all | 4 | 2 | 1 | 1 | 0 | 50.0 % | 9 to 91 % |", text)
        unit = mutant("core/map/map.c", "h", outcome="killed", stage=units.GATE_TESTS, how="refuted", seconds=1)
        later = mutant("core/map/map.c", "i", outcome="killed", stage="unit tests", how="refuted", seconds=1)
        shares = [line.split(" | ")[1:3] for line in tables.by_tier([killed, survived, unit, later], {}).splitlines()[2:]]
        self.assertEqual(shares, [["1", "4"], ["2", "4"], ["3", "4"]])
        late = mutant("core/map/map.c", "j", outcome="killed", stage="fuzzing", how="error", seconds=250, night=240)
        shares = [line.split(" | ")[1:3] for line in tables.by_tier([killed, survived, unit, later, late], {}).splitlines()[2:]]
        self.assertEqual(shares, [["1", "5"], ["2", "5"], ["3", "5"], ["4", "5"]])
        self.assertIn("| 100 | 3 | 60.0 % | 1 |", tables.by_time([killed, survived, unit, later, late], {}))
        self.assertIn("| cases | 1 | 0 | 0 | 0 | 1 | 0 | 0 |", tables.by_stage([killed, survived], {}))


    def test_the_line_is_part_of_an_equivalent_mutants_name(self):
        first, second = mutant("core/map/map.c", "h", line=1), mutant("core/map/map.c", "h", line=2)
        self.assertNotEqual(tables.place_of(first), tables.place_of(second))

    def test_every_equivalent_mutant_has_its_argument_and_its_line(self):
        for place, argument in score.equivalents().items():
            file, function, _ = place.split(" ", 2)
            lines, named = tables.lines_of(file), place.partition(" in `")[2].removesuffix("`")
            within, functions = "", set()
            for line in lines:
                head = re.match(r"[A-Za-z\[].*?(\w+)\(", line)
                within = head[1] if head else within
                functions |= {within} if line.strip() == named else set()
            self.assertTrue(function in functions or not function and functions, f"{place}: {functions}")
            self.assertGreater(len(argument), 20, place)


class Page(unittest.TestCase):
    """The page of all figures, without a campaign."""

    def said(self, words):
        if words[0] == "git":
            return "abc123\n"
        if "--rules" in words:
            return "| operator | mutants |\n"
        parts = 3 if "tests" in words else 0
        results = [mutant(file, "f", n, outcome=outcome, stage=units.GATE_TESTS, how="refuted", seconds=n, parts=parts)
                   for file in ("core/map/map.c", "core/hlo/opcodes.c", "core/expr/expr.c") for n, outcome in enumerate(["killed", "killed", "same code"])]
        with contextlib.redirect_stdout(io.StringIO()) as text:
            score.print_tables(results, {}, 0)
        return text.getvalue()

    def test_a_second_run_keeps_the_seed_and_the_page_has_a_sentence_for_each_sample(self):
        with tempfile.TemporaryDirectory() as home:
            ran, page = [], pathlib.Path(home) / "page"
            kept = score_page.said, score_page.subprocess.run, sys.argv
            run = lambda words, **more: kept[1](words, **more) if words[0] == "node" else ran.append(words) or types.SimpleNamespace(returncode=0)
            score_page.said, score_page.subprocess.run = self.said, run
            try:
                for seed in ("7", "8"):
                    sys.argv = ["score_page", "build", str(page), "--seed", seed, "--night", "60"]
                    with contextlib.redirect_stdout(io.StringIO()):
                        score_page.main()
            finally:
                score_page.said, score_page.subprocess.run, sys.argv = kept
            self.assertEqual([(words[words.index("--seed") + 1], words[words.index("--rooms") + 1], "--night" in words) for words in ran], [("7", "core", True), ("7", "oracle,smt,judge", False)] * 2)
            text = (page / "index.md").read_text()
            for of, by in (("core", "`ci/gate`"), ("oracle, smt and judge", "the unit tests of their own room")):
                self.assertIn(f"Of 6 random mutants of {of} that are not known to be equivalent, {by} detected 6: 100.0 % (95 % confidence: 61 to 100 %).", text)
            self.assertIn(" at abc123 by `ci/score_page BUILD DIR --count 60 --judges 40 --seed 7 --night 60`.", text)
            self.assertIn("| own unit tests | 6 | 6 |", text)
            if shutil.which("node"):
                self.assertTrue((page / "score.svg").exists() and (page / "mutants.svg").exists())
                self.assertEqual(text.count("](score.svg)\n\n| directory |"), 1)


class Rules(unittest.TestCase):
    def test_each_kind_of_change_is_made(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "one.rules"
            path.write_text("rule r\n  x mod c in [a, b]  =>  min(x, a + 1) in [lo(x), b]\n  when 0 < c, a != b\n  near-miss: c > 0\n")
            made = {(m["operator"], m["text"].replace(" ", "").replace("\n", " ")) for m in rule_mutants.mutants_of(path)}
        left = "xmodcin[a,b]=>"
        for operator, text in (("conjunct", "min(x,a+1)in[lo(x),b] whena!=b"), ("relation", "min(x,a+1)in[lo(x),b] when0<=c,a!=b"), ("constant", "min(x,a+2)in[lo(x),b] when0<c,a!=b"),
                               ("letter", "min(x,c+1)in[lo(x),b] when0<c,a!=b"), ("bound", "min(x,a+1)in[hi(x),b] when0<c,a!=b"), ("sign", "min(x,a-1)in[lo(x),b] when0<c,a!=b"),
                               ("operator", "max(x,a+1)in[lo(x),b] when0<c,a!=b"), ("result", "min(x,a+1)in[b,lo(x)] when0<c,a!=b")):
            self.assertIn((operator, left + text), made)

    def test_a_prover_that_dies_judges_no_rule(self):
        mutants = [{"rule": "r", "text": text} for text in ("x + 0  =>  x", "x +  =>  x", "x  =>  0")]
        bad, good = '{"file":"f","line":5,"answer":"bad input"}', '{"rule":"m0000%d","verdict":"PROVED"}'
        rows = [good % 0, bad, good % 2]
        for lines, status, is_whole in ((rows, 1, True), (rows, 3, True), (rows[:2], 1, False), (rows[::2], 0, False), ([], 3, False)):
            with tempfile.TemporaryDirectory() as home, contextlib.redirect_stderr(io.StringIO()):
                affirm = pathlib.Path(home) / "affirm"
                affirm.write_text("#!/bin/sh\ncat <<'E'\n" + "\n".join(lines) + f"\nE\nexit {status}\n")
                affirm.chmod(0o700)
                if is_whole:
                    self.assertEqual([result["verdict"] for result in rule_mutants.judged(pathlib.Path(home), mutants)], ["proved", "rejected", "proved"])
                else:
                    with self.assertRaises(SystemExit):
                        list(rule_mutants.judged(pathlib.Path(home), mutants))

    def test_every_rule_has_mutants(self):
        rules = {name for path in (ROOT / "core/rules").glob("*.rules") for name, _, _, _ in rule_mutants.rules_of(path)}
        self.assertGreater(len(rules), 50)
        self.assertEqual(rules, {m["rule"] for m in rule_mutants.all_mutants(ROOT)})


if __name__ == "__main__":
    unittest.main()
