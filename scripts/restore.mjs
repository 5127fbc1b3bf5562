/**
 * `npm run restore -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: puts a backup of all databases, or
 * of one, into databases that are empty or new, after bringing their tables up to date.
 */
import { access } from 'node:fs/promises'
import { boundDatabases, fileOf } from './database/bindings.mjs'
import { applyMigrations, parseTarget, query, runFile } from './database/target.mjs'

const IS_EMPTY =
  'SELECT NOT EXISTS (SELECT 1 FROM workspaces) AND NOT EXISTS (SELECT 1 FROM catalogs) AS is_empty'

/** @throws {Error} where there is no file, or data already */
async function requireEmpty(target, file) {
  await access(file)
  await applyMigrations(target)
  const [state] = await query(target, IS_EMPTY)
  if (state?.is_empty !== 1) {
    throw new Error(`The database ${target.database} holds data already. Restore into a new one.`)
  }
}

async function main(args) {
  const { file, database, ...place } = parseTarget(args)
  const restores =
    database === undefined
      ? boundDatabases().map((binding) => ({
          target: { ...place, database: binding },
          from: fileOf(file, binding),
        }))
      : [{ target: { ...place, database }, from: file }]
  // All of them first: one that cannot be restored leaves the others empty.
  for (const { target, from } of restores) await requireEmpty(target, from)
  let [workspaces, records] = [0, 0]
  for (const { target, from } of restores) {
    await runFile(target, from)
    const [counts] = await query(
      target,
      'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records',
    )
    workspaces += counts.workspaces
    records += counts.records
  }
  process.stdout.write(`Restored ${workspaces} workspaces and ${records} records.\n`)
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
