/** What `wrangler dev` needs and does not make itself: secrets and tables. */
import path from 'node:path'
import { root, runToEnd } from '../wrangler.mjs'
import { ensureDevVars } from './dev-vars.mjs'
import { ensureStateDirectory } from './state-directory.mjs'
import { lockState } from './state-lock.mjs'

const MIGRATE = path.join(root, 'scripts', 'database', 'migrate-local.mjs')

/** Where `wrangler dev` keeps its state unless it is told another directory, and `npm start` too. */
const STATE = path.join(root, '.wrangler', 'state')

const say = (text) => process.stderr.write(`${text}\n`)

/**
 * Makes secrets that are missing and brings the local databases up to date.
 *
 * @throws {Error} when `npm start` holds the databases
 */
export async function prepareWranglerDev() {
  const { created } = ensureDevVars(path.join(root, '.dev.vars'))
  await ensureStateDirectory(STATE)
  const unlock = await lockState(STATE, 'the start of wrangler dev')
  try {
    await runToEnd(MIGRATE, [STATE])
  } finally {
    await unlock()
  }
  say('The databases in .wrangler/state are up to date. Those of another directory (--persist-to) are not.')
  if (created.length > 0) say(`Wrote new secrets to .dev.vars: ${created.join(', ')}.`)
  say('wrangler dev has no login provider and no demo catalogs. `npm start` has both.')
}
