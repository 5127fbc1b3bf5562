import { CLIENT_ID_PREFIX } from '#worker/auth/client-credentials'
import { sha256Hex } from '#worker/crypto/hash'
import { randomId, randomSecret } from '#worker/crypto/random'

/** A client to add, and what its maker is told once: a hash of the secret is stored. */
export async function newClient(name: string, now: Date) {
  const clientId = randomId(CLIENT_ID_PREFIX)
  const clientSecret = randomSecret('dcs_secret_')
  return {
    row: { clientId, name, secretHash: await sha256Hex(clientSecret), createdAt: now.getTime() },
    credentials: { client_id: clientId, client_secret: clientSecret },
  }
}
