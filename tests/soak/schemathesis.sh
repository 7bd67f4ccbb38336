#!/usr/bin/env bash
# Has schemathesis make requests of every kind from the shop's own description of its API
# and hold the answers against it: as a visitor, and as an administrator. Takes some two
# minutes. Needs schemathesis (PyPI: pip install schemathesis).
#
#   tests/soak/schemathesis.sh target/release/deals
set -euo pipefail
deals=$(realpath "${1:-target/release/deals}")
folder=$(mktemp -d)
cd "$folder"
site=http://127.0.0.1:8096
printf 'tiger-lamp-42\n' | "$deals" user add owner@example.com --username Owner --admin --password-stdin > /dev/null
"$deals" serve --demo --listen 127.0.0.1:8096 --metrics-listen 127.0.0.1:0 > deals.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT
until curl -sf "$site/healthz" > /dev/null; do :; done

# Limits of sign-in and registering answer 429 soon, which is described too. A valid
# form can be refused for what no schema says: a code that is wrong, a common password.
checks=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method,ignored_auth
run() { schemathesis run "$site/openapi.json" --checks "$checks" --max-examples "${EXAMPLES:-30}" --seed 1 "$@"; }
# An import may be told to skip what is invalid.
refuses() { checks=negative_data_rejection run --exclude-path /product/import "$@"; }

run
refuses
token=$(curl -s --json '{"email":"owner@example.com","password":"tiger-lamp-42"}' "$site/user/sign-in" |
  sed -E 's/.*"token":"([^"]+)".*/\1/')
# Without signing out, which would end the session that the rest needs.
run --header "Authorization: Bearer $token" --exclude-path-regex '/user/(logout|change-password|sign-in)'
refuses --header "Authorization: Bearer $token" --exclude-path-regex '/user/(logout|change-password|sign-in)'
"$deals" check | grep -E '^(ok|wrong) +(database|integrity|foreign keys|counts|full-text index)'
