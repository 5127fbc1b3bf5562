/**
 * `npm run reseal`: re-encrypts every secret of a service after a change of MASTER_KEY, while the old key is in
 * PREVIOUS_MASTER_KEYS. When it is done, the old key can be removed.
 *
 * The service does the work, because only it has the keys. With --remote, it is the deployed service, with the token
 * that `npm run deploy` uses. Otherwise it is that of `npm start`.
 */
import { ServiceClient } from './client/client.mjs'
import { command, runMain, say } from './script.mjs'
import { serviceOf, withServiceOptions } from './service.mjs'

async function main(options) {
  const { origin, operatorToken: token } = serviceOf(options)
  if (token === undefined)
    throw new Error('Set PLATFORM_ADMIN_TOKEN. npm start writes the token of a local service to .dev.vars.')
  const client = new ServiceClient({ baseUrl: origin, tokens: { token: async () => token } })
  for (let total = 0; ; ) {
    const { resealed, remaining } = await client.post('/platform/v1/reseal')
    total += resealed
    say(`${total} secrets re-encrypted, ${remaining} remaining`)
    if (remaining === 0) return
    if (resealed === 0)
      throw new Error('The last request re-encrypted no secrets, but some remain. Run this command again.')
  }
}

const reseal = command('reseal', 'Encrypts every secret of a service again after a change of MASTER_KEY.')
await runMain(withServiceOptions(reseal).action(main))
