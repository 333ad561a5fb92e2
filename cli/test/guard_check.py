"""Guards that the search finds: guard_check.py AFFIRM false FILE... | twins FILE...

false: the rules as they are. twins: each rule with each conjunct of its guard removed. Prints how many of the refuted rules get a condition that
makes them true, and proves each condition in a rule of its own. Exit status 1 if one is not proved.
"""
import json
import re
import subprocess
import sys


def rules_of(path):
    """Each rule as (name, sides, guards), without the text after the guard."""
    text = re.sub(r"#.*", "", open(path).read())
    for block in re.split(r"^rule ", text, flags=re.M)[1:]:
        block = re.split(r"^\s*(?:order:|near-miss:|example:|scope:)", block, flags=re.M)[0]
        name, rest = block.split(None, 1)
        sides, _, guard = " ".join(rest.split()).partition(" when ")
        guards, depth, start = [], 0, 0
        for at, letter in enumerate(guard + ","):
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                guards.append(guard[start:at].strip())
                start = at + 1
        yield name, sides, [guard for guard in guards if guard]


def prove(affirm, rules):
    """Returns the verdicts on (name, sides, guards), by name."""
    text = "".join(f"rule {name} {sides}" + (" when " + ", ".join(guards) if guards else "") + "\n" for name, sides, guards in rules)
    done = subprocess.run([affirm, "prove", "--no-store", "--json", "-"], input=text, capture_output=True, text=True)
    return {row["rule"]: row for row in map(json.loads, done.stdout.splitlines()) if "verdict" in row}


def main(affirm, what, paths):
    """Prints the counts."""
    rules = [rule for path in paths for rule in rules_of(path)]
    if what == "twins":
        rules = [(f"{name}-{at}", sides, guards[:at] + guards[at + 1:]) for name, sides, guards in rules for at in range(len(guards))]
    verdicts = prove(affirm, rules)
    refuted = [rule for rule in rules if verdicts.get(rule[0], {}).get("verdict") == "REFUTED"]
    found = [(name, sides, guards + [verdicts[name]["true_if_also"]]) for name, sides, guards in refuted if "true_if_also" in verdicts[name]]
    again = prove(affirm, found)
    wrong = [name for name, _, _ in found if again.get(name, {}).get("verdict") != "PROVED"]
    for name, sides, guards in refuted:
        if "true_if_also" not in verdicts[name]:
            print("none:", name, sides, "when", ", ".join(guards), file=sys.stderr)
    print(len(refuted), len(found), len(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
