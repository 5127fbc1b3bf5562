#!/bin/sh
# Usage: nightly.sh FILE [MARKER]. FILE must not be newer than MARKER, which the export writes last.
# Exit codes: 0 written, 2 the file or a clock, 5 no token, 8 written, but FILE was replaced meanwhile, 1 any other reason.
# SERVICE, CLIENT_ID, CLIENT_SECRET and API_KEY
. "${SETTINGS:-/etc/catalog/settings}"
refuse() {
  echo "$1" >&2
  exit 2
}
# 1200 minutes are 20 hours.
[ -n "$(find -L "$1" -type f -mmin -1200)" ] || refuse "$1 is missing, or older than 20 hours"
[ -z "$(tail -c 1 "$1")" ] || refuse "$1 may be truncated: its last line does not end with a line break"
if [ -n "$2" ] && { [ ! -f "$2" ] || [ -n "$(find -L "$1" -newer "$2")" ]; }; then
  refuse "$1 is not finished: $2 is missing, or older"
fi
ANSWER=$(mktemp)
COPY=$(mktemp)
trap 'rm -f "$ANSWER" "$ANSWER.head" "$COPY"' EXIT
cp "$1" "$COPY"
call() {
  WANTED=$1
  shift
  for WAIT in 1 5 15 60 120 240 0; do
    : > "$ANSWER"
    STATUS=$(printf '%s' "$SECRET" | curl -sS --max-time 120 -D "$ANSWER.head" -o "$ANSWER" -w '%{http_code}' "$@")
    # The exit of curl: 60 is a certificate that is not trusted, any other but 0 is no answer, or not all of it.
    case $?:$STATUS in
      0:200) grep -q "$WANTED" "$ANSWER" && return 0 ;;
      0:3* | 0:408 | 0:425 | 0:429 | 0:50[0234] | 0:52? | 0:530) ;;
      0:* | 60:*) return 1 ;;
    esac
    sleep "$WAIT"
  done
  return 1
}
SECRET="grant_type=client_credentials&client_id=$CLIENT_ID&client_secret=$CLIENT_SECRET&api_key=$API_KEY"
call '"access_token":"[^"]*"' "$SERVICE/api/v1/auth/token" --data @- || { cat "$ANSWER"; exit 5; }
SECRET="Authorization: Bearer $(sed 's/.*"access_token":"\([^"]*\)".*/\1/' "$ANSWER")"
# With a wrong clock, a file of yesterday would look like one of today. GNU date reads the time of the service.
THERE=$(date -d "$(sed -n 's/^[Dd]ate: *//p' "$ANSWER.head" | tr -d '\r')" +%s) || refuse 'the service has told no time'
APART=$(($(date +%s) - THERE))
[ "$APART" -lt 300 ] && [ "$APART" -gt -300 ] || refuse "the clocks of this machine and the service are $APART seconds apart"
QUERY='type=medication&mode=reconcile&max_shrink=5&max_emptied=0'
KEY="medication-$(date +%Y%m%d-%H%M%S)-$$"
NAME=$(basename "$1" | tr -cd 'A-Za-z0-9._-')
# An answer with another key is an old one, which a cache has kept.
call "\"idempotency_key\":\"$KEY\"" -H @- -H "Idempotency-Key: $KEY" "$SERVICE/admin/datasets/v1/?$QUERY" \
  -H 'Content-Type: text/csv' -H "Content-Disposition: attachment; filename=\"$NAME\"" --data-binary "@$COPY"
DONE=$?
cat "$ANSWER"
[ "$DONE" -eq 0 ] || exit "$DONE"
cmp -s "$1" "$COPY" || { echo "$1 was replaced meanwhile: the catalog has the older file" >&2; exit 8; }
