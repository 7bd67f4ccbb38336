#!/usr/bin/env bash
# A shop, Litestream, moto as the bucket, and a copy that follows: clicks at a rate, kills of each of the
# three, after each of which the copy is checked, and what a visitor of the copy sees meanwhile. Then the proxies
# of docs/scaling.md that are installed, in front of both. Prints how old the copy was (p50, p99, most), what went
# back or failed, what reads cost, and whether it is sound. Needs litestream 0.5.17, moto_server and python3 with boto3.
#
#   tests/soak/litestream/following.sh target/release/deals litestream moto_server [SECONDS] [CLICKS A SECOND] [KILLS]
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
litestream=$(realpath "$(command -v "${2:-litestream}")")
moto=$(realpath "$(command -v "${3:-moto_server}")")
python=$(dirname "$moto")/python3
[ -x "$python" ] || python=python3
seconds=${4:-60}
rate=${5:-600}
kills=${6:-20}
docs=$(realpath "$(dirname "$0")/../../../docs/scaling.md")
folder=$(mktemp -d)
export PORT=${PORT:-8101}
l=127.0.0.1:$PORT c=127.0.0.1:$((PORT + 1)) b=127.0.0.1:$((PORT + 2)) m=127.0.0.1:$((PORT + 3)) p=127.0.0.1:$((PORT + 4))
leader=http://$l
copy=http://$c
export AWS_ACCESS_KEY_ID=known AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1
export AWS_ENDPOINT_URL=http://$b
# Litestream does not start with it.
unset AWS_CA_BUNDLE
declare -A pid
end() {
  kill -9 "${pid[@]}" 2> /dev/null || true
  wait 2> /dev/null || true
  rm -rf "$folder"
}
trap end EXIT
wait_for() { timeout 90 sh -c "until curl -sf -o /dev/null $1; do sleep 0.05; done" || { tail -n 20 "$folder"/*.log; exit 1; }; }
begin() {
  case $1 in
    leader) (cd "$folder/leader" && exec "$deals" serve --listen $l --public-url https://deals.example --trusted-proxy 127.0.0.1 --connections-per-address 100000) >> "$folder/leader.log" 2>&1 & ;;
    copy) (cd "$folder/copy" && exec "$deals" serve --listen $c --public-url https://deals.example --follow s3://shop/litestream --leader $leader --metrics-listen $m) >> "$folder/copy.log" 2>&1 & ;;
    litestream) "$litestream" replicate -config "$folder/litestream.yml" >> "$folder/litestream.log" 2>&1 & ;;
    moto) "$moto" -H 127.0.0.1 -p ${b#*:} > "$folder/moto.log" 2>&1 & ;;
  esac
  pid[$1]=$!
}
stop() { kill -9 "${pid[$1]}" && wait "${pid[$1]}" 2> /dev/null || true; }

mkdir "$folder/leader" "$folder/copy"
cd "$folder"
awk 'BEGIN { for (i = 1; i <= 3000; i++) printf "{\"_id\":\"p%d\",\"title\":\"Product %d of many\",\"description\":\"Made up to be followed, number %d.\",\"price\":%d,\"discount\":10,\"category\":\"Books\",\"source\":\"Amazon\",\"affiliateLink\":\"https://shop.example/p/%d\",\"images\":[\"https://img.example/%d.jpg\"],\"averageRating\":4,\"totalRatings\":%d}\n", i, i, i, 100 + i, i, i, i }' > products.ndjson
(cd leader && "$deals" import ../products.ndjson > /dev/null)
cat > litestream.yml << EOF
dbs:
  - path: $folder/leader/deals.sqlite
    replica:
      url: s3://shop/litestream
      endpoint: $AWS_ENDPOINT_URL
      region: us-east-1
      force-path-style: true
EOF
begin moto
wait_for "$AWS_ENDPOINT_URL/moto-api/"
"$python" -c 'import boto3, os; boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"]).create_bucket(Bucket="shop")'
begin leader
wait_for $leader/healthz
begin litestream
cp leader/deals.sqlite.key copy/
timeout 60 sh -c 'until grep -q "snapshot complete" litestream.log; do sleep 0.1; done' || { cat litestream.log; exit 1; }
begin copy
wait_for $copy/readyz

cat > visit.py << 'VISIT'
# Clicks on one product at a rate, each with when it was acknowledged, and asks the copy for its clicks:
# an answer is as old as the first click that it does not have.
import bisect, http.client, json, os, signal, sys, threading, time
begun, rate, leader = time.time(), float(sys.argv[2]), int(os.environ["PORT"])
times, lock, stop = [], threading.Lock(), begun + float(sys.argv[1])
def end(*_):
    global stop
    stop = time.time()
signal.signal(signal.SIGTERM, end)
base = None
def ask(port, method, path):
    c = getattr(local, "c%d" % port, None)
    if c is None:
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=30); setattr(local, "c%d" % port, c)
    try:
        c.request(method, path); r = c.getresponse(); return r.status, r.read()
    except Exception:
        setattr(local, "c%d" % port, None); c.close(); raise
local = threading.local()
start = json.loads(ask(leader, "GET", "/product/get-products?sortBy=clicks&limit=1")[1])["data"][0]["clicks"]
def click(n, of):
    global lost
    at = time.time()
    while time.time() < stop:
        try:
            clicks = json.loads(ask(leader, "POST", "/product/increament-views/p1")[1])["clicks"]
            with lock: times.append((clicks, time.time()))
        except Exception: time.sleep(0.05)
        at += of / rate
        time.sleep(max(0, at - time.time()))
threads = [threading.Thread(target=click, args=(n, 16)) for n in range(16)]
for t in threads: t.start()
seen, back, failed, answers = 0, 0, 0, []
while time.time() < stop:
    try:
        status, body = ask(leader + 1, "GET", "/product/get-products?sortBy=clicks&limit=1")
        now = time.time()
        if status != 200: failed += 1
        else:
            clicks = json.loads(body)["data"][0]["clicks"]
            if clicks < seen: back += 1
            seen = clicks; answers.append((now, clicks))
    except Exception as e:
        # The copy itself was killed.
        failed += 1; time.sleep(0.05)
    time.sleep(0.005)
for t in threads: t.join()
times.sort()
numbers = [t[0] for t in times]
ages = []
for now, clicks in answers:
    i = bisect.bisect_right(numbers, clicks)
    ages.append(max(0, now - times[i][1]) if i < len(times) else 0)
ages.sort()
q = lambda p: ages[int(p * (len(ages) - 1))] if ages else -1
print(f"{len(times)/(stop-begun):.0f} clicks/s, {len(answers)} answers: p50 {q(.5):.2f} s, p99 {q(.99):.2f} s, most {q(1):.2f} s old; {back} back, {failed} failed")
VISIT
cat > read.py << 'READ'
# CPU of distinct searches, a page and a list each, of leader and copy in turns.
import http.client, os, sys
port, spent = int(os.environ["PORT"]), [0, 0]
def cpu(pid):
    return sum(int(ticks) for ticks in open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13])
for turn in range(20):
    for who in (0, 1) if turn % 2 else (1, 0):
        before, client = cpu(sys.argv[1 + who]), http.client.HTTPConnection("127.0.0.1", port + who)
        for n in range(75):
            # Neither asks for what it has kept.
            number = 1 + (turn * 75 + n) % 3000
            for path in (f"/?search=number+{number}&{sys.argv[3]}", f"/product/get-products?search=made+{number}&{sys.argv[3]}"):
                client.request("GET", path)
                answer = client.getresponse()
                answer.read()
                assert answer.status == 200, path
        spent[who] += cpu(sys.argv[1 + who]) - before
per = [ticks * 1000 / os.sysconf("SC_CLK_TCK") / 3000 for ticks in spent]
print(f"CPU a search: leader {per[0]:.2f} ms, copy {per[1]:.2f} ms, which makes {per[0] / per[1]:.2f} of its reads")
READ
same() {
  timeout 120 "$python" - << 'SAME'
import os, sys, time, urllib.request
leader = int(os.environ["PORT"])
get = lambda port, path: urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").read()
paths = ["/", "/?search=product+12", "/?search=followed", "/product/get-products?sortBy=clicks&limit=100", "/feed.xml", "/sitemap.xml"]
until = time.time() + 110
while True:
    try:
        if all(get(leader, p) == get(leader + 1, p) for p in paths): break
    except Exception: pass
    if time.time() > until: sys.exit("the copy differs")
    time.sleep(0.2)
SAME
}
# The copy has no damaged page, index, count or key, also while its server is not there.
sound() {
  (cd copy && "$deals" check) > checked 2> /dev/null || true
  local part
  for part in integrity 'foreign keys' counts 'full-text index' key follower; do
    grep -q "^ok  *$part " checked || { echo "after the kill of $1, $part is not sound:"; cat checked; exit 1; }
  done
}
echo "load $(cut -d' ' -f1-3 /proc/loadavg)"
"$python" visit.py "$seconds" "$rate"
same && echo "6 of 6 paths equal"
echo "without clicks: $("$python" read.py "${pid[leader]}" "${pid[copy]}" minPrice=1)"
"$python" visit.py 36000 100 > visited &
visiting=$!
echo "at 100 clicks a second: $("$python" read.py "${pid[leader]}" "${pid[copy]}" minPrice=2)"
kill $visiting
wait $visiting
"$python" visit.py 36000 50 > visited &
visiting=$!
for ((i = 0; i < kills; i++)); do
  case $((i % 3)) in 0) what=copy ;; 1) what=litestream ;; *) what=leader ;; esac
  sleep "$(awk -v s=$RANDOM 'BEGIN { printf "%.2f", 1 + s / 32768 }')"
  stop $what
  sound $what
  begin $what
done
kill $visiting
wait $visiting
cat visited
wait_for $leader/healthz
same && echo "6 of 6 paths equal after $kills kills, and the copy sound after each"

# The files of the documents, with the ports of this script.
section() { awk -v name="$1" '$0 == "<!-- " name " -->" { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next } inside' "$docs" \
  | sed -e "s/10\.0\.0\.1:8080/$l/g; s/10\.0\.0\.2:8080/$c/g; s/:80\b/$p/; s/listen 80;/listen $p;/"; }
try() {
  wait_for http://$p/healthz
  by() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
  click=$(by -X POST http://$p/product/increament-views/p1)
  page=$(by http://$p/)
  cookie=$(by -H 'cookie: a=b' http://$p/)
  key=$(by -H 'authorization: Bearer x' http://$p/user/me)
  stop copy
  wait_for http://$p/
  alone=$(by http://$p/)
  begin copy
  wait_for $copy/readyz
  stop leader
  wait_for http://$p/
  followed=$(by http://$p/)
  refused=$(by -X POST http://$p/product/increament-views/p1)
  begin leader
  wait_for $leader/healthz
  echo "$1: click $click, page $page, with a cookie $cookie, with a key $key, without the copy $alone;" \
    "without the leader page $followed, click $refused"
  [[ "$click $page $cookie $key $alone $followed" = "200 200 200 401 200 200" && $refused = 50[234] ]]
}
if command -v haproxy > /dev/null; then
  { printf 'global\n  maxconn 100\n'; section haproxy; } > haproxy.cfg
  haproxy -f haproxy.cfg > haproxy.log 2>&1 & pid[proxy]=$!
  try haproxy; stop proxy
fi
if command -v nginx > /dev/null; then
  { printf 'daemon off;\npid %s/nginx.pid;\nerror_log %s/nginx.log;\nevents {}\nhttp {\naccess_log off;\n' "$folder" "$folder"; section nginx; printf '}\n'; } > nginx.conf
  nginx -c "$folder/nginx.conf" -p "$folder" > nginx.out 2>&1 & pid[proxy]=$!
  try nginx; kill "${pid[proxy]}"; wait "${pid[proxy]}" 2> /dev/null || true
fi
if command -v caddy > /dev/null; then
  { printf '{\n  admin off\n}\n'; section caddy; } > Caddyfile
  caddy run --config Caddyfile --adapter caddyfile > caddy.log 2>&1 & pid[proxy]=$!
  try caddy; stop proxy
fi
curl -s http://$m/metrics | grep -E '^deals_(follower|job_last_success.*follow)'
