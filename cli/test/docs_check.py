"""Runs the commands of documents and compares what they print: docs_check.py AFFIRM FILE...

In a block ```console a line that begins with `$ ` is a command, up to its END if it has one. The lines below it are its output on both streams; `...`
matches any text within a line, and on a line of its own any lines. A sentence `The exit status is N.` between a block and the next one is about
the block's last command. Each document has a scratch directory. Exit status 1 at the first difference.
"""
import os
import re
import subprocess
import sys
import tempfile


def blocks_of(text):
    """Returns each block as a list of (command, output), and the exit status that is stated after it or None."""
    for block, after in re.findall(r"^```console\n(.*?)^```$(.*?)(?=^```|\Z)", text, flags=re.M | re.S):
        steps, lines = [], block.splitlines()
        stated = re.search(r"The exit status is (\d+)\.", after)
        while lines:
            line = lines.pop(0)
            if line.startswith("$ "):
                command = [line[2:]]
                if "<<'END'" in line:
                    while command[-1] != "END":
                        command.append(lines.pop(0))
                steps.append(["\n".join(command), []])
            else:
                steps[-1][1].append(line)
        yield steps, int(stated[1]) if stated else None


def pattern_of(lines):
    """Returns a regular expression for the output."""
    parts = [r"(?:.*\n)*?" if line == "..." else r"[^\n]*".join(map(re.escape, line.split("..."))) + r"\n" for line in lines]
    return re.compile("".join(parts))


def main(affirm, paths):
    """Prints the number of commands that were run."""
    ran = 0
    environment = os.environ | {"PATH": os.path.dirname(os.path.abspath(affirm)) + os.pathsep + os.environ["PATH"]}
    for path in paths:
        text = open(path).read()
        if unrun := re.search(r"^ +\$ .*$", text, flags=re.M):
            sys.exit(f"{path}: a command that is in no block ```console:{unrun[0]}")
        with tempfile.TemporaryDirectory() as directory:
            found = list(blocks_of(text))
            for steps, stated in found:
                for command, lines in steps:
                    done = subprocess.run(["bash", "-c", command], cwd=directory, env=environment, text=True, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    ran += 1
                    if not pattern_of(lines).fullmatch(done.stdout):
                        sys.exit(f"{path}: $ {command}\n--- expected\n" + "\n".join(lines) + f"\n--- came\n{done.stdout}")
                if stated not in (None, done.returncode):
                    sys.exit(f"{path}: $ {steps[-1][0]}\n--- exit status {stated} is stated, {done.returncode} came")
    print(ran, "commands of", len(paths), "documents")
    return 0 if ran > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
