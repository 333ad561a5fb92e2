#!/usr/bin/env bash
# Help in every form: no line exceeds 100 columns, each option of --help is in the manual page and in each completion, groff reports no error,
# and bash completes with it. Misspelt commands, options and choices get a suggestion; abbreviations are rejected.
#   help_test.sh AFFIRM ROOT
set -euo pipefail
affirm=$1 root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "help_test: $*"; exit 1; }
says() { # says STATUS TEXT COMMAND...
  local status=0 wanted=$1 text=$2
  shift 2
  "$affirm" "$@" >out 2>&1 || status=$?
  [ "$status" = "$wanted" ] || fail "status $status instead of $wanted: $*"
  grep -qF -- "$text" out || { cat out; fail "not said by $*: $text"; }
}
narrow() { awk -v what="$1" 'length($0) > 100 { print what ": " length($0) " columns: " $0; wide = 1 } END { exit wide }' "$2" || exit 1; }

commands=$(sed -n 's/^COMMAND("\([a-z]*\)".*/\1/p' "$root/cli/commands.def")
[ "$(echo "$commands" | wc -l)" -gt 15 ] || fail "few commands"
"$affirm" --help >text; narrow affirm text
for shell in bash zsh fish; do "$affirm" completions $shell >all.$shell; done
bash -n all.bash
if command -v zsh >/dev/null; then zsh -n all.zsh; fi
if command -v fish >/dev/null; then fish -n all.fish; fi
options=0
for command in $commands; do
  grep -q "^  $command " text || "$affirm" --help | grep -q "^  $command " || fail "--help does not list $command"
  grep -qE "(^    |, )affirm $command( |,|$)" "$root/README.md" || fail "README.md does not list $command"
  "$affirm" "$command" --help >text.$command || fail "$command --help"
  narrow "$command --help" text.$command
  "$affirm" man "$command" >page
  head -n 1 page | grep -q "^.TH AFFIRM" || fail "no page of $command"
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww page >/dev/null 2>complaints
    [ ! -s complaints ] || { cat complaints; fail "groff complains of affirm-$command"; }
  fi
  sed -n 's/^  --\([a-z0-9-]*\).*/\1/p' text.$command >options
  # Every option is in the page, and all but --help in each completion.
  awk -v command="$command" '
    function lacks(where) { print where " lacks --" option; missing = 1 }
    FILENAME == "options" { wanted[$0] = 1; next }
    FILENAME == "page" { is_list = is_list || /^.TP/; page = page $0 "\n"; next }
    FILENAME == "all.bash" {
      if ($1 == command ")") inside = 1
      if (inside && /esac/) inside = 0
      if (inside) { gsub(/[)\047]/, " "); for (i = 1; i <= NF; i++) bash[$i] = 1 }
      next
    }
    FILENAME == "all.zsh" { zsh = zsh $0 "\n"; next }
    { fish = fish $0 "\n" }
    END {
      for (option in wanted) {
        escaped = option
        gsub(/-/, "\\-", escaped)
        if (!is_list || !index(page, "\\fB\\-\\-" escaped "\\fR")) lacks("the page of " command)
        if (option == "help") continue
        if (!(("--" option) in bash)) lacks("bash: " command)
        if (!index(zsh, "\047--" option "[")) lacks("zsh: " command)
        if (!index(fish, "__fish_seen_subcommand_from " command "\047 -l " option " ")) lacks("fish: " command)
      }
      exit missing
    }' options page all.bash all.zsh all.fish >lacking || { cat lacking; fail "an option is missing"; }
  options=$((options + $(wc -l <options)))
done
[ $options -gt 100 ] || fail "only $options options were compared"
# Texts that say what a value does, and every exit status.
words_of() { tr -s ' \n' ' ' <"$1"; }
for said in 'or judges disagree about maps or reads' 'or judges disagree about values'; do
  words_of text | grep -qF "$said" || fail "--help does not say: $said"
  "$affirm" man prove | grep -qF "$said" || fail "the manual page does not say: $said"
done
words_of text.emit | grep -qF -- '--form FORM affine (' || fail "emit --help hides a value of --form"
words_of text.use | grep -qF 'its elements outside the output read nothing' || fail "use --help does not say what is cut off"
words_of text.exhaust | grep -qF 'parameter, constant, tuple, get-tuple-element, fusion, call or copy' || fail "exhaust --help does not list what --opcodes adds"
for command in map use emit simplify; do
  words_of "text.$command" | grep -qF -- "--color WHEN colour messages, and verdicts at the start of a line or after a rule's name: auto" || fail "$command --help does not say what is coloured"
