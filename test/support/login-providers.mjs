/** The login providers of the tests. Runs outside the Worker, before all tests. */
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { LOCAL_CLIENT, startOidcProvider } from '../../scripts/local/oidc-provider.mjs'

const verified = (name) => ({ email: `${name}@clinic.example`, email_verified: true })

const ACCOUNTS = [
  verified('admin'),
  verified('viewer'),
  // Some providers write email addresses like this. Members are found in any case.
  { email: 'Mixed.Case@Clinic.Example', email_verified: true },
  { email: 'unverified@clinic.example', email_verified: false },
  verified('stranger'),
]

const json = (response, status, body) => {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}

/**
 * A provider that signs any claims: the authorization code is the base64url of `{ claims, forged }`. Claims that are
 * null are omitted.
 */
async function startLenientProvider() {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const key = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${server.address().port}`

  const idToken = ({ claims, forged }) => {
    const now = Math.floor(Date.now() / 1000)
    const all = {
      iss: issuer,
      aud: LOCAL_CLIENT.client_id,
      sub: 'a-subject',
      iat: now,
      exp: now + 300,
      email: 'admin@clinic.example',
      email_verified: true,
      ...claims,
    }
    const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign((forged ? foreign : own).privateKey)
  }

  const answers = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({ keys: [key] }),
    '/token': async (body) => {
      const code = new URLSearchParams(body).get('code')
      const token = await idToken(JSON.parse(Buffer.from(code, 'base64url').toString()))
      return { access_token: 'unused', token_type: 'Bearer', id_token: token }
    },
  }
  server.on('request', async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = answers[request.url]
    if (answer) json(response, 200, await answer(body))
    else json(response, 404, {})
  })
  return { issuer, stop: () => server.close() }
}

export default async function setup({ provide }) {
  const redirectUri = `http://localhost:8787/api/v1/auth/oidc/callback`
  const [provider, lenient] = await Promise.all([
    startOidcProvider({ redirectUri, accounts: ACCOUNTS }),
    startLenientProvider(),
  ])
  provide('loginProvider', { issuer: provider.issuer, ...LOCAL_CLIENT })
  provide('lenientProvider', { issuer: lenient.issuer, ...LOCAL_CLIENT })
  return () => {
    provider.stop()
    lenient.stop()
  }
}
