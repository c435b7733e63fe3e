#!/bin/sh
# Names the wards whose mean wait is above so many minutes even at the lower end of its interval.
#
#   PURSER=https://purser.example KEY=… alert.sh 30
#
# Status 0: no ward. 1: at least one. 2: no answer, for example because its plan was not bought.
set -eu
limit=${1:?usage: alert.sh MINUTES}
body=$(dirname "$0")/by-ward.json

# The key is not an argument of curl, because others on the machine can list arguments.
answer=$(printf 'header = "Authorization: Bearer %s"\n' "$KEY" |
  curl -sS --fail-with-body -K - -H 'Content-Type: application/json' -H 'Accept: text/csv' \
    "$PURSER/v1/datasets/visits/queries/aggregate" -d @"$body") || {
  printf '%s\n' "$answer" >&2
  exit 2
}

printf '%s\n' "$answer" | tr -d '\r' | awk -F, -v limit="$limit" '
  NR == 1 { for (i = 1; i <= NF; i++) if ($i == "minutes.low") low = i; next }
  low && $low + 0 > limit + 0 { print $1 ": the mean wait is above " limit " minutes, at least " $low; found = 1 }
  END { exit low ? found + 0 : 2 }'
