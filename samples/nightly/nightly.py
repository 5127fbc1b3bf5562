#!/usr/bin/env python3
import http.client, json, os, ssl, sys, time, urllib.error, urllib.parse, urllib.request, uuid

REPEATED = (None, *range(300, 400), 408, 425, 429, 500, 502, 503, 504, *range(520, 531))

class NoRedirects(urllib.request.HTTPRedirectHandler):
    # Else the token would go to another server.
    def redirect_request(self, *_):
        return None

opener = urllib.request.build_opener(NoRedirects)

def call(address, body, headers, *wanted):
    request = urllib.request.Request(os.environ["SERVICE"] + address, body, headers)
    for wait in (1, 5, 15, 60, 120, 240, None):
        try:
            answer = json.load(opener.open(request, timeout=120))
            data = answer.get("data", answer)
            if all(name in data for name in wanted):
                return answer
            raise ValueError("something else than the service answered")
        except (OSError, http.client.HTTPException, ValueError, AttributeError, TypeError) as error:
            untrusted = isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError)
            if wait is None or untrusted or getattr(error, "code", None) not in REPEATED:
                raise
            time.sleep(wait)

if not os.path.isfile(sys.argv[1]) or time.time() - os.path.getmtime(sys.argv[1]) > 20 * 3600:
    print(sys.argv[1], "is missing, or older than 20 hours", file=sys.stderr)
    sys.exit(2)
grant = {name.lower(): os.environ[name] for name in ("CLIENT_ID", "CLIENT_SECRET", "API_KEY")}
try:
    form = urllib.parse.urlencode({"grant_type": "client_credentials", **grant}).encode()
    token = call("/api/v1/auth/token", form, {}, "access_token")["access_token"]
    headers = {"Authorization": "Bearer " + token, "Content-Type": "text/csv", "Idempotency-Key": str(uuid.uuid4())}
    address = "/admin/datasets/v1/?type=medication&mode=reconcile&max_shrink=5&max_emptied=0"
    print(call(address, open(sys.argv[1], "rb").read(), headers, "total", "batch_id")["message"])
except urllib.error.HTTPError as refusal:
    sys.exit(refusal.read().decode())
