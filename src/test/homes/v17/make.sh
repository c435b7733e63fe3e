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
post /v1/datasets '{"id":"days","columns":[{"name":"day","type":"date","lower":"2026-03-01","upper":"2026-03-31"},
  {"name":"age","type":"integer","lower":0,"upper":110}],"privacyUnit":{"type":"row"},
  "neighboringRelation":"add-or-remove-one","maxRows":100,"budget":{"epsilon":"1"},
  "blocks":{"column":"day","width":"day","rowsKeepTheirBlock":true}}'
load() { call "$admin" PUT "/v1/datasets/days/blocks/$1/data" "day,age
$2" -H 'Content-Type: text/csv'; }
load 2026-03-01 '2026-03-01,70
2026-03-01,8
'
load 2026-03-02 ''
load 2026-03-04 '2026-03-04,55
'
post /v1/keys '{"name":"ana","role":"analyst","datasets":["*"]}' > "$home.key"
ana=$(sed 's/.*"key":"\([^"]*\)".*/\1/' "$home.key")
buys() { call "$ana" POST "$2" "$3" -H "$json" -H "Idempotency-Key: $1"; }
buys bought /v1/datasets/days/queries/count '{"epsilon":"0.5","blocks":{"from":"2026-03-01","to":"2026-03-02"}}'
post_to() { call "$admin" PUT "$1" "$2" -H "$json"; }
post_to /v1/datasets/days/allotments/ana '{"epsilon":"0.75"}'

# Where its rows cannot be read, a question is charged and not answered.
stop
rows="$home/datasets/days/block-3.columns"
mv "$rows" "$rows.away"
echo unreadable > "$rows"
start
buys charged /v1/datasets/days/queries/histogram '{"epsilon":"0.25","column":"day","blocks":{"latest":1}}'
stop
mv "$rows.away" "$rows"

# What takes room and holds nothing: the write-ahead log, and the zeros that follow the anchor's last line.
sqlite3 "$home/ledger.db" 'PRAGMA wal_checkpoint(TRUNCATE)' VACUUM 'PRAGMA wal_checkpoint(TRUNCATE)'
tr -d '\0' < "$home/ledger.anchor" > "$home.anchor"
cat "$home.anchor" > "$home/ledger.anchor"
printf %s "$ana" > "$home.ana.key"
