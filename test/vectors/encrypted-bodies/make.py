"""Prints encrypted bodies made with jwcrypto, as JSON; called by make.mjs with the shared key, its id and a plaintext."""

import json
import sys

from jwcrypto import jwe, jwk
from jwcrypto.common import base64url_encode

shared_key, kid, plaintext = sys.argv[1:]
key = jwk.JWK(kty="oct", k=base64url_encode((shared_key * 2).encode()))
headers = {
    "jwcrypto, header without spaces": '{"alg":"dir","enc":"A128CBC-HS256"}',
    "jwcrypto, header with spaces": '{"alg": "dir", "enc": "A128CBC-HS256"}',
    "jwcrypto, header over several lines, with kid": '{\n  "enc" : "A128CBC-HS256",\n  "alg" : "dir",\n  "kid" : "%s"\n}' % kid,
}
bodies = []
for name, header in headers.items():
    token = jwe.JWE(plaintext.encode(), protected=header)
    token.add_recipient(key)
    parts = json.loads(token.serialize())
    parts["kid"] = kid
    bodies.append({"name": name, "plaintext": plaintext, "body": json.dumps(parts)})
print(json.dumps(bodies))
