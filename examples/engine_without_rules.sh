#!/bin/sh
# An engine that knows no game at all: it asks for the legal moves and plays one of them.
# triskele match cmd:"sh examples/engine_without_rules.sh" random tryad --games 10
while read -r word rest; do
  case $word in
    triskele) printf 'id name No Rules\nwant legal\nok 1\n' ;;
    legal) moves=$rest ;;
    go) echo "bestmove $(printf '%s\n' $moves | tail -n 1)" ;;
    ping) echo pong ;;
    quit) exit ;;
  esac
done
