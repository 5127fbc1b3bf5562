/**
 * `npm run restore -- [--local|--remote] [--persist-to DIR] [--database BINDING] FILE`: loads a backup of all
 * databases, or of one, into new or empty databases, after it has applied the migrations. A local database must not
 * be in use.
 */
import './require-node.mjs'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { boundDatabases, fileOf } from './database/bindings.mjs'
import { describeTables } from './database/dump.mjs'
import { linesOf, load } from './database/load.mjs'
import { databaseDirectory, openLocal } from './database/local.mjs'
import { migrate } from './database/migrate.mjs'
import { COUNT_UNLISTED, wordLists } from './database/search-index.mjs'
import { applyMigrations, databaseIdOf, parseTarget, query, runFile } from './database/target.mjs'
import { ensureStateDirectory } from './local/state-directory.mjs'
import { lockState } from './local/state-lock.mjs'

const IS_EMPTY =
  'SELECT NOT EXISTS (SELECT 1 FROM workspaces) AND NOT EXISTS (SELECT 1 FROM catalogs) AS is_empty'
const COUNTS =
  'SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM records) AS records'
const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"

function requireEmpty(isEmpty) {
  if (isEmpty !== 1) throw new Error('The database already holds data. Restore into a new one.')
}

/** Adds a hint to the error of a restore that stops in the middle. */
async function explainPartialRestore(loading) {
  try {
    await loading
  } catch (cause) {
    throw new Error(
      `${cause.message}\nThe database holds a part of the backup: delete it before another attempt.`,
      { cause },
    )
  }
}

async function loadRemote(target, file) {
  // The triggers have already done their work on these rows.
  const triggers = await query(target, TRIGGERS)
  for (const { name } of triggers) await query(target, `DROP TRIGGER "${name}"`)
  await runFile(target, file)
  for (const { sql } of triggers) await query(target, sql)
  await listWordsRemote(target)
}

async function listWordsRemote(target) {
  const [{ unlisted }] = await query(target, COUNT_UNLISTED)
  if (unlisted === 0) return
  const directory = await mkdtemp(path.join(tmpdir(), 'restore-'))
  try {
    const file = path.join(directory, 'word-lists.sql')
    await writeFile(file, [...wordLists(unlisted)].join('\n'))
    await runFile(target, file)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function loadLocal(database, file) {
  await load(database, () => linesOf(file), await describeTables(database.read))
  const [[unlisted]] = await database.read(COUNT_UNLISTED)
  for (const statement of wordLists(unlisted)) await database.batch([statement])
}

async function restoreLocal(target, file) {
  await ensureStateDirectory(target.stateDirectory)
  const unlock = await lockState(target.stateDirectory, 'a restore')
  try {
    const database = await openLocal(databaseDirectory(target.stateDirectory), databaseIdOf(target))
    try {
      await migrate(database)
      const [[isEmpty]] = await database.read(IS_EMPTY)
      requireEmpty(isEmpty)
      await explainPartialRestore(loadLocal(database, file))
      const [[workspaces, records]] = await database.read(COUNTS)
      return { workspaces, records }
    } finally {
      await database.close()
    }
  } finally {
    await unlock()
  }
}

async function restoreRemote(target, file) {
  await applyMigrations(target)
  const [{ is_empty }] = await query(target, IS_EMPTY)
  requireEmpty(is_empty)
  await explainPartialRestore(loadRemote(target, file))
  const [counts] = await query(target, COUNTS)
  return counts
}

async function main(args) {
  const { file, database, ...place } = parseTarget(args)
  const bindings = database === undefined ? boundDatabases() : [database]
  const restores = bindings.map((binding) => ({
    target: { ...place, database: binding },
    from: database === undefined ? fileOf(file, binding) : file,
  }))
  // Checks all files first: when one is missing, nothing is restored.
  for (const { from } of restores) await access(from)
  let [workspaces, records] = [0, 0]
  for (const { target, from } of restores) {
    const restored = await (target.remote ? restoreRemote : restoreLocal)(target, from)
    workspaces += restored.workspaces
    records += restored.records
  }
  process.stdout.write(`Restored ${workspaces} workspaces and ${records} records.\n`)
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.stderr.write(
    'What was restored so far is not a whole database: delete it before another attempt.\n',
  )
  process.exitCode = 1
})
