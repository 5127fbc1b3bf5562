import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { base64url, EncryptJWT } from 'jose'

const userOf = (request) => 'user-1'

const missing = ['SERVICE', 'KID', 'SECRET', 'ISSUER', 'AUDIENCE', 'PORT'].filter((name) => !process.env[name])
if (missing.length > 0) throw new Error(`not set: ${missing.join(', ')}`)
const { SERVICE, KID, SECRET, ISSUER, AUDIENCE, PORT } = process.env

const partnerToken = (user) =>
  new EncryptJWT()
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: KID })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('5m')
    .setJti(crypto.randomUUID())
    .encrypt(base64url.decode(SECRET))

async function catalogToken(user) {
  const headers = { 'x-auth-token': await partnerToken(user), 'Content-Type': 'application/json' }
  const answer = await fetch(`${SERVICE}/api/v1/auth/session`, { method: 'POST', headers, body: '{"scope":"search"}' })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text} ${answer.headers.get('X-Request-Id')}`)
  return text
}

async function answer(request, response) {
  if (request.url !== '/catalog-token') {
    const isPage = request.url === '/'
    return response
      .writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html' })
      .end(isPage ? readFileSync('index.html') : '')
  }
  const user = userOf(request)
  if (request.method !== 'POST' || !user) return response.writeHead(401).end()
  const token = await catalogToken(user)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(token)
}

createServer((request, response) =>
  answer(request, response).catch((error) => {
    console.error(`catalog-token: ${error.message}`)
    response.writeHead(502).end()
  }),
).listen(PORT)
