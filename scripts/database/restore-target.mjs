/**
 * The database that a backup is restored into.
 *
 * @typedef {object} RestoreTarget
 * @property {import('./dump.mjs').Read} read
 * @property {(statements: string[]) => Promise<void>} batch runs statements in one transaction
 * @property {(file: string) => Promise<void>} load inserts the rows of a backup
 * @property {() => Promise<void>} close
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDeployed } from '../cloudflare/d1.mjs'
import { describeTables, quotedName, TABLES } from './dump.mjs'
import { linesOf, load } from './load.mjs'
import { localResources, openLocal } from './local.mjs'
import { migrate } from './migrate.mjs'
import { LAST_MIGRATION } from './release.mjs'
import { openSqlite } from './sqlite.mjs'
import { compilable } from './statements.mjs'
import { databaseIdOf } from './target.mjs'

const TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"

/** A database in this machine. */
const loading = (database) => ({
  ...database,
  load: async (file) => load(database, () => linesOf(file), await describeTables(database.read)),
})

/**
 * The statements of a backup without the triggers, which have already done their work on these rows.
 *
 * @param {string[][]} triggers name and statement of each
 */
async function* withoutTriggers(triggers, file) {
  for (const [name] of triggers) yield `DROP TRIGGER ${quotedName(name)};\n`
  for await (const line of linesOf(file)) for (const statement of compilable(line)) yield `${statement}\n`
  for (const [, sql] of triggers) yield `${sql};\n`
}

/** Loads a backup as one file, because D1 runs a file in one transaction: all of it is loaded, or nothing. */
async function loadDeployed({ read, importFile }, file) {
  const directory = await mkdtemp(path.join(tmpdir(), 'restore-'))
  try {
    const whole = path.join(directory, 'rows.sql')
    await pipeline(withoutTriggers(await read(TRIGGERS), file), createWriteStream(whole, { mode: 0o600 }))
    await importFile(whole)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function openRemote(target) {
  const database = await openDeployed(databaseIdOf(target))
  return { ...database, load: (file) => loadDeployed(database, file), close: async () => undefined }
}

/**
 * @param {import('./target.mjs').Target} target
 * @returns {Promise<RestoreTarget>}
 */
export const openTarget = async (target) =>
  target.remote
    ? openRemote(target)
    : loading(await openLocal(localResources(target.stateDirectory), databaseIdOf(target)))

/** A new database for a trial. @param {string} file @returns {RestoreTarget} */
export const openTrial = (file) => loading(openSqlite(file))

/**
 * Brings a database up to this release.
 *
 * @param {Omit<RestoreTarget, 'load'>} database
 */
export const bringUp = (database) => migrate(database)

/**
 * Restores the rows of one database: the migrations that the backup had, its rows, and the other migrations.
 *
 * @param {RestoreTarget} database
 * @param {string} file
 * @param {string | undefined} migration the last one that the backup has; undefined when it does not matter
 */
export async function restoreRows(database, file, migration) {
  await migrate(database, migration)
  await database.load(file)
  await bringUp(database)
}

/** Every later database has triggers, except while a restore loads rows. */
const FIRST_WITH_TRIGGERS = '0002_write_guards.sql'

/**
 * Refuses a database that a backup cannot be restored into. Changes nothing.
 *
 * @param {RestoreTarget} database
 * @param {string} name for messages
 * @param {string} [last] the last migration of the backup
 * @throws {Error} when the database has rows, or tables of a later release than the backup
 */
export async function requireEmpty({ read }, name, last) {
  const tables = (await read(TABLES)).map(([table]) => table)
  if (tables.length === 0) return
  const columns = tables.map((table) => `EXISTS (SELECT 1 FROM ${quotedName(table)}) AS ${quotedName(table)}`)
  const [used] = await read(`SELECT ${columns.join(', ')}`)
  const filled = tables.filter((_, index) => used[index] === 1)
  if (filled.length > 0) {
    throw new Error(
      `${name} already holds data (${filled.slice(0, 5).join(', ')}). Nothing was changed. Restore into new databases.`,
    )
  }
  const triggers = await read(TRIGGERS)
  const [[migration]] = await read(LAST_MIGRATION)
  if (triggers.length === 0 && migration > FIRST_WITH_TRIGGERS) {
    throw new Error(
      `${name} is what an interrupted restore has left. Delete this database, and restore again.`,
    )
  }
  if (last !== undefined && migration > last) {
    throw new Error(
      `${name} has the migration ${migration}, and the backup is from before it, with ${last}. Nothing was changed. ` +
        'Restore into new databases without tables: the restore applies the migrations.',
    )
  }
}
