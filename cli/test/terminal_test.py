"""What a command writes on a terminal and through a pipe: terminal_test.py AFFIRM ROOT

On a terminal: one progress line within its width, colours, NO_COLOR and --color. Through a pipe: no overwritten line, no colour.
"""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

ESCAPE = re.compile(r"\033\[[0-9;]*[mK]")


def on_terminal(command, columns=60, until=None, **variables):
    """Returns all output of the command on a terminal with this many columns; with `until`, up to a match, and then ends the
    command."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | variables
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    written, end = b"", time.monotonic() + 120
    try:
        while time.monotonic() < end and select.select([master], [], [], 60)[0] and (piece := os.read(master, 65536)):
            written += piece
            if until and re.search(until, ESCAPE.sub("", written.decode(errors="replace"))):
                process.kill()
                break
        else:
            process.kill()
    except OSError:
        pass
    process.wait()
    os.close(master)
    return written.decode(errors="replace")


def piped(command):
    """Returns all output of the command through a pipe."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def check(holds, what):
    """Ends the program if the condition is false."""
    if not holds:
        sys.exit(f"terminal_test: {what}")


def main(affirm, root):
    """Tests each command that may take more than two seconds, then the colours."""
    directory = f"{root}/corpus/modules"
    chain = tempfile.NamedTemporaryFile("w", suffix=".hlo")
    print("HloModule m\nENTRY e {\n  v0 = f32[9] parameter(0)", *(f"  v{i} = f32[9] negate(v{i - 1})" for i in range(1, 20000)), "  ROOT r = f32[9] negate(v19999)\n}", sep="\n", file=chain, flush=True)
    rule = tempfile.NamedTemporaryFile("w", suffix=".rules")
    print("rule one: x + 0  =>  x", file=rule, flush=True)
    commands = {
        "rules": [affirm, "prove", "--no-store", "--no-guard", *(f"{root}/corpus/rules/{name}.rules" for name in ("true-hard", "true-held-out"))],
        "claims": [affirm, "prove", "--ops"],
        "laws": [affirm, "gate", "--exhaust", "0", "--fuzz", "0", "--rules", rule.name, "--no-corpus"],
        "files": [affirm, "check", directory],
        "instructions": [affirm, "use", "--all", chain.name],
        "cases": [affirm, "exhaust", "--tier", "gate", "--scope", "convolution", "--jobs", "1"],
    }
    if "AFFIRM_FEW" in os.environ:
        commands = {unit: commands[unit] for unit in ("files", "instructions")}
        print("skipped: progress of rules, claims, laws and cases, which is shown by the same code")
    for unit, command in commands.items():
        progress = rf"\d+ of \d+ {unit} \(\d+%\)"
        shown = [ESCAPE.sub("", part) for part in re.split(r"[\r\n]+", on_terminal(command, until=rf"({progress}[^$]*){{3}}"))]
        lines = [part for part in shown if re.search(progress, part)]
        check(lines, f"no progress of {unit}: {shown[:5]}")
        check(all(len(part) < 60 for part in lines), f"progress of {unit} is wider than the terminal: {max(lines, key=len)}")
        whole = rf"{progress}  \d+\.\d a second  \d+:\d\d left"
        check(re.search(whole, on_terminal(command, columns=110, until=whole)), f"progress of {unit} has no rate or no time left")
        if unit in ("rules", "cases"):
            plain = piped(command if unit == "rules" else [*command, "--shard", "0/16"])
            check("\r" not in plain and "\033" not in plain, f"{unit}: something is written over, or coloured, in a pipe")
    with tempfile.TemporaryDirectory() as scratch:
        path = f"{scratch}/two.hlo"
        open(path, "w").write("HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  n = f32[4] negate(p)\n  ROOT r = f32[4] reverse(n), dimensions={0}\n}\n")
        check("only the root; 1 more instruction with --all or --producers" in on_terminal([affirm, "map", path]), "map does not say what is left")
        check("more instruction" not in on_terminal([affirm, "map", "--all", path]) + piped([affirm, "map", path]), "map says that something is left")
        path = f"{scratch}/some.rules"
        open(path, "w").write("rule wrong  x mod c => x\nrule right  x + 0 => x\nrule broken  x mod => x\n")
        command = [affirm, "prove", "--no-store", "--no-guard", path]
        for red in ("\033[31;1m REFUTED \033[0m", "\033[32m PROVED \033[0m", "\033[31;1merror:\033[0m"):
            check(red in on_terminal(command), f"no colour on a terminal: {red!r}")
            check(red in piped([*command, "--color=always"]), f"no colour with --color=always: {red!r}")
        for quiet in (on_terminal(command, NO_COLOR="1"), on_terminal([*command, "--color=never"]), on_terminal(command, TERM="dumb"), piped(command)):
            check("\033[3" not in quiet and "REFUTED" in quiet, "coloured where it must not be")
        untimed = lambda text: re.sub(r"\d+\.\d+ s", "", text)
        check(untimed(ESCAPE.sub("", piped([*command, "--color=always"]))) == untimed(piped(command)), "colours change the text")
        check("is one of" in piped([*command, "--color=blue"]), "--color=blue is accepted")
    done = subprocess.run(f"'{affirm}' exhaust --list | head -n 1", shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.stderr == b"", f"| head is not quiet: {done.stderr}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
