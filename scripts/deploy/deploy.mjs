/**
 * `npm run deploy -- [--env sandbox] [--change NAME]`: refuses what cannot be right, applies the migrations of every
 * database, deploys the Worker, all of the same environment, and checks the service.
 */
import { parseArgs } from 'node:util'
import { runMain } from '../script.mjs'
import { readJson } from '../secrets.mjs'
import { operatorToken, searchVariables, workspaceFile } from './setup/secrets.mjs'
import { deploy } from './steps.mjs'

/** To check the service with: what `npm run setup` has kept here, or else variables, which can be of another service. */
async function credentialsOf(name) {
  const workspace = await readJson(workspaceFile(name))
  return { ...process.env, PLATFORM_ADMIN_TOKEN: operatorToken(name), ...(workspace && searchVariables(workspace)) }
}

async function main(args) {
  const { values } = parseArgs({
    args,
    options: { env: { type: 'string', short: 'e' }, change: { type: 'string', multiple: true } },
  })
  await deploy({ name: values.env, changes: values.change, credentials: await credentialsOf(values.env) })
}

await runMain(main)
