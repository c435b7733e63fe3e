#!/bin/sh
# Makes the home beside this file. Usage: make.sh purser.jar java new-folder
set -eu
jar=$1 java=$2 home=$3
P=http://127.0.0.1:${SERVER_PORT:=23971}
export SERVER_PORT PURSER_HOME="$home" PURSER_SESSIONS_IDLE=36500d

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
dataset visits '{"epsilon":"5","delta":"0"}' pure add-or-remove-one 'age,ward
34,surgery
51,emergency
29,emergency
62,surgery
45,surgery
'
dataset trips '{"epsilon":"1","delta":"0.000001"}' zcdp replace-one 'age,ward
18,surgery
77,emergency
40,emergency
'
post /v1/keys '{"name":"ana","role":"analyst","datasets":["*"],"collections":["*"]}' > "$home.key"
ana=$(sed 's/.*"key":"\([^"]*\)".*/\1/' "$home.key")
asks() { path=$1 body=$2; shift 2; call "$ana" POST "$path" "$body" -H "$json" "$@"; }

asks /v1/datasets/visits/queries/count '{"epsilon":"0.5"}' -H 'Idempotency-Key: answered'
session() { # key threshold payment
  asks /v1/datasets/visits/threshold-sessions '{"epsilon":"1","threshold":'"$2"',
    "maxPositives":2,"payment":"'"$3"'","queries":"counts"}' -H "Idempotency-Key: $1" > "$home.session"
  cat "$home.session"
  asks "/v1/threshold-sessions/$(sed 's/.*"sessionId":"\([^"]*\)".*/\1/' "$home.session")/queries" \
    '{"sequence":1,"query":{"count":{}}}'
}
session upfront 1000 upfront
session below 1000 per-positive
session above -1000 per-positive

post /v1/collections '{"id":"commute","protocol":"grr","categories":["bus","car","foot"],"epsilon":"1"}' > "$home.document"
post /v1/collections/commute/reports '{"reports":[{"reportId":"a","category":"bus"},{"reportId":"b","category":"car"}]}'

# Where its rows cannot be read, a question is charged and not answered.
stop
for dataset in visits trips; do
  rows="$home/datasets/$dataset/rows.columns"
  mv "$rows" "$rows.away"
  echo unreadable > "$rows"
done
start
asks /v1/datasets/visits/queries/mean '{"epsilon":"0.5","column":"age"}' -H 'Idempotency-Key: open'
asks /v1/datasets/trips/queries/local-mean '{"epsilon":"0.2","column":"age"}' -H 'Idempotency-Key: open'
stop
for dataset in visits trips; do
  rows="$home/datasets/$dataset/rows.columns"
  mv "$rows.away" "$rows"
done

# What takes room and holds nothing: the write-ahead log, and the zeros that follow the anchor's last line.
sqlite3 "$home/ledger.db" 'PRAGMA wal_checkpoint(TRUNCATE)' VACUUM 'PRAGMA wal_checkpoint(TRUNCATE)'
tr -d '\0' < "$home/ledger.anchor" > "$home.anchor"
cat "$home.anchor" > "$home/ledger.anchor"
printf %s "$ana" > "$home.ana.key"
