/**
 * A login provider on this machine, for development and tests: the certified `oidc-provider`, with its state in memory
 * and a page that asks for no password. It listens only on the loopback interface.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider, { interactionPolicy } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'

const HOST = '127.0.0.1'

/** The service's credentials at the provider. */
export const LOCAL_CLIENT = { client_id: 'dataset-catalog-service', client_secret: 'local-development-only' }

/** @typedef {{ email: string, email_verified: boolean }} Account the email address is also the name */

/** The provider warns that its built-in adapter loses its state with the process. Here that is intended. */
class LocalAdapter extends MemoryAdapter {}

/** Asks at each login who logs in, so that one browser can be used as several users. */
function askingPolicy() {
  const { base, Check, Prompt } = interactionPolicy
  const policy = base()
  policy
    .get('login')
    .checks.add(
      new Check('ask_each_time', 'the provider asks each time who logs in', (ctx) =>
        ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  // Needs no further question, because the page always lets users choose.
  policy.add(new Prompt({ name: 'select_account', requestable: true }))
  return policy
}

function configuration(redirectUri, accounts) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    adapter: LocalAdapter,
    clients: [{ ...LOCAL_CLIENT, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'local', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The service reads the email in the ID token, where the large providers also include it.
    conformIdTokenClaims: false,
    pkce: { required: () => true, methods: ['S256'] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy: askingPolicy(), url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    findAccount: (_ctx, id) => {
      const account = accounts.find(({ email }) => email === id)
      return account && { accountId: id, claims: () => ({ sub: id, ...account }) }
    },
    // A login grants access without a consent question.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  }
}

const loginPage = (accounts) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log in (local)</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 10vh auto; padding: 0 1rem }
  button { font: inherit; display: block; width: 100%; margin: .5rem 0; padding: .6rem }
</style>
<h1>Log in as</h1>
<form method="post">
${accounts.map(({ email }) => `<button name="account" value="${email}">${email}</button>`).join('\n')}
</form>
<p>A login provider for this machine, without passwords.</p>
</html>
`

async function interact(provider, accounts, request, response) {
  // Rejects every browser that did not begin this interaction.
  await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    response.end(loginPage(accounts))
    return
  }
  const accountId = new URLSearchParams(await text(request)).get('account')
  const result = accounts.some(({ email }) => email === accountId)
    ? { login: { accountId }, select_account: {} }
    : { error: 'access_denied', error_description: 'no such account' }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/**
 * Starts the provider.
 *
 * @param {object} options
 * @param {string} options.redirectUri of the service's callback
 * @param {readonly Account[]} options.accounts
 * @returns {Promise<{ issuer: string, stop: () => void }>}
 */
export async function startOidcProvider({ redirectUri, accounts }) {
  // Any free port, because the ports next to the service's may belong to another service.
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const issuer = `http://${HOST}:${port}`
  const provider = new Provider(issuer, configuration(redirectUri, accounts))
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url.startsWith('/interaction/')) return answer(request, response)
    interact(provider, accounts, request, response).catch((error) => {
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' })
      response.end(`${error.message}\n`)
    })
  })
  return {
    issuer,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
