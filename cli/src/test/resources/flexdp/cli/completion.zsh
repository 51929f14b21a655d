# completion.zsh SCRIPT SHELL...: starts the shell at a terminal, lets it read the completion of flexdp, types
# commands with Tab in them as somebody does, and prints what the shell made of each.
zmodload zsh/zpty || exit 1
completion=$1
shift
zpty person "$@"

shown() { # pattern: waits until the terminal shows it
  local all
  zpty -r person all "$1"
  print -r -- "$all"
}

zpty -w person "PS1='at your ''service'; flexdp() { echo \"made: \$*.\"; }; source $completion; echo 'read''y'"
shown '*ready*at your service*'
for keys in $'ver\t' $'exper\t' $'budget sh\t' $'ask --polic\t' $'collect --rel\t' $'completion z\t'; do
  zpty -w person "flexdp $keys"
  shown '*made: *at your service*'
done
zpty -w person exit
while zpty -r person rest; do :; done
while zpty -t person; do sleep 0.1; done
print "the shell is gone"
