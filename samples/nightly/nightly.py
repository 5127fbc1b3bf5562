#!/usr/bin/env python3
"""Usage: nightly.py FILE [MARKER]. FILE must not be newer than MARKER, which the export writes last.

Exit codes: 0 written, 2 the file or a clock, 8 written, but FILE was replaced meanwhile, 1 any other reason.
"""
import email.utils, http.client, json, os, ssl, sys, time, urllib.error, urllib.parse, urllib.request, uuid

REPEATED = (None, *range(300, 400), 408, 425, 429, 500, 502, 503, 504, *range(520, 531))

class NoRedirects(urllib.request.HTTPRedirectHandler):
    # Else the token would go to another server.
    def redirect_request(self, *_):
        return None

opener = urllib.request.build_opener(NoRedirects)

def refuse(*why):
    print(*why, file=sys.stderr)
    sys.exit(2)

def call(address, body, headers, is_wanted):
    request = urllib.request.Request(os.environ["SERVICE"] + address, body, headers)
    for wait in (1, 5, 15, 60, 120, 240, None):
        try:
            response = opener.open(request, timeout=120)
            answer = json.load(response)
            if is_wanted(answer.get("data", answer)):
                return answer, response.headers
            raise ValueError("something else than the service answered")
        except (OSError, http.client.HTTPException, ValueError, AttributeError, TypeError) as error:
            untrusted = isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError)
            if wait is None or untrusted or getattr(error, "code", None) not in REPEATED:
                raise
            time.sleep(wait)

name, marker = (*sys.argv[1:], None)[:2]
if not os.path.isfile(name) or time.time() - os.path.getmtime(name) > 20 * 3600:
    refuse(name, "is missing, or older than 20 hours")
if marker and not (os.path.isfile(marker) and os.path.getmtime(marker) >= os.path.getmtime(name)):
    refuse(name, "is not finished:", marker, "is missing, or older")
file = open(name, "rb").read()
if not file.endswith((b"\n", b"\r")):
    refuse(name, "may be truncated: its last line does not end with a line break")
grant = {name.lower(): os.environ[name] for name in ("CLIENT_ID", "CLIENT_SECRET", "API_KEY")}
try:
    form = urllib.parse.urlencode({"grant_type": "client_credentials", **grant}).encode()
    token, served = call("/api/v1/auth/token", form, {}, lambda data: "access_token" in data)
    # With a wrong clock, a file of yesterday would look like one of today.
    if abs(email.utils.parsedate_to_datetime(served["Date"]).timestamp() - time.time()) > 300:
        refuse("the clock of this machine differs from that of the service:", served["Date"])
    key = str(uuid.uuid4())
    headers = {"Authorization": "Bearer " + token["access_token"], "Content-Type": "text/csv", "Idempotency-Key": key}
    headers["Content-Disposition"] = "attachment; filename*=UTF-8''" + urllib.parse.quote(os.path.basename(name))
    address = "/admin/datasets/v1/?type=medication&mode=reconcile&max_shrink=5&max_emptied=0"
    # An answer with another key is an old one, which a cache has kept.
    print(call(address, file, headers, lambda data: data.get("idempotency_key") == key)[0]["message"])
except urllib.error.HTTPError as refusal:
    sys.exit(refusal.read().decode())
if not os.path.isfile(name) or open(name, "rb").read() != file:
    print(name, "was replaced meanwhile: the catalog has the older file", file=sys.stderr)
    sys.exit(8)
