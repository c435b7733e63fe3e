#!/bin/sh
# Makes the home beside this file. Usage: make.sh purser.jar java new-folder
set -eu
jar=$1 java=$2 home=$3
P=http://127.0.0.1:${SERVER_PORT:=23971}
export SERVER_PORT PURSER_HOME="$home"

start() {
  "$java" -Xmx256m -jar "$jar" >> "$home.log" 2>&1 &
  service=$!
  until curl -sf $P/actuator/health > "$home.health" && test -s "$home/admin.key"; do kill -0 $service; sleep 0.5; done
}
stop() {
  kill -9 $service
  wait $service || true
}

call() { # key method path body header...
  key=$1 method=$2 path=$3 body=$4; shift 4
  curl -sS -X "$method" -H "Authorization: Bearer $key" "$@" "$P$path" --data-binary "$body"; echo
}
start
admin=$(cat "$home/admin.key")
json='Content-Type: application/json'
post() { path=$1 body=$2; shift 2; call "$admin" POST "$path" "$body" -H "$json" "$@"; }
dataset() { # id budget accountant relation rows
  post /v1/datasets '{"id":"'"$1"'","columns":[{"name":"age","type":"integer","lower":0,"upper":110},
    {"name":"ward","type":"category","categories":["emergency","surgery"]}],"privacyUnit":{"type":"row"},
    "neighboringRelation":"'"$4"'","maxRows":100,"budget":'"$2"',"accountant":"'"$3"'","source":{"type":"upload"}}'
  call "$admin" PUT "/v1/datasets/$1/data" "$5" -H 'Content-Type: text/csv'
}
dataset stays '{"epsilon":"5","delta":"0.000001"}' zcdp add-or-remove-one 'age,ward
70,surgery
8,emergency
55,emergency
'
post /v1/keys '{"name":"ana","role":"analyst","datasets":["*"]}' > "$home.key"
ana=$(sed 's/.*"key":"\([^"]*\)".*/\1/' "$home.key")
buys() { call "$ana" POST "$2" "$3" -H "$json" -H "Idempotency-Key: $1"; }
buys bought /v1/datasets/stays/synopses '{"epsilon":"0.2","columns":[{"column":"age"}]}' > "$home.bought"
id=$(sed 's/.*"synopsisId":"\([^"]*\)".*/\1/' "$home.bought")
buys refined "/v1/synopses/$id/refinements" '{"epsilon":"0.1"}'

# Where its rows cannot be read, a synopsis is charged and not answered.
stop
rows="$home/datasets/stays/rows.columns"
mv "$rows" "$rows.away"
echo unreadable > "$rows"
start
buys charged /v1/datasets/stays/synopses '{"epsilon":"0.2","columns":[{"column":"ward"},{"column":"age","step":10}]}'
stop
mv "$rows.away" "$rows"

# What takes room and holds nothing: the write-ahead log, and the zeros that follow the anchor's last line.
sqlite3 "$home/ledger.db" 'PRAGMA wal_checkpoint(TRUNCATE)' VACUUM 'PRAGMA wal_checkpoint(TRUNCATE)'
tr -d '\0' < "$home/ledger.anchor" > "$home.anchor"
cat "$home.anchor" > "$home/ledger.anchor"
printf %s "$ana" > "$home.ana.key"
