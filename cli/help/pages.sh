#!/bin/sh
# Writes manual pages and completions below DIRECTORY/share, as they are installed. The files contain no dates.
#   cli/help/pages.sh AFFIRM DIRECTORY
set -eu
affirm=$1 share=$2/share
rm -rf "$2"
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$affirm" man >"$share/man/man1/affirm.1"
for command in $("$affirm" completions fish | sed -n 's/.*__fish_use_subcommand -f -a \([a-z]*\) .*/\1/p'); do
  "$affirm" man "$command" >"$share/man/man1/affirm-$command.1"
done
gzip -9n "$share"/man/man1/*.1
"$affirm" completions bash >"$share/bash-completion/completions/affirm"
"$affirm" completions zsh >"$share/zsh/site-functions/_affirm"
"$affirm" completions fish >"$share/fish/vendor_completions.d/affirm.fish"
touch "$2/made"
