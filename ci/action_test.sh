#!/usr/bin/env bash
# A second repository checks its rules and its engine with this repository's action and hooks. The steps are read from action.yml and run as a
# workflow runner does; hooks run as pre-commit does, with the matching files.
#   ci/action_test.sh AFFIRM ROOT
set -euo pipefail
affirm=$1 root=$2
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: no python3 with yaml"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "action_test: $*"; exit 1; }
git -C "$scratch" init -q second && cd "$scratch/second"
mkdir -p rules .github/workflows
cat >.github/workflows/affirm.yml <<'YAML'
on: pull_request
jobs:
  affirm:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: owner/affirm@v0.3.0
        with: {rules: rules/*.rules, engine-cmd: ./engine.sh}
YAML
cat >.pre-commit-config.yaml <<'YAML'
repos:
  - repo: https://github.com/owner/affirm
    rev: v0.3.0
    hooks: [{id: affirm-prove}, {id: affirm-check}]
YAML
cat >"$scratch/runner.py" <<'PYTHON'
"""Runs the step of the workflow that uses the action, or every hook of the configuration, and prints the statuses."""
import os, re, subprocess, sys
import yaml
root, what = sys.argv[1], sys.argv[2]
status = 0
if what == "action":
    workflow = yaml.safe_load(open(".github/workflows/affirm.yml"))
    step = next(step for step in workflow["jobs"]["affirm"]["steps"] if "affirm@" in step["uses"])
    action = yaml.safe_load(open(f"{root}/action.yml"))
    unknown = set(step["with"]) - set(action["inputs"])
    if unknown:
        sys.exit(f"no input {unknown}")
    inputs = {name: step["with"].get(name, row["default"]) for name, row in action["inputs"].items()}
    assert action["runs"]["using"] == "composite"
    for one in action["runs"]["steps"]:
        environment = {name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: inputs[found[1]], value) for name, value in one["env"].items()}
        assert not any("${{" in value for value in environment.values()), environment
        done = subprocess.run([one["shell"], "-e", "-c", one["run"]], env=os.environ | environment | {"GITHUB_ACTION_PATH": root})
        status = status or done.returncode
else:
    hooks = {hook["id"]: hook for hook in yaml.safe_load(open(f"{root}/.pre-commit-hooks.yaml"))}
    files = subprocess.run(["git", "ls-files", "-co"], capture_output=True, text=True).stdout.split()
    for wanted in yaml.safe_load(open(".pre-commit-config.yaml"))["repos"][0]["hooks"]:
        hook = hooks[wanted["id"]]
        assert hook["language"] == "system" and {"name", "description"} < set(hook)
        matching = [path for path in files if re.search(hook["files"], path)]
        if matching:
            status = status or subprocess.run(hook["entry"].split() + matching).returncode
            print("hook", hook["id"], len(matching), "files")
sys.exit(status)
PYTHON
export PATH
PATH=$(dirname "$affirm"):$PATH
expect() { # expect STATUS TEXT WHAT
  local status=0
  python3 "$scratch/runner.py" "$root" "$3" >"$scratch/out" 2>&1 || status=$?
  [ "$status" = "$1" ] && grep -qF -- "$2" "$scratch/out" || { cat "$scratch/out"; fail "$3: status $status instead of $1, or not said: $2"; }
}
right='rule mine  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c'
wrong='rule mine  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c'
# An engine that returns maps unchanged; later it returns one map for all questions.
cp "$root/examples/engine-shell/engine.sh" engine.sh
echo "$right" >rules/mine.rules
expect 0 'refuted, 0 open' action
expect 0 'hook affirm-prove 1 files' hooks
[ -s affirm-results/rules.xml ] && [ -s affirm-results/engine.sarif ] || fail "no result files"
# Rules alone, in a directory: the engine takes seconds.
sed -i 's/with: .*/with: {rules: rules}/' .github/workflows/affirm.yml
expect 0 '' action
echo "$wrong" >rules/mine.rules
expect 1 '::error file=rules/mine.rules,line=1,title=rules mine::' action
expect 1 'REFUTED' hooks
echo 'rule mine  x mod => x' >rules/mine.rules
expect 3 'rules/mine.rules:1:' action
expect 3 'rules/mine.rules:1:' hooks
echo "$right" >rules/mine.rules
printf 'HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[5] reverse(p), dimensions={0}\n}\n' >bad.hlo
expect 3 'bad.hlo:4:' hooks
# The engine beside rules that hold: its faults decide.
sed -i 's/with: .*/with: {rules: rules, engine-cmd: .\/engine.sh}/' .github/workflows/affirm.yml
sed -i 's/"$map"/"(d0) -> (d0), domain: d0 in [0, 0]"/' engine.sh
cmp -s engine.sh "$root/examples/engine-shell/engine.sh" && fail "the engine was not broken"
expect 1 'title=gate scopes::' action
grep -q '::error title=gate scopes::.*instruction .*affirm exhaust --scope reverse --tier gate --case' "$scratch/out" || { cat "$scratch/out"; fail "an annotation without counterexample and replay"; }
sed -i 's/with: .*/with: {}/' .github/workflows/affirm.yml
expect 3 'no input is set' action
sed -i 's/with: .*/with: {rulez: x}/' .github/workflows/affirm.yml
expect 1 "no input {'rulez'}" action
echo "the second repository was gated"
