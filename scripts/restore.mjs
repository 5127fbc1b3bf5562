/**
 * `npm run restore -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: puts a backup into a database
 * that is empty or new, after bringing its tables up to date.
 */
import { access } from 'node:fs/promises'
import { applyMigrations, parseTarget, query, runFile } from './database/target.mjs'

const IS_EMPTY =
  'SELECT NOT EXISTS (SELECT 1 FROM workspaces) AND NOT EXISTS (SELECT 1 FROM catalogs) AS is_empty'

async function main(args) {
  const { file, ...target } = parseTarget(args)
  await access(file)
  await applyMigrations(target)
  const [state] = await query(target, IS_EMPTY)
  if (state?.is_empty !== 1) throw new Error('The database holds data already. Restore into a new one.')
  await runFile(target, file)
  const [counts] = await query(
    target,
    'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records',
  )
  process.stdout.write(`Restored ${counts.workspaces} workspaces and ${counts.records} records.\n`)
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
