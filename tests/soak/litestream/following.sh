#!/usr/bin/env bash
# A shop, Litestream, moto as the bucket, and a copy that follows: clicks at a rate, kills of each of the
# three, and what a visitor of the copy sees meanwhile. Then the proxies of docs/scaling.md that are
# installed, in front of both. Prints how old the copy was (p50, p99, most), what went back or failed, and
# whether it is sound. Needs litestream 0.5.17, moto_server and python3 with boto3.
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
leader=http://127.0.0.1:8101
copy=http://127.0.0.1:8102
export AWS_ACCESS_KEY_ID=known AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1
export AWS_ENDPOINT_URL=http://127.0.0.1:8103
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
    leader) (cd "$folder/leader" && exec "$deals" serve --listen 127.0.0.1:8101 --public-url https://deals.example --trusted-proxy 127.0.0.1 --connections-per-address 100000) >> "$folder/leader.log" 2>&1 & ;;
    copy) (cd "$folder/copy" && exec "$deals" serve --listen 127.0.0.1:8102 --public-url https://deals.example --follow s3://shop/litestream --leader $leader --metrics-listen 127.0.0.1:8104) >> "$folder/copy.log" 2>&1 & ;;
    litestream) "$litestream" replicate -config "$folder/litestream.yml" >> "$folder/litestream.log" 2>&1 & ;;
    moto) "$moto" -H 127.0.0.1 -p 8103 > "$folder/moto.log" 2>&1 & ;;
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
import bisect, http.client, json, sys, threading, time
seconds, rate = float(sys.argv[1]), float(sys.argv[2])
times, lock, stop = [], threading.Lock(), time.time() + seconds
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
start = json.loads(ask(8101, "GET", "/product/get-products?sortBy=clicks&limit=1")[1])["data"][0]["clicks"]
def click(n, of):
    global lost
    at = time.time()
    while time.time() < stop:
        try:
            clicks = json.loads(ask(8101, "POST", "/product/increament-views/p1")[1])["clicks"]
            with lock: times.append((clicks, time.time()))
        except Exception: time.sleep(0.05)
        at += of / rate
        time.sleep(max(0, at - time.time()))
threads = [threading.Thread(target=click, args=(n, 16)) for n in range(16)]
for t in threads: t.start()
seen, back, failed, answers = 0, 0, 0, []
while time.time() < stop:
    try:
        status, body = ask(8102, "GET", "/product/get-products?sortBy=clicks&limit=1")
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
print(f"{len(times)/seconds:.0f} clicks/s, {len(answers)} answers: p50 {q(.5):.2f} s, p99 {q(.99):.2f} s, most {q(1):.2f} s old; {back} back, {failed} failed")
VISIT
same() {
  timeout 120 "$python" - << 'SAME'
import sys, time, urllib.request
get = lambda port, path: urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").read()
paths = ["/", "/?search=product+12", "/?search=followed", "/product/get-products?sortBy=clicks&limit=100", "/feed.xml", "/sitemap.xml"]
until = time.time() + 110
while True:
    try:
        if all(get(8101, p) == get(8102, p) for p in paths): break
    except Exception: pass
    if time.time() > until: sys.exit("the copy differs")
    time.sleep(0.2)
SAME
}
echo "load $(cut -d' ' -f1-3 /proc/loadavg)"
"$python" visit.py "$seconds" "$rate"
same && echo "6 of 6 paths equal"
"$python" visit.py $((kills * 3 + 5)) 50 > visited &
visiting=$!
for ((i = 0; i < kills; i++)); do
  case $((i % 3)) in 0) what=copy ;; 1) what=litestream ;; *) what=leader ;; esac
  sleep "$(awk -v s=$RANDOM 'BEGIN { printf "%.2f", 1 + s / 32768 }')"
  stop $what
  begin $what
done
wait $visiting
cat visited
wait_for $leader/healthz
same && echo "6 of 6 paths equal after $kills kills"
stop copy
(cd copy && "$deals" check | grep -E "^wrong|^ok +(database|follower)") || true
begin copy
wait_for $copy/readyz

# The files of the documents, with the ports of this script.
section() { awk -v name="$1" '$0 == "<!-- " name " -->" { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next } inside' "$docs" \
  | sed -e 's/10\.0\.0\.1:8080/127.0.0.1:8101/; s/10\.0\.0\.2:8080/127.0.0.1:8102/; s/:80\b/127.0.0.1:8105/; s/listen 80;/listen 127.0.0.1:8105;/'; }
try() {
  wait_for http://127.0.0.1:8105/healthz
  by() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
  click=$(by -X POST http://127.0.0.1:8105/product/increament-views/p1)
  page=$(by http://127.0.0.1:8105/)
  cookie=$(by -H 'cookie: a=b' http://127.0.0.1:8105/)
  key=$(by -H 'authorization: Bearer x' http://127.0.0.1:8105/user/me)
  stop copy
  wait_for http://127.0.0.1:8105/
  alone=$(by http://127.0.0.1:8105/)
  begin copy
  wait_for $copy/readyz
  echo "$1: click $click, page $page, with a cookie $cookie, with a key $key, without the copy $alone"
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
curl -s http://127.0.0.1:8104/metrics | grep -E '^deals_(follower|job_last_success.*follow)'
