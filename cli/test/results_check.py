"""Checks result files against their schemas: results_check.py SCHEMAS JUNIT SARIF ANNOTATIONS | --lines SCHEMAS COMMAND FILE STATUS | --documented SCHEMAS FILE

xmllint checks the JUnit file if it is installed; its counts are always checked. Only the keywords of JSON Schema that the schemas use are supported;
an unknown keyword is an error, so that none is ignored. Prints how many results did not pass. --lines: the output of a command with --json, and its
exit status. --documented: every member of these lines is in the document, in backquotes.
"""
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

UNDERSTOOD = {"$schema", "$defs", "$ref", "title", "type", "required", "additionalProperties", "properties", "items", "minItems", "maxItems",
              "minLength", "minimum", "pattern", "const", "enum", "anyOf"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def faults(value, schema, root, at="$"):
    """Yields every location at which the value violates the schema."""
    unknown = set(schema) - UNDERSTOOD
    if unknown:
        raise SystemExit(f"the schema says {unknown}, which nobody checks")
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, at)
    if "anyOf" in schema and all(list(faults(value, one, root, at)) for one in schema["anyOf"]):
        yield f"{at}: fits none of {len(schema['anyOf'])} forms"
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or (schema["type"] == "integer" and isinstance(value, bool))):
        yield f"{at}: no {schema['type']}: {value!r}"
        return
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r}"
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0) or not re.search(schema.get("pattern", ""), value):
            yield f"{at}: {value!r}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{at}: {value}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        for index, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{at}[{index}]")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{at}: lacks {name}"
        for name, member in value.items():
            if name in schema.get("properties", {}):
                yield from faults(member, schema["properties"][name], root, f"{at}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{at}: has {name}"


def check_json(value, path):
    """Ends the program at the first violation."""
    schema = json.load(open(path))
    for fault in faults(value, schema, schema):
        sys.exit(f"{path}: {fault}")


def check_junit(schemas, path):
    """Checks that the counts of a suite are those of its cases; returns how many cases did not
    pass."""
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "--schema", f"{schemas}/junit.xsd", path], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
    not_passed = 0
    for suite in tree.parse(path).getroot():
        found = {"tests": len(suite), "failures": len(suite.findall("*/failure")), "errors": len(suite.findall("*/error")),
                 "skipped": len(suite.findall("*/skipped"))}
        if found != {name: int(suite.get(name)) for name in found}:
            sys.exit(f"{path}: {suite.get('name')} counts {suite.attrib}, and has {found}")
        not_passed += found["failures"] + found["errors"]
        for reason in suite.findall("*/*"):
            if not reason.get("message").strip():
                sys.exit(f"{path}: an empty message")
    return not_passed


def check_sarif(schemas, path):
    """Checks that each result names a rule of the run, and that fingerprints are unique; returns how many
    results there are."""
    log = json.load(open(path))
    check_json(log, f"{schemas}/sarif.schema.json")
    run = log["runs"][0]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if len(set(ids)) != len(ids) or {result["ruleId"] for result in run["results"]} != set(ids):
        sys.exit(f"{path}: rules {ids} are not those of the results")
    return len(run["results"])


def check_annotations(path):
    """Checks that no annotation is empty or ends in a line break; returns the totals' number of
    results that did not pass."""
    lines = [line for line in open(path).read().splitlines() if re.match("::(error|warning|notice)", line)]
    for line in lines:
        if not re.fullmatch(r"::(error|warning|notice) [^:]*title=[^:]+::.*[^\sA].*", line) or re.search("(%0A|%0D)$", line):
            sys.exit(f"{path}: {line}")
    totals = re.search(r"(\d+) passed, (\d+) refuted, (\d+) open, (\d+) bad input", lines[-1])
    if not totals or len(lines) > 11:
        sys.exit(f"{path}: {len(lines)} lines, the last one {lines[-1]}")
    return sum(int(number) for number in totals.groups()[1:])


def members_once(pairs):
    """The object of these members; a name that is there twice is an error, which Python's reader would not see."""
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"an object has {twice} twice: {pairs}")
    return dict(pairs)


def check_lines(schemas, command, path, status):
    """Checks each line against the command's schema, and that the last line has the totals of the others. Prints the number of
    objects."""
    root = json.load(open(f"{schemas}/lines.schema.json"))
    lines = [json.loads(line, object_pairs_hook=members_once) for line in open(path)]
    if not lines:
        sys.exit(f"{path}: no line")
    for number, line in enumerate(lines):
        is_last = number == len(lines) - 1
        for fault in faults(line, root["$defs"]["totals" if is_last else command], root):
            sys.exit(f"{path}:{number + 1}: {fault}: {line}")
    totals = lines[-1]["totals"]
    words = {}
    for line in lines[:-1]:
        for name in ("answer", "verdict", "outcome", "same"):
            if name in line:
                words[line[name]] = words.get(line[name], 0) + 1
    words["objects"] = len(lines) - 1
    is_right = all(totals.get(word, 0) >= count for word, count in words.items()) if command == "gate" else totals == words
    if not is_right or lines[-1]["status"] != status:
        sys.exit(f"{path}: {lines[-1]}, where {words} were printed, with status {status}")
    print(len(lines) - 1)


def check_documented(schemas, path):
    """Checks that members and commands of the lines are in the document."""
    text = open(path).read()

    def members_of(schema):
        for name, member in schema.get("properties", {}).items():
            yield name
            yield from members_of(member)
        for form in schema.get("anyOf", []):
            yield from members_of(form)

    for command, schema in json.load(open(f"{schemas}/lines.schema.json"))["$defs"].items():
        missing = [name for name in [*([] if command == "unread" else [command]), *members_of(schema)] if f"`{name}`" not in text]
        if missing:
            sys.exit(f"{path}: says nothing of {missing}")


if __name__ == "__main__":
    if sys.argv[1] == "--lines":
        check_lines(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
        sys.exit(0)
    if sys.argv[1] == "--documented":
        check_documented(sys.argv[2], sys.argv[3])
        sys.exit(0)
    counts = [check_junit(sys.argv[1], sys.argv[2]), check_sarif(sys.argv[1], sys.argv[3]), check_annotations(sys.argv[4])]
    if len(set(counts)) != 1:
        sys.exit(f"no pass: {counts[0]} in JUnit, {counts[1]} in SARIF, {counts[2]} in annotations")
    print(counts[0])
