import json
from jwcrypto import jwe, jwk
from jwcrypto.common import base64url_encode

def content_key(key):
    return jwk.JWK(kty="oct", k=base64url_encode((key * 2).encode()))

def encrypt_body(payload, kid, key):
    token = jwe.JWE(json.dumps(payload).encode(), protected='{"alg":"dir","enc":"A128CBC-HS256"}')
    token.add_recipient(content_key(key))
    return json.dumps({**json.loads(token.serialize()), "kid": kid})

def decrypt_answer(answer, key):  # the parsed JSON of an answer with X-Encryption: JWE
    token = jwe.JWE()
    token.deserialize(".".join([answer["protected"], "", answer["iv"], answer["ciphertext"], answer["tag"]]),
                      content_key(key))
    return json.loads(token.payload)
