/** The databases of a backup or a restore: in the directory of a local service, or deployed. */
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Command, Option } from 'commander'
import { copyRows } from '../backup/copy.ts'
import { databaseNames, localDatabaseIds, readConfiguration } from '../configuration.mjs'
import { command, withEnvironment, withStateDirectory } from '../script.mjs'
import { removeAfter, withDirectory } from '../temporary-directory.mjs'
import { fillIndex, type Part, writeImport } from './backup-file.ts'
import { databaseFile, localResources } from './local.ts'
import { migrate, missingMigrations, type Read, stateOf } from './migrate.ts'
import { openRemote } from './remote.ts'
import { copyDatabase, type Sqlite, withoutTriggers, withSqlite } from './sqlite.ts'
import type { Run } from './units.ts'

export interface Place {
  remote: boolean
  /** In `wrangler.toml`; production by default. */
  environment: string | undefined
  /** Instead of `wrangler.toml`. */
  configuration?: string | undefined
  /** Directory of local databases. */
  stateDirectory: string
}

/** The files of a backup: `catalog.sql` for `DB`, `catalog.DB_2.sql` for `DB_2` and so on. */
export function partsOf({ environment, configuration }: Place, file: string): Part[] {
  const { dir, name, ext } = path.parse(file)
  return databaseNames(readConfiguration(environment, configuration)).map((binding: string) => ({
    binding,
    file: binding === 'DB' ? file : path.join(dir, `${name}.${binding}${ext}`),
  }))
}

/** A command that works on a backup and a service. Its argument is the file of the backup. */
export const placeCommand = (name: 'backup' | 'restore', description: string): Command =>
  withStateDirectory(withEnvironment(command(name, description)))
    .argument('<file>', 'file of the backup, such as catalog.sql; see docs/backups.md')
    .addOption(new Option('--local', 'the service of this machine (default)').conflicts('remote'))
    .option('--remote', 'the deployed service')

/** The options of such a command. */
interface PlaceOptions {
  env?: string
  remote?: boolean
  persistTo: string
}

/** @throws Error if the environment does not exist */
export function placeOf({ env, remote = false, persistTo }: PlaceOptions): Place {
  readConfiguration(env)
  return { environment: env, remote, stateDirectory: path.resolve(persistTo) }
}

const localFile = ({ stateDirectory, environment }: Place, binding: string): string =>
  databaseFile(localResources(stateDirectory), localDatabaseIds(readConfiguration(environment)).get(binding) ?? binding)

export const isFile = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => undefined))?.isFile() === true

/** @throws Error if a database has rows, or the tables of another release. Changes nothing */
async function requireEmpty(read: Read, binding: string): Promise<void> {
  const { applied, filled } = await stateOf(read)
  missingMigrations(applied, binding)
  if (filled.length === 0) return
  throw new Error(
    `${binding} already holds data (${filled.slice(0, 5).join(', ')}). Nothing was changed. ` +
      'Restore into new databases.',
  )
}

/** A database of a place. A backup reads it while a service may be using it. A restore fills it. */
interface Database {
  /** Queries its present state. @returns rows of values */
  readNow(sql: string): Promise<unknown[][]>
  /** Calls `work` with a copy of its rows. @param workspaces of the database; omitted for `DB` */
  withCopy<T>(work: (copy: Sqlite) => Promise<T>, workspaces?: string[]): Promise<T>
  /** Calls `work` with a reader of it. */
  withQueries<T>(work: (query: Run) => Promise<T>): Promise<T>
  /** @throws Error if it has rows or the tables of another release */
  requireEmpty(): Promise<void>
  /** Copies all rows of another database, in this file, or none. */
  fill(source: Sqlite, file: string): Promise<void>
}

/** A local database is copied and replaced as a whole file. Nothing else may use it at the same time. */
function localDatabase(place: Place, binding: string): Database {
  const file = localFile(place, binding)
  const requireFile = async () => {
    if (!(await isFile(file))) throw new Error(`There is no database ${binding} in ${place.stateDirectory}.`)
  }
  const readNow = async (sql: string) => {
    await requireFile()
    return withSqlite(file, ({ read }) => read(sql), { readOnly: true })
  }
  const withCopy = <T>(work: (copy: Sqlite) => Promise<T>): Promise<T> =>
    withDirectory(async (directory: string) => {
      await requireFile()
      const copy = path.join(directory, 'copy.sqlite')
      await copyDatabase(file, copy)
      return withSqlite(copy, async (database) => {
        missingMigrations((await stateOf(database.read)).applied, binding)
        return work(database)
      })
    })
  const fill = async (rows: Sqlite) => {
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

/** A deployed database is read in pages into a new one with the same tables. */
function deployedDatabase({ environment, configuration }: Place, binding: string): Database {
  const remote = openRemote(binding, environment, configuration)
  const requireTables = async () => {
    const { applied } = await stateOf(remote.read)
    if (applied.length === 0) throw new Error(`The database ${binding} has no tables of this service.`)
    missingMigrations(applied, binding)
    return applied
  }
  const withCopy = <T>(work: (copy: Sqlite) => Promise<T>, workspaces?: string[]): Promise<T> =>
    withDirectory(async (directory: string) => {
      const applied = await requireTables()
      return withSqlite(path.join(directory, 'copy.sqlite'), async (database) => {
        await migrate(database, binding, applied.at(-1))
        await withoutTriggers(database, () => copyRows(remote.query, database, workspaces))
        return work(database)
      })
    })
  const fill = async (rows: Sqlite, file: string) => {
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

export const openDatabase = (place: Place, binding: string): Database =>
  (place.remote ? deployedDatabase : localDatabase)(place, binding)
