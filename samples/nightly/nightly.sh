#!/bin/sh
# SERVICE, CLIENT_ID, CLIENT_SECRET and API_KEY
. "${SETTINGS:-/etc/catalog/settings}"
# 1200 minutes are 20 hours.
[ -n "$(find "$1" -type f -mmin -1200)" ] || { echo "$1 is missing, or older than 20 hours" >&2; exit 2; }
ANSWER=$(mktemp)
trap 'rm -f "$ANSWER"' EXIT
call() {
  WANTED=$1
  shift
  for WAIT in 1 5 15 60 120 240 0; do
    : > "$ANSWER"
    STATUS=$(printf '%s' "$SECRET" | curl -sS --max-time 120 -o "$ANSWER" -w '%{http_code}' "$@")
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
QUERY='type=medication&mode=reconcile&max_shrink=5&max_emptied=0'
KEY="medication-$(date +%Y%m%d-%H%M%S)-$$"
call '"total":[0-9].*"batch_id":"' -H @- -H "Idempotency-Key: $KEY" "$SERVICE/admin/datasets/v1/?$QUERY" -F "file=@$1"
DONE=$?
cat "$ANSWER"
exit $DONE
