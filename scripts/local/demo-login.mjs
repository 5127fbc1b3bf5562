import { DEMO_MEMBERS } from './demo.mjs'
import { LOCAL_CLIENT, startOidcProvider } from './oidc-provider.mjs'

/**
 * Starts a login provider with the demo users, on a free port.
 *
 * @param {{ origin: string }} service
 * @returns {Promise<{ vars: Record<string, string>, stop: () => void }>} the variables with which the service finds
 *   it
 */
export async function startDemoLogin({ origin }) {
  const { issuer, stop } = await startOidcProvider({
    // Any free port: the ports next to the service's may belong to another service.
    port: 0,
    redirectUri: `${origin}/api/v1/auth/oidc/callback`,
    accounts: DEMO_MEMBERS.map(({ email }) => ({ email, email_verified: true })),
  })
  return {
    vars: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: LOCAL_CLIENT.client_id,
      OIDC_CLIENT_SECRET: LOCAL_CLIENT.client_secret,
    },
    stop,
  }
}
