/** Where the databases of a backup or a restore are: in the directory of a local service, or deployed. */
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Option } from 'commander'
import { copyRows } from '../backup/copy.mjs'
import { databaseNames, localDatabaseIds, readConfiguration } from '../configuration.mjs'
import { command, withEnvironment, withStateDirectory } from '../script.mjs'
import { removeAfter, withDirectory } from '../temporary-directory.mjs'
import { fillIndex, writeImport } from './backup-file.mjs'
import { databaseFile, localResources } from './local.mjs'
import { migrate, missingMigrations, stateOf } from './migrate.mjs'
import { openRemote } from './remote.mjs'
import { copyDatabase, withoutTriggers, withSqlite } from './sqlite.mjs'

/**
 * @typedef {object} Place
 * @property {boolean} remote
 * @property {string | undefined} environment of `wrangler.toml`; production by default
 * @property {string} [configuration] another file than `wrangler.toml`
 * @property {string} stateDirectory directory of local databases
 */

/**
 * The files of a backup: `catalog.sql` for `DB`, `catalog.DB_2.sql` for `DB_2` and so on.
 *
 * @param {Place} place
 * @returns {{ binding: string, file: string }[]}
 */
export function partsOf({ environment, configuration }, file) {
  const { dir, name, ext } = path.parse(file)
  return databaseNames(readConfiguration(environment, configuration)).map((binding) => ({
    binding,
    file: binding === 'DB' ? file : path.join(dir, `${name}.${binding}${ext}`),
  }))
}

/**
 * A command that works on a backup and a service, with the file of the backup as its argument.
 *
 * @param {'backup' | 'restore'} name
 */
export const placeCommand = (name, description) =>
  withStateDirectory(withEnvironment(command(name, description)))
    .argument('<file>', 'file of the backup, such as catalog.sql; see docs/backups.md')
    .addOption(new Option('--local', 'the service of this machine (default)').conflicts('remote'))
    .option('--remote', 'the deployed service')

/**
 * @param {Record<string, any>} options of such a command
 * @returns {Place}
 * @throws {Error} when there is no such environment
 */
export function placeOf({ env, remote = false, persistTo }) {
  readConfiguration(env)
  return { environment: env, remote, stateDirectory: path.resolve(persistTo) }
}

const localFile = ({ stateDirectory, environment }, binding) =>
  databaseFile(localResources(stateDirectory), localDatabaseIds(readConfiguration(environment)).get(binding))

export const isFile = async (file) => (await stat(file).catch(() => undefined))?.isFile() === true

/** @throws {Error} if a database has rows, or the tables of another release; changes nothing */
async function requireEmpty(read, binding) {
  const { applied, filled } = await stateOf(read)
  missingMigrations(applied, binding)
  if (filled.length === 0) return
  throw new Error(
    `${binding} already holds data (${filled.slice(0, 5).join(', ')}). Nothing was changed. ` +
      'Restore into new databases.',
  )
}

/**
 * A database of a place. A backup reads it while a service may use it. A restore fills it.
 *
 * @typedef {object} Database
 * @property {(sql: string) => Promise<any[][]>} readNow queries it as it is now
 * @property {<T>(work: (copy: import('./sqlite.mjs').Sqlite) => Promise<T>, workspaces?: string[]) => Promise<T>}
 *   withCopy calls `work` with a copy of its rows. `workspaces` are those of the database; left out for `DB`
 * @property {<T>(work: (query: import('./units.ts').Run) => Promise<T>) => Promise<T>} withQueries calls `work` with
 *   what reads it
 * @property {() => Promise<void>} requireEmpty throws if it has rows or the tables of another release
 * @property {(source: import('./sqlite.mjs').Sqlite, file: string) => Promise<void>} fill copies all rows of another
 *   database, which is in this file, into it, or none
 */

/** A local database is copied and replaced as a whole file. Nothing may use it meanwhile. @param {Place} place @returns {Database} */
function localDatabase(place, binding) {
  const file = localFile(place, binding)
  const requireFile = async () => {
    if (!(await isFile(file))) throw new Error(`There is no database ${binding} in ${place.stateDirectory}.`)
  }
  const readNow = async (sql) => {
    await requireFile()
    return withSqlite(file, ({ read }) => read(sql), { readOnly: true })
  }
  const withCopy = (work) =>
    withDirectory(async (directory) => {
      await requireFile()
      const copy = path.join(directory, 'copy.sqlite')
      await copyDatabase(file, copy)
      return withSqlite(copy, async (database) => {
        missingMigrations((await stateOf(database.read)).applied, binding)
        return work(database)
      })
    })
  const fill = async (rows) => {
    fillIndex(rows)
    await mkdir(path.dirname(file), { recursive: true })
    const unfinished = `${file}.unfinished`
    await removeAfter([unfinished], async () => {
      await rm(unfinished, { force: true })
      rows.read('VACUUM INTO ?', unfinished)
      for (const name of [`${file}-wal`, `${file}-shm`]) await rm(name, { force: true })
      await rename(unfinished, file)
    })
  }
  return {
    readNow,
    withCopy,
    withQueries: (work) => withCopy(({ query }) => work(query)),
    requireEmpty: async () => ((await isFile(file)) ? requireEmpty(readNow, binding) : undefined),
    fill,
  }
}

/** A deployed database is read in pages, into a new one with the same tables. @param {Place} place @returns {Database} */
function deployedDatabase({ environment, configuration }, binding) {
  const remote = openRemote(binding, environment, configuration)
  const requireTables = async () => {
    const { applied } = await stateOf(remote.read)
    if (applied.length === 0) throw new Error(`The database ${binding} has no tables of this service.`)
    missingMigrations(applied, binding)
    return applied
  }
  const withCopy = (work, workspaces) =>
    withDirectory(async (directory) => {
      const applied = await requireTables()
      return withSqlite(path.join(directory, 'copy.sqlite'), async (database) => {
        await migrate(database, binding, applied.at(-1))
        await withoutTriggers(database, () => copyRows(remote.query, database, workspaces))
        return work(database)
      })
    })
  const fill = async (rows, file) => {
    await remote.migrate()
    const statements = `${file}.import.sql`
    await writeImport(rows, statements)
    await remote.importFile(statements)
  }
  return {
    readNow: remote.read,
    withCopy,
    withQueries: async (work) => {
      await requireTables()
      return work(remote.query)
    },
    requireEmpty: () => requireEmpty(remote.read, binding),
    fill,
  }
}

/** @param {Place} place @param {string} binding @returns {Database} */
export const openDatabase = (place, binding) => (place.remote ? deployedDatabase : localDatabase)(place, binding)
