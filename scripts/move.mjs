/**
 * `npm run move`: moves a workspace to another database, named by its binding. During the move the workspace is
 * read-only. If it is interrupted, run it again to continue or restart the move. With the present database as the
 * target, it cancels a move that has not reached the switch.
 *
 * With --remote, it works on the deployed databases through D1's API, otherwise on those of `npm start`.
 */
import { Option } from 'commander'
import { STATE_SETTLES_SECONDS } from '#shared/limits'
import { databaseNames, readConfiguration } from './configuration.mjs'
import { WorkspaceMove } from './move/workspace-move.ts'
import { command, numberFrom, runMain, say } from './script.mjs'
import { serviceOf, withServiceOptions } from './service.mjs'

function requireDatabase({ env }, name) {
  const names = databaseNames(readConfiguration(env))
  if (!names.includes(name)) throw new Error(`${name} is not one of ${names.join(', ')}.`)
}

export const move = withServiceOptions(command('move', 'Moves a workspace to another database. See docs/scaling.md.'))
  .argument('<workspace>', 'its ID')
  .argument('<database>', 'its binding in wrangler.toml, such as DB_2')
  .addOption(
    // For tests only: no user should shorten the wait.
    new Option('--wait <seconds>').argParser(numberFrom(0)).default(STATE_SETTLES_SECONDS).hideHelp(),
  )
  .action((workspaceId, target, { wait, ...options }) => {
    requireDatabase(options, target)
    return new WorkspaceMove({ query: serviceOf(options).query, workspaceId, target, waitMs: wait * 1000, say }).run()
  })

if (process.argv[1] === import.meta.filename) await runMain(move)
