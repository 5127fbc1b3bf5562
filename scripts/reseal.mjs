/**
 * `npm run reseal -- [--origin URL]`: seals every secret of a service again after a change of MASTER_KEY, while the
 * old key is in PREVIOUS_MASTER_KEYS. When it is done, the old key can be removed.
 *
 * The service does the work, because only the service has the keys. The operator's token is read from the environment
 * variable PLATFORM_ADMIN_TOKEN, or for a local service from .dev.vars.
 */
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { ServiceClient } from './client/client.mjs'
import { root } from './wrangler.mjs'

const LOCAL_ORIGIN = 'http://localhost:8787'

function operatorToken(origin) {
  const { PLATFORM_ADMIN_TOKEN } = process.env
  if (PLATFORM_ADMIN_TOKEN) return PLATFORM_ADMIN_TOKEN
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)) {
    throw new Error('Set PLATFORM_ADMIN_TOKEN to the token of the operator.')
  }
  return parseEnv(readFileSync(path.join(root, '.dev.vars'), 'utf8')).PLATFORM_ADMIN_TOKEN
}

async function main(args) {
  const { values } = parseArgs({ args, options: { origin: { type: 'string', default: LOCAL_ORIGIN } } })
  const origin = new URL(values.origin).origin
  const token = operatorToken(origin)
  const client = new ServiceClient({ baseUrl: origin, tokens: { token: async () => token } })
  for (let total = 0; ; ) {
    const { resealed, remaining } = await client.post('/platform/v1/reseal')
    total += resealed
    process.stdout.write(`${total} secrets sealed again, ${remaining} remaining\n`)
    if (remaining === 0) return
    if (resealed === 0) throw new Error('No more secrets were sealed. Run this command once more.')
  }
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
