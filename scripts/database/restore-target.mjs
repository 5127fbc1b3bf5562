/**
 * The database that a backup is restored into.
 *
 * @typedef {object} RestoreTarget
 * @property {(sql: string) => Promise<unknown[][]>} read
 * @property {(last?: string) => Promise<unknown>} migrate applies migrations, up to one of them or all
 * @property {(file: string) => Promise<void>} load inserts the rows of a backup
 * @property {() => Promise<void>} listWords lists the words of a backup of an earlier release, which has no such lists
 * @property {() => Promise<void>} close
 */
import { createWriteStream } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { root } from '../wrangler.mjs'
import { describeTables, quotedName, TABLES } from './dump.mjs'
import { linesOf, load } from './load.mjs'
import { localResources, openLocal } from './local.mjs'
import { migrate } from './migrate.mjs'
import { LAST_MIGRATION, migrationsUpTo } from './release.mjs'
import { COUNT_UNLISTED, wordLists } from './search-index.mjs'
import { applyMigrations, databaseIdOf, query, readRemote, runFile } from './target.mjs'

async function localTarget(target) {
  const database = await openLocal(localResources(target.stateDirectory), databaseIdOf(target))
  return {
    read: database.read,
    migrate: (last) => migrate(database, last),
    load: async (file) => load(database, () => linesOf(file), await describeTables(database.read)),
    listWords: async () => {
      const [[unlisted]] = await database.read(COUNT_UNLISTED)
      for (const statement of wordLists(unlisted)) await database.batch([statement])
    },
    close: database.close,
  }
}

/** Calls `work` with a new directory, and removes it. */
async function withDirectory(work) {
  const directory = await mkdtemp(path.join(tmpdir(), 'restore-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Wrangler applies all migrations of the folder beside its configuration: this one has only the first ones. */
const migrateRemote = (target, last) =>
  withDirectory(async (directory) => {
    const configuration = path.join(directory, 'wrangler.toml')
    await cp(path.join(root, 'wrangler.toml'), configuration)
    await mkdir(path.join(directory, 'migrations'))
    for (const name of migrationsUpTo(last)) {
      await cp(path.join(root, 'migrations', name), path.join(directory, 'migrations', name))
    }
    await applyMigrations(target, configuration)
  })

/**
 * The statements of a backup without the triggers, which have already done their work on these rows.
 *
 * @param {{ name: string, sql: string }[]} triggers
 */
async function* withoutTriggers(triggers, file) {
  for (const { name } of triggers) yield `DROP TRIGGER ${quotedName(name)};\n`
  for await (const line of linesOf(file)) yield `${line}\n`
  for (const { sql } of triggers) yield `${sql};\n`
}

/** As one file, because wrangler runs a file in one transaction: all of it is loaded, or nothing. */
const loadRemote = (target, file) =>
  withDirectory(async (directory) => {
    const triggers = await query(target, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    const whole = path.join(directory, 'rows.sql')
    await pipeline(withoutTriggers(triggers, file), createWriteStream(whole, { mode: 0o600 }))
    await runFile(target, whole)
  })

async function listWordsRemote(target) {
  const [{ unlisted }] = await query(target, COUNT_UNLISTED)
  if (unlisted === 0) return
  await withDirectory(async (directory) => {
    const file = path.join(directory, 'word-lists.sql')
    await writeFile(file, [...wordLists(unlisted)].join('\n'))
    await runFile(target, file)
  })
}

const remoteTarget = (target) => ({
  read: readRemote(target),
  migrate: (last) => migrateRemote(target, last),
  load: (file) => loadRemote(target, file),
  listWords: () => listWordsRemote(target),
  close: async () => undefined,
})

/** @returns {Promise<RestoreTarget>} */
export const openTarget = async (target) => (target.remote ? remoteTarget(target) : localTarget(target))

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
  const [[triggers]] = await read("SELECT count(*) AS triggers FROM sqlite_schema WHERE type = 'trigger'")
  const [[migration]] = await read(LAST_MIGRATION)
  if (triggers === 0 && migration > FIRST_WITH_TRIGGERS) {
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
