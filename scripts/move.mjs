/**
 * `npm run move -- [--remote] [--env NAME] [--port PORT] WORKSPACE DATABASE`: moves a workspace to another database, which
 * is named by its binding. Meanwhile the workspace is read-only. Interrupted anywhere, it goes on or begins again when it
 * is called again; with the present database it cancels a move that has not come to the switch.
 *
 * With --remote it works on the deployed databases through D1's API, otherwise on those of `npm start`.
 */
import { parseArgs } from 'node:util'
import { STATE_SETTLES_SECONDS } from '#shared/limits'
import { databaseNames, readConfiguration } from './configuration.mjs'
import { WorkspaceMove } from './move/workspace-move.mjs'
import { runMain, say } from './script.mjs'
import { SERVICE_OPTIONS, serviceOf } from './service.mjs'

// For tests: nobody else should wait for less.
const OPTIONS = /** @type {const} */ ({
  ...SERVICE_OPTIONS,
  wait: { type: 'string', default: String(STATE_SETTLES_SECONDS) },
})

function requireDatabase({ env }, name) {
  const names = databaseNames(readConfiguration(env))
  if (!names.includes(name)) throw new Error(`${name} is not one of ${names.join(', ')}.`)
}

/** @param {string[]} args of the command @throws {Error} with what is wrong */
export async function move(args) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [workspaceId, target, ...others] = positionals
  if (workspaceId === undefined || target === undefined || others.length > 0)
    throw new Error('Name the workspace and the database: npm run move -- WORKSPACE DB_2. See docs/scaling.md.')
  requireDatabase(values, target)
  await new WorkspaceMove({
    query: serviceOf(values).query,
    workspaceId,
    target,
    waitMs: Number(values.wait) * 1000,
    say,
  }).run()
}

if (process.argv[1] === import.meta.filename) await runMain(move)
