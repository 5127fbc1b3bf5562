/**
 * `npm run deploy -- [--env sandbox] [--change NAME] [other arguments of wrangler deploy]`: refuses what cannot be
 * right, applies the migrations of every database, deploys the Worker, all of the same environment, and looks at the
 * service.
 */
import '../require-node.mjs'
import { parseArgs } from 'node:util'
import { readKept } from '../kept-file.mjs'
import { searchVariables } from './setup/first-workspace.mjs'
import { operatorToken, workspaceFile } from './setup/secrets.mjs'
import { deploy } from './steps.mjs'

/** @type {import('node:util').ParseArgsOptionsConfig} */
const OPTIONS = { env: { type: 'string', short: 'e' }, change: { type: 'string', multiple: true } }

/** What `parseArgs` did not know goes to wrangler as it was written. */
function wranglerArguments(tokens, args) {
  const own = new Set(
    tokens
      .filter(({ kind, name }) => kind === 'option' && name in OPTIONS)
      .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1])),
  )
  return args.filter((_, index) => !own.has(index))
}

/** To look at the service with: those of the environment, or what `npm run setup` has kept here. */
async function credentialsOf(name) {
  const kept = (await readKept(workspaceFile(name))) ?? {}
  return { PLATFORM_ADMIN_TOKEN: operatorToken(name), ...searchVariables(kept), ...process.env }
}

async function main(args) {
  const { values, tokens } = parseArgs({ args, strict: false, tokens: true, options: OPTIONS })
  const name = typeof values.env === 'string' ? values.env : undefined
  await deploy({
    name,
    changes: [values.change ?? []].flat().map(String),
    words: wranglerArguments(tokens, args),
    credentials: await credentialsOf(name),
  })
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
