"""The tables of a mutation score: by directory, operator and stage, with confidence intervals."""
import collections, functools, math
import night, units
from program import ROOT


def interval(killed, judged):
    """Returns Wilson's 95 % interval of a share."""
    if not judged:
        return 0.0, 1.0
    z, share = 1.96, killed / judged
    middle = (share + z * z / (2 * judged)) / (1 + z * z / judged)
    half = z / (1 + z * z / judged) * math.sqrt(share * (1 - share) / judged + z * z / (4 * judged * judged))
    return middle - half, middle + half


def outcome(result, equivalent):
    """Returns killed, survived, open (remaining parts might kill it), or equivalent (the same code, or with a written argument)."""
    if result["outcome"] == "same code" or place_of(result) in equivalent:
        return "equivalent"
    return result["outcome"]


def key_of(mutant):
    return f"{mutant['file']} {mutant['function']} {mutant['operator']}: {mutant['before']} => {mutant['after']}"


def place_of(mutant):
    """Returns a mutant's name in corpus/faults/equivalent.txt: the change, and the text of the line where it begins."""
    return f"{key_of(mutant)} in `{lines_of(mutant['file'])[mutant['line'] - 1].strip()}`"


@functools.cache
def lines_of(file):
    return (ROOT / file).read_text().splitlines()


def by_column(results, column, equivalent):
    rows = collections.defaultdict(collections.Counter)
    for result in results:
        name = result["file"].rpartition("/")[0] if column == "directory" else result[column]
        for key in (name, "all"):
            rows[key][outcome(result, equivalent)] += 1
    lines = [f"| {column} | mutants | equivalent | killed | survived | open | score | 95 % interval |", "|---|---|---|---|---|---|---|---|"]
    for key in sorted(rows, key=lambda name: (name == "all", name)):
        row = rows[key]
        judged = row["killed"] + row["survived"] + row["open"]
        low, high = interval(row["killed"], judged)
        score = f"{100 * row['killed'] / judged:.1f} % | {100 * low:.0f} to {100 * high:.0f} %" if judged else "- | -"
        lines.append(f"| {key} | {sum(row.values())} | {row['equivalent']} | {row['killed']} | {row['survived']} | {row['open']} | {score} |")
    return "\n".join(lines)


def by_tier(results, equivalent):
    """Table of what `affirm gate` kills, alone, with the unit tests of the engine that ci/gate runs, with all unit tests of the mutant's
    directory, and at night. Open mutants count as not killed: the share is a lower bound."""
    judged = [r for r in results if outcome(r, equivalent) in ("killed", "survived", "open")]
    lines = ["| tier | killed | of | score | 95 % interval |", "|---|---|---|---|---|"]
    tiers = [("affirm gate", (units.GATE_TESTS, "unit tests", *night.STAGES)), ("ci/gate", ("unit tests", *night.STAGES)), ("ci/gate and own unit tests", night.STAGES)]
    tiers = [("own unit tests", ())] if all(r.get("parts") == 0 for r in judged) else tiers
    for tier, later in tiers + [("and what ran at night", ())] * any(r.get("night") for r in judged):
        killed = sum(r["outcome"] == "killed" and r["stage"] not in later for r in judged)
        low, high = interval(killed, len(judged))
        lines.append(f"| {tier} | {killed} | {len(judged)} | {100 * killed / max(1, len(judged)):.1f} % | {100 * low:.0f} to {100 * high:.0f} % |")
    return "\n".join(lines)


def by_stage(results, equivalent):
    """Table of the first part to kill, and of how the program ended."""
    rows = collections.defaultdict(list)
    ends = ["refuted", "open", "error", "crash", "time", "stuck"]
    for result in results:
        if outcome(result, equivalent) == "killed":
            rows[result["stage"]].append(result)
    lines = [f"| killed first by | mutants | {' | '.join(ends)} | median seconds | all seconds |", "|---|---|" + "---|" * (len(ends) + 2)]
    for stage, killed in sorted(rows.items(), key=lambda row: -len(row[1])):
        counts = collections.Counter(result["how"].split()[0] for result in killed)
        seconds = sorted(result["seconds"] for result in killed)
        lines.append(f"| {stage} | {len(killed)} | {' | '.join(str(counts[end]) for end in ends)} | {seconds[len(seconds) // 2]:.2f} | {sum(seconds):.0f} |")
    return "\n".join(lines)


def by_time(results, equivalent):
    """Table of the share of killed among judged mutants after a number of processor seconds of the units, cheapest first and then those of the
    night, up to the longest time of a survivor. What survived in less time could still be killed by then."""
    judged = [r for r in results if outcome(r, equivalent) in ("killed", "survived", "open")]
    lines = ["| seconds | killed | share | survived in less |", "|---|---|---|---|"]
    longest = max([100] + [r.get("seconds", 0) for r in judged])
    for limit in [limit for limit in (0.1, 0.3, 1, 3, 10, 30, 100, 300, 600, 1800, 3600, 10800, 36000) if limit <= longest]:
        killed = sum(r["outcome"] == "killed" and r["seconds"] <= limit for r in judged)
        less = sum(r["outcome"] != "killed" and r.get("seconds", 0) < limit for r in judged)
        lines.append(f"| {limit} | {killed} | {100 * killed / max(1, len(judged)):.1f} % | {less} |")
    return "\n".join(lines)
