#!/usr/bin/env bash
# Loses a machine and starts another by the commands of docs/scaling.md: two network namespaces as
# machines, an S3 server (moto) on a third, clicks until the first one is gone. Prints the clicks
# that were lost and how long nobody answered, for hourly copies into a bucket and for Litestream.
# Needs root, iproute2, python3, moto_server (pip install 'moto[server]'), and for the second part
# litestream (0.5 or newer).
#
#   tests/soak/failover.sh target/release/deals moto_server [litestream] [PRODUCTS] [SECONDS]
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
moto=$(realpath "$(command -v "${2:-moto_server}")")
litestream=$(command -v "${3:-litestream}" || true)
products=${4:-100000}
seconds=${5:-20}
folder=$(mktemp -d)
tag=deals$$
pids=()
end() {
  kill -9 "${pids[@]}" 2> /dev/null || true
  wait 2> /dev/null || true
  for name in a b; do ip netns del "$tag$name" 2> /dev/null || true; done
  ip link del "br$$" 2> /dev/null || true
  rm -rf "$folder"
}
trap end EXIT
cd "$folder"

# The third machine has the bridge's address.
ip link add "br$$" type bridge
ip address add 10.201.77.1/24 dev "br$$"
ip link set "br$$" up
machine() { # NAME ADDRESS
  ip netns add "$tag$1"
  ip link add "v$$$1" type veth peer name eth0 netns "$tag$1"
  ip link set "v$$$1" master "br$$" up
  ip -n "$tag$1" address add "$2/24" dev eth0
  ip -n "$tag$1" link set eth0 up
  ip -n "$tag$1" link set lo up
  mkdir -p "$1"
}
machine a 10.201.77.2
machine b 10.201.77.3
on() { local name=$1; shift; ip netns exec "$tag$name" env -C "$folder/$name" "$@"; }

"$moto" -H 10.201.77.1 -p 9000 > moto.log 2>&1 & pids+=($!)
# Litestream does not start with it.
unset AWS_CA_BUNDLE
export AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1
export AWS_ENDPOINT_URL=http://10.201.77.1:9000
timeout 60 sh -c "until curl -sf -o /dev/null -X PUT $AWS_ENDPOINT_URL/shops; do sleep 0.1; done"

awk -v n="$products" 'BEGIN { for (i = 1; i <= n; i++) printf "{\"_id\":\"p%d\",\"title\":\"Product %d of many\",\"description\":\"Made up to be lost and found again, number %d.\",\"price\":%d,\"discount\":10,\"category\":\"Books\",\"source\":\"Amazon\",\"affiliateLink\":\"https://shop.example/p/%d\",\"images\":[\"https://img.example/%d.jpg\"],\"averageRating\":4,\"totalRatings\":%d}\n", i, i, i, 100 + i, i, i, i }' > products.ndjson
"$deals" import products.ndjson --db made.sqlite > imported 2>&1

cat > click.py << 'CLICK'
# Clicks on one product, one after the other: the number, and when it was acknowledged.
import json, sys, time, urllib.request
while True:
    request = urllib.request.Request(sys.argv[1] + "/product/increament-views/p1", method="POST")
    clicks = json.load(urllib.request.urlopen(request, timeout=5))["clicks"]
    print(clicks, time.time(), flush=True)
CLICK
answers() { timeout 120 sh -c "until curl -sf -m 1 -o /dev/null $1/healthz; do sleep 0.02; done"; }
clicks_at() { curl -sf "$1/product/product/p1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["product"]["clicks"])'; }
elapsed() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", to - from }'; }

# Serves machine a with the given options, clicks, and takes it from the network and kills it.
lose_a() {
  on a "$deals" serve --listen 10.201.77.2:8080 "$@" > a.log 2>&1 & local server=$!
  pids+=("$server")
  answers http://10.201.77.2:8080
  if [ -n "$before_clicks" ]; then $before_clicks; fi
  python3 click.py http://10.201.77.2:8080 > clicked 2> /dev/null & local clicker=$!
  pids+=("$clicker")
  disown "$server" "$clicker"
  sleep "$seconds"
  ip link set "v$$a" down
  lost_at=$(date +%s.%N)
  # The namespace's processes end with the machine.
  ip netns pids "${tag}a" | xargs -r kill -9
  kill -9 "$clicker"
  last=$(tail -1 clicked | cut -d' ' -f1)
}
# Says what is there when machine b answers.
report() { # NAME
  answers http://10.201.77.3:8080
  local back kept from
  back=$(date +%s.%N)
  kept=$(clicks_at http://10.201.77.3:8080)
  from=$(awk -v kept="$kept" '$1 > kept { print $2; exit }' clicked)
  echo "$1: $((last - kept)) of $last clicks lost, of the last $(elapsed "${from:-$lost_at}" "$lost_at") s; answers again after $(elapsed "$lost_at" "$back") s ($products products)"
  ip netns pids "${tag}b" | xargs -r kill -9
  ip link set "v$$a" up
  rm -rf a b
  mkdir a b
}

# Hourly copies: the first one is made when the server starts, so the loss is the time since.
cp made.sqlite a/deals.sqlite
backed_up() { timeout 600 sh -c 'until grep -q "backed up" a.log; do sleep 0.1; done'; }
before_clicks=backed_up
lose_a --backup-dir s3://shops/shop --backup-every 1h
# What the owner has kept elsewhere.
cp a/deals.sqlite.key b/
on b "$deals" restore s3://shops/shop > restored.log 2>&1 || { cat restored.log; exit 1; }
on b "$deals" serve --listen 10.201.77.3:8080 > b.log 2>&1 & pids+=($!); disown $!
report "hourly copies (at most an hour and the time of a copy are lost)"

if [ -z "$litestream" ]; then
  echo "Litestream: not run, there is no program ${3:-litestream}"
  exit 0
fi
cp made.sqlite a/deals.sqlite
# The file of docs/scaling.md, with the addresses of this test.
for name in a b; do
  cat > "$name/litestream.yml" << 'YML'
dbs:
  - path: deals.sqlite
    replica:
      url: s3://shops/litestream
      endpoint: http://10.201.77.1:9000
      region: us-east-1
YML
done
replicated() {
  on a "$litestream" replicate -config litestream.yml > litestream.log 2>&1 & pids+=($!); disown $!
  timeout 120 sh -c "until curl -sf '$AWS_ENDPOINT_URL/shops?list-type=2&prefix=litestream' | grep -q ltx; do sleep 0.2; done"
}
before_clicks=replicated
lose_a
cp a/deals.sqlite.key b/
on b "$litestream" restore -config litestream.yml -o restored.sqlite deals.sqlite > restored.log 2>&1 || { cat restored.log litestream.log; exit 1; }
on b "$deals" restore restored.sqlite > restored.log 2>&1 || { cat restored.log; exit 1; }
on b "$deals" serve --listen 10.201.77.3:8080 > b.log 2>&1 & pids+=($!); disown $!
report "Litestream $("$litestream" version)"
