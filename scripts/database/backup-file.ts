/**
 * One SQL file of a backup. Its first line contains the release, the last migration and the part. Each of the following
 * lines is a statement that inserts rows. At the end, one line per table contains the number of rows and the SHA-256 of
 * their values, so that a restore detects truncated or changed files. The search index is not included: a restore
 * rebuilds it.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { version } from '../configuration.mjs'
import { describeTables, digestsOf, dumpTable, type Table } from './dump.ts'
import { MIGRATIONS, migrate, stateOf } from './migrate.ts'
import { indexStatements } from './search-index.ts'
import { type Sqlite, triggersOf, withoutTriggers } from './sqlite.ts'
import { type Digest, TABLES_OF_BACKUP } from './units.ts'

const FIRST_LINE = /^-- Dataset Catalog Service (\S+), migrations up to (\S+?)(?:, (.+))?$/
const TABLE_LINE = /^-- (\w+): (\d+) rows, sha256 (\w+)$/
const STATEMENT = /^(?:INSERT INTO|UPDATE) "\w+" /
/** Characters of a faulty line to show in a message. */
const SHOWN = 60
const LAST_LINE = '-- The end of this backup.'
/** Rows may refer to rows of later tables. */
const BEFORE_ROWS = 'PRAGMA defer_foreign_keys=TRUE;'

/** One database of a backup, and its file. */
export interface Part {
  binding: string
  file: string
}

/** Identifies a file of a backup: its database, all databases of the backup, and the start of the backup. */
export const partName = (binding: string, parts: readonly Part[], time: string | undefined): string =>
  `${binding} of ${parts.map((each) => each.binding).join(', ')} at ${time}`

/** The tables of a backup. The others are derived from them, or belong to one service. */
const tablesOf = (database: Sqlite): Table[] =>
  describeTables(database).filter(({ name }) => TABLES_OF_BACKUP.includes(name))

async function* linesOfBackup(database: Sqlite, name: string): AsyncGenerator<string> {
  const { applied } = await stateOf(database.read)
  yield `-- Dataset Catalog Service ${version}, migrations up to ${applied.at(-1)}, ${name}`
  yield BEFORE_ROWS
  const tables = tablesOf(database)
  for (const table of tables) yield* dumpTable(database, table)
  for (const [name, { rows, digest }] of digestsOf(database, tables)) yield `-- ${name}: ${rows} rows, sha256 ${digest}`
  yield LAST_LINE
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

/**
 * Writes lines to a file that only its owner can read, and flushes them to the disk, so that an older file may be
 * deleted.
 */
const writeLines = (file: string, lines: AsyncIterable<string>): Promise<void> =>
  pipeline(Readable.from(withLineEnds(lines)), createWriteStream(file, { mode: 0o600, flush: true }))

/**
 * Writes the rows of a database to a file that only its owner can read.
 *
 * @param database that nothing else changes at the same time
 * @param name of this part
 */
export const writeBackup = (database: Sqlite, file: string, name: string): Promise<void> =>
  writeLines(file, linesOfBackup(database, name))

/** The lines of a file of any size. `readline` would also split at CR, which texts may contain. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** @returns the last migration and the part of a backup @throws Error if this release cannot restore it */
function readFirstLine(line: string, file: string): { migration: string; name: string | undefined } {
  const [, release, migration, name] = FIRST_LINE.exec(line) ?? []
  if (migration !== undefined && MIGRATIONS.includes(migration)) return { migration, name }
  if (release === undefined)
    throw new Error(
      `${file} does not name its release in its first line: it is no backup of this service, one of 1.0.0, or was ` +
        'changed. Nothing was changed by this command.',
    )
  const isEarlier = Number(release.split('.')[0]) < 3
  throw new Error(
    `${file} is a backup of release ${release} (${migration}), which this release does not restore. Nothing was ` +
      `changed. ${isEarlier ? 'See docs/upgrading.md.' : 'Restore it with that release.'}`,
  )
}

function runLine(database: Sqlite, line: string, faulty: (what: string) => Error): void {
  try {
    database.run(line)
  } catch ({ message }) {
    // SQLite's message repeats a truncated token, which can be many records.
    throw faulty(message.slice(0, SHOWN))
  }
}

/**
 * Loads a backup into a new database of this machine, and migrates it to this release.
 *
 * @returns the backup and the part, as `partName`
 * @throws Error if the file was truncated or changed, or this release cannot restore it
 */
export async function loadBackup(database: Sqlite, file: string): Promise<string | undefined> {
  const faulty = (what: string) =>
    new Error(`${file} was truncated or modified after it was written: ${what}. Nothing was changed by this command.`)
  const lines = linesOf(file)
  const { migration, name } = readFirstLine((await lines.next()).value ?? '', file)
  await migrate(database, file, migration)
  const digests = new Map<string, Digest>()
  await withoutTriggers(database, async () => {
    let last = ''
    for await (const line of lines) {
      last = line
      const [, table, rows, digest = ''] = TABLE_LINE.exec(line) ?? []
      if (table !== undefined) digests.set(table, { rows: Number(rows), digest })
      else if (line === BEFORE_ROWS || STATEMENT.test(line)) runLine(database, line, faulty)
      else if (line !== LAST_LINE) throw faulty(`it has a line that no backup has, ${line.slice(0, SHOWN)}`)
    }
    if (last !== LAST_LINE) throw faulty('its end is missing')
    for (const [table, { rows, digest }] of digestsOf(database, tablesOf(database))) {
      const written = digests.get(table)
      if (written?.rows !== rows) throw faulty(`${table} has ${rows} rows and had ${written?.rows}`)
      if (written.digest !== digest) throw faulty(`the rows of ${table} are not those that it had`)
    }
  })
  await migrate(database, file)
  return name
}

/** The statements that fill the search index of a database, one catalog after another. */
const allIndexStatements = ({ read }: Sqlite): string[] =>
  read('SELECT catalog_id FROM catalogs ORDER BY catalog_id').flatMap(([id]) => indexStatements(Number(id)))

/** Fills the search index of a database of this machine. */
export function fillIndex(database: Sqlite): void {
  for (const statement of allIndexStatements(database)) database.run(statement)
}

/**
 * Writes the statements that copy all rows of a database to an empty one of this release, for `wrangler d1 execute`.
 *
 * @param file the file to write, which only its owner can read
 */
export async function writeImport(database: Sqlite, file: string): Promise<void> {
  const triggers = triggersOf(database)
  async function* lines() {
    yield BEFORE_ROWS
    yield* triggers.drop
    for (const table of tablesOf(database)) yield* dumpTable(database, table)
    yield* allIndexStatements(database)
    yield* triggers.create
  }
  await writeLines(file, lines())
}