done
"$affirm" man map | grep -qF 'colour messages, and verdicts' || fail "the manual page does not say what is coloured"
# Without the page of the explorer, where it was looked for.
cp "$affirm" alone
printf 'ENTRY e { ROOT p = f32[2] parameter(0) }\n' >one.hlo
status=0
./alone explore one.hlo >out 2>&1 || status=$?
[ $status = 3 ] && grep -qF 'no explorer/index.html beside this program or in ../share/affirm' out || { cat out; fail "explore without its page: status $status"; }
"$affirm" exhaust --list >list; narrow "exhaust --list" list

# The completions that bash offers after some words.
offers() { # offers WORD... : the last word is completed
  bash -c '. ./all.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _affirm; echo " ${COMPREPLY[*]} "' - affirm "$@"
}
offers eq | grep -q ' equiv ' || fail "bash does not complete eq"
offers prove --cert | grep -q ' --certificate ' || fail "bash does not complete prove --cert"
offers simplify --style p | grep -q ' pretty ' || fail "bash does not complete --style p"
offers simplify --style p | grep -q ' xla ' && fail "bash offers what does not begin with p"

says 3 "no command 'proove'; did you mean prove?" proove
says 3 "no command 'frobnicate'; affirm --help lists them" frobnicate
says 3 "no command 'proove'; did you mean prove?" help proove
says 0 "Proves rewrite rules" help prove
says 0 "Proves rewrite rules" --help prove
# Both commands with laws, and their pages, say what the grade ieee lets through.
for command in equiv watch; do
  says 0 "may then differ by anything" man $command
  says 0 "At grade ieee" $command --help
  tr -s ' \n' '  ' <out | grep -qF "1/(x+0) or bitcast-convert(x+0), may then differ by anything" || fail "$command --help does not warn of grade ieee"
done
for word in --version -V version; do says 0 "affirm 0." $word; done
for word in help --help -h; do says 3 "$word is of one command, and 'extra' follows" $word map extra; done
for word in --version -V version; do says 3 "$word takes no word, not 'extra'" $word extra; done
says 3 "no option -q; did you mean --quiet?" prove -q a.rules
says 3 "no option -q; did you mean --questions or --quiet?" check -q a.hlo
says 3 "no option --explian; did you mean --explain?" simplify --explian
says 3 "no option --expl; did you mean --explain?" simplify --expl
says 3 "no option --frobnicate" simplify --frobnicate
says 3 "--style is one of line pretty xla, not 'prety'; did you mean pretty?" simplify --style prety
says 3 "--style needs a value: line|pretty|xla" simplify --style
says 3 "--explain takes no value" simplify --explain=yes
says 3 "no option -x; options begin with --" simplify -x
says 0 "(d0) -> (d0)" simplify --style=line '(d0) -> (d0), domain: d0 in [0, 7]'
says 0 "(d0) -> (d0)" simplify '(d0) -> (d0), domain: d0 in [0, 7]' --style line
says 3 "--style: error: No such file or directory; a map begins with (" simplify -- --style
says 3 "no scope 'revers'; did you mean reverse?" exhaust --scope revers
says 3 "no scope 'revers' in tier gate; did you mean reverse?" gate --no-corpus --scope revers
says 3 "no scope 'nowhere-near'; affirm exhaust --list names them" exhaust --scope nowhere-near
says 3 "no operation 'injectiv'; did you mean injective?" algebra injectiv '(d0) -> (d0), domain: d0 in [0, 7]'
says 3 "no operation '(d0)'; affirm algebra --help lists them" algebra '(d0)'
says 3 "no option --hlep; did you mean --help?" --hlep
says 3 "no option --json before a command" --json check a.hlo
for program in "$affirm-check" "$affirm-check-map" "$affirm-engine-host"; do
  "$program" --help >out </dev/null || fail "$program --help: status $?"
  grep -q "^affirm-[a-z-]* [[RL]" out || { cat out; fail "no help of $program"; }
done
"$affirm" man prove | head -n 1 | grep -q '^\.TH AFFIRM\\-PROVE 1 ' || fail "the title of affirm-prove(1)"
says 3 "a shell is one of bash zsh fish, not 'tcsh'" completions tcsh
says 3 "needs a shell" completions
says 3 "no command 'nothing'" man nothing
echo "$options options in five forms"
