"""Runs the Python of samples/partner and keeps what it makes in python.json, for the tests of the service.

Run it after a change of that Python:  pip install jwcrypto && python3 test/vectors/partner-guide/make.py
"""

import hashlib
import json
from pathlib import Path

HERE = Path(__file__).parent
KID, SECRET, KEY = "guide", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "0123456789abcdef"
PAYLOAD = {"mobile_number": "+919800000001"}

FILES = ("partner_token.py", "encrypted_bodies.py")
source = "".join((HERE / "../../../samples/partner" / name).read_text() for name in FILES)
example = {}
exec(source, example)

token = example["partner_token"](KID, SECRET, "https://partner.example", "https://catalog.example", PAYLOAD["mobile_number"])
body = example["encrypt_body"](PAYLOAD, KID, KEY)
if example["decrypt_answer"](json.loads(body), KEY) != PAYLOAD:
    raise SystemExit("decrypt_answer reads something else")

made = {
    "source_sha256": hashlib.sha256(source.encode()).hexdigest(),
    "kid": KID,
    "secret": SECRET,
    "shared_key": KEY,
    "issuer": "https://partner.example",
    "audience": "https://catalog.example",
    "token": token,
    "payload": PAYLOAD,
    "body": body,
}
(HERE / "python.json").write_text(json.dumps(made, indent=2) + "\n")
