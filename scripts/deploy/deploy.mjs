/**
 * `npm run deploy -- [--env sandbox] [--change NAME] [other arguments of wrangler deploy]`: refuses what cannot be right,
 * applies the migrations of every database, deploys the Worker, all of the same environment, and looks at the service.
 */
import '../require-node.mjs'
import { parseArgs } from 'node:util'
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

async function main(args) {
  const { values, tokens } = parseArgs({ args, strict: false, tokens: true, options: OPTIONS })
  await deploy({
    name: typeof values.env === 'string' ? values.env : undefined,
    changes: [values.change ?? []].flat().map(String),
    words: wranglerArguments(tokens, args),
    credentials: process.env,
  })
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
