/**
 * `npm run rollback -- [--env sandbox] [VERSION_ID]`: goes back to an earlier version of the Worker, the one before by
 * default. The databases stay as they are: every migration leaves what the release before it uses.
 */
import '../require-node.mjs'
import { parseArgs } from 'node:util'
import { account } from '../cloudflare/account.mjs'
import { runWrangler } from '../wrangler.mjs'
import { environmentOf } from './environment.mjs'

const say = (text) => process.stdout.write(`${text}\n`)

async function rollback(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { env: { type: 'string', short: 'e' } },
  })
  const { args: environment, config } = environmentOf(values.env)
  const words = [
    'rollback',
    ...positionals.slice(0, 1),
    '--yes',
    '--message',
    'npm run rollback',
    ...environment,
  ]
  say(await runWrangler(words, { CLOUDFLARE_ACCOUNT_ID: (await account()).id }))
  const health = `${config.vars.ISSUER.replace(/\/$/, '')}/health`
  const answer = await fetch(health, { signal: AbortSignal.timeout(15_000) })
  say(`${health} answers ${answer.status}: ${await answer.text()}`)
  if (!answer.ok) process.exitCode = 1
}

await rollback(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
