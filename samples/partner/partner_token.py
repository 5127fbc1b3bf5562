import base64, json, os, time, uuid
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")

def partner_token(kid, secret, issuer, audience, user):
    now = int(time.time())
    header = b64(json.dumps({"alg": "dir", "enc": "A256GCM", "kid": kid}).encode())
    claims = {"iss": issuer, "aud": audience, "sub": user, "mobile_number": user,
              "iat": now, "exp": now + 300, "jti": str(uuid.uuid4())}
    key, iv = base64.urlsafe_b64decode(secret + "=="), os.urandom(12)
    sealed = AESGCM(key).encrypt(iv, json.dumps(claims).encode(), header)
    return b".".join([header, b"", b64(iv), b64(sealed[:-16]), b64(sealed[-16:])]).decode()
