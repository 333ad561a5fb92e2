"""Compiles one source and links one program with the commands of a build; runs a program under limits."""
import hashlib, json, os, pathlib, re, resource, shlex, signal, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def fail(text):
    print(f"ci/score: {text}", file=sys.stderr)
    sys.exit(3)


def output_of(words, **more):
    return subprocess.run(words, check=True, text=True, capture_output=True, **more).stdout


class Build:
    def __init__(self, directory):
        self.directory = directory.resolve()
        for program in ("affirm", "affirm-check", "affirm-mutants"):
            if not (self.directory / program).exists():
                fail(f"{directory}/{program} is not there: cmake --build {directory} --target affirm affirm-check affirm-mutants (libclang-22-dev)")
        self.compile, self.links, self.originals, self.affirm = {}, {}, {}, None
        cache = (self.directory / "CMakeCache.txt").read_text()
        version = re.search(r"^CMAKE_C_COMPILER:.*clang-?(\d*)$", cache, re.M)
        self.profdata = f"llvm-profdata-{version[1]}" if version and version[1] else "llvm-profdata"
        for entry in json.loads((self.directory / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            target = words[words.index("-o") + 1].split("/")[1].removesuffix(".dir")
            if target != "fuzz_instrumented":
                self.compile.setdefault(entry["file"], words)

    def digest(self):
        """Returns a word that changes with the program without a mutant."""
        if self.affirm is None:
            self.affirm = code_of(self.directory / "affirm")
        return self.affirm

    def object_of(self, source, text, place, *options):
        """Compiles `text` in place of `source`; returns the object's path, or None if clang rejects it."""
        words = list(self.compile[str(source)])
        if words[0].endswith("ccache"):
            words = words[1:]
        copy, out = place / source.name, place / "mutant.o"
        copy.write_text(text)
        words[words.index("-o") + 1] = str(out)
        words[words.index("-c") + 1] = str(copy)
        words = [w for w in words if w not in ("-g", "-Werror")] + ["-w", f"-I{source.parent}", f"--embed-dir={source.parent}", *options]
        return out if subprocess.run(words, cwd=self.directory, capture_output=True).returncode == 0 else None

    def code_of_original(self, source, place):
        if source not in self.originals:
            made = self.object_of(source, source.read_text(), place)
            if made is None:
                fail(f"{source} does not compile away from its directory")
            self.originals[source] = code_of(made)
        return self.originals[source]

    def link_words(self, target):
        if target not in self.links:
            link = output_of(["ninja", "-C", str(self.directory), "-t", "commands", target]).splitlines()[-1]
            self.links[target] = [word for word in shlex.split(link) if word not in (":", "&&")]
        return list(self.links[target])

    def beside(self):
        """Returns what programs look for beside themselves: without affirm-check every rule is open, and without the engines their tests fail."""
        names = ("affirm-check", "affirm-check-map", "affirm-engine-host")
        return [path for path in map(self.directory.joinpath, names) if path.exists()] + sorted(self.directory.glob("*.so"))

    def program_of(self, objects, place, target="affirm", *options):
        """Links `target` with these objects before the libraries, which replaces the libraries' own; returns None on failure."""
        words, out = self.link_words(target), place / target
        words[words.index("-o") + 1] = str(out)
        first = next(i for i, word in enumerate(words) if word.endswith(".a"))
        words[first:first] = [str(path) for path in objects]
        words += options or ["-Wl,--strip-debug", "-Wl,--threads=1"]
        for beside in self.beside():
            if not (place / beside.name).exists():
                (place / beside.name).symlink_to(beside)
        return out if subprocess.run(words, cwd=self.directory, capture_output=True).returncode == 0 else None


def code_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Limits: memory, above the needs of any question; wall time, for a program that waits without
# computing.
MEMORY, WALL = 6 << 30, 1200


def run(words, cwd, seconds, home):
    """Returns how the program ended (passed, refuted, open, error, crash, time, stuck), its processor seconds, and its output. Its scratch
    files are outside the work tree, because the place of the proof store depends on that."""
    with tempfile.TemporaryDirectory(prefix="affirm-score-") as scratch:
        os.chmod(scratch, 0o755)  # a test opens its store as another user
        return run_with(words, cwd, seconds, home, scratch)


def run_with(words, cwd, seconds, home, scratch):

    def limit():
        for ignored in (signal.SIGINT, signal.SIGQUIT):  # as in a shell's background
            signal.signal(ignored, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 3))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = dict(os.environ, HOME=str(home), XDG_CACHE_HOME=str(home), TMPDIR=scratch, **({"AFFIRM_MLIR": str(run.mlir)} if run.mlir else {}))
    log = home / "log"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("wb") as out:
        child = subprocess.Popen(words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limit, start_new_session=True)
        try:
            status = child.wait(WALL)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            status = None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    text = log.read_bytes()[-20000:].decode(errors="replace")
    if status is None:
        how = "stuck"
    elif status < 0:
        is_late = status == -signal.SIGXCPU or (status == -signal.SIGKILL and used >= seconds)
        how = "time" if is_late else f"crash {-status}"
    else:
        how = {0: "passed", 1: "refuted", 2: "open"}.get(status, "error")
    return how, round(used, 3), text


run.mlir = None
