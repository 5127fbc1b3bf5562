import base64, json, os, sys, time, urllib.error, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

def user_of(request):
    return "user-1"

missing = [name for name in ("SERVICE", "KID", "SECRET", "ISSUER", "AUDIENCE", "PORT") if not os.environ.get(name)]
if missing:
    sys.exit("not set: " + ", ".join(missing))
SERVICE, KID, SECRET, ISSUER, AUDIENCE = [os.environ[name] for name in ("SERVICE", "KID", "SECRET", "ISSUER", "AUDIENCE")]

def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")

def partner_token(user):
    now = int(time.time())
    header = b64(json.dumps({"alg": "dir", "enc": "A256GCM", "kid": KID}).encode())
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": user, "iat": now, "exp": now + 300, "jti": str(uuid.uuid4())}
    iv = os.urandom(12)
    sealed = AESGCM(base64.urlsafe_b64decode(SECRET + "==")).encrypt(iv, json.dumps(claims).encode(), header)
    return b".".join([header, b"", b64(iv), b64(sealed[:-16]), b64(sealed[-16:])]).decode()

def catalog_token(user):
    headers = {"x-auth-token": partner_token(user), "Content-Type": "application/json"}
    request = urllib.request.Request(SERVICE + "/api/v1/auth/session", b'{"scope":"search"}', headers)
    try:
        return urllib.request.urlopen(request, timeout=15).read()
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{error.code} {error.read().decode()} {error.headers['X-Request-Id']}")

class Backend(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/":
            self.answer(200, "text/html", open("index.html", "rb").read())
        else:
            self.answer(404, "text/html", b"")

    def do_POST(self):
        user = user_of(self)
        if self.path != "/catalog-token" or not user:
            return self.answer(401, "text/plain", b"")
        try:
            self.answer(200, "application/json", catalog_token(user))
        except Exception as error:
            print("catalog-token:", error, file=sys.stderr)
            self.answer(502, "text/plain", b"")

    def answer(self, status, content_type, body):
        self.send_response(status)
        for name, value in (("Content-Type", content_type), ("Content-Length", len(body)), ("Cache-Control", "no-store")):
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

ThreadingHTTPServer(("", int(os.environ["PORT"])), Backend).serve_forever()
