import { FlattenedEncrypt, flattenedDecrypt } from 'jose'

const contentKey = ({ key }) => new TextEncoder().encode(key + key)

export async function encryptBody(payload, sharedKey) {
  const plaintext = new TextEncoder().encode(JSON.stringify(payload))
  const jwe = await new FlattenedEncrypt(plaintext)
    .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
    .encrypt(contentKey(sharedKey))
  return JSON.stringify({ ...jwe, kid: sharedKey.kid })
}

export async function readAnswer(response, sharedKey) {
  const body = await response.json()
  if (response.headers.get('X-Encryption') !== 'JWE') return body
  const { plaintext } = await flattenedDecrypt(body, contentKey(sharedKey))
  return JSON.parse(new TextDecoder().decode(plaintext))
}

export async function postEncrypted(url, payload, sharedKey, credential) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...credential, 'Content-Type': 'application/json', 'X-Encryption': 'JWE' },
    body: await encryptBody(payload, sharedKey),
  })
  return readAnswer(response, sharedKey)
}

// await postEncrypted(`${service}/registration/v1/init`, { mobile_number: '+919800000001' },
//   { kid, key }, { 'x-auth-token': token })
