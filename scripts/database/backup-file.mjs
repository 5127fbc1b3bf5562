/**
 * One SQL file of a backup. Its first line names the release and the last migration, each of the next ones is a statement
 * that inserts rows. At its end, each table has a line with its number of rows and the SHA-256 of its statements, so
 * that a restore notices a file that was cut or changed. The full-text index is not in it: a restore fills it again.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { version } from '../configuration.mjs'
import { describeTables, dumpTable, quotedName } from './dump.mjs'
import { MIGRATIONS, migrate, stateOf } from './migrate.mjs'
import { searchIndex } from './search-index.mjs'
import { triggersOf } from './sqlite.mjs'

const FIRST_LINE = /^-- Dataset Catalog Service (\S+), migrations up to (\S+)$/
const TABLE_LINE = /^-- (\w+): (\d+) rows, sha256 (\w+)$/
const LAST_LINE = '-- The end of this backup.'
/** Refers to rows of tables that come later. */
const BEFORE_ROWS = 'PRAGMA defer_foreign_keys=TRUE;'

const tableOf = (statement) => /^(?:INSERT INTO|UPDATE) "(\w+)"/.exec(statement)?.[1]

const countRows = ({ read }, table) => read(`SELECT count(*) FROM ${quotedName(table)}`)[0][0]

/** @param {import('./sqlite.mjs').Sqlite} database */
async function* linesOfBackup(database) {
  const { applied } = await stateOf(database.read)
  yield `-- Dataset Catalog Service ${version}, migrations up to ${applied.at(-1)}`
  yield BEFORE_ROWS
  const ends = []
  for (const table of describeTables(database)) {
    const hash = createHash('sha256')
    for (const statement of dumpTable(database, table)) {
      hash.update(statement)
      yield statement
    }
    ends.push(`-- ${table.name}: ${countRows(database, table.name)} rows, sha256 ${hash.digest('hex')}`)
  }
  yield* ends
  yield LAST_LINE
}

async function* withLineEnds(lines) {
  for await (const line of lines) yield `${line}\n`
}

/** Writes lines to a file that only its owner can read. */
const writeLines = (file, lines) =>
  pipeline(Readable.from(withLineEnds(lines)), createWriteStream(file, { mode: 0o600 }))

/**
 * Writes the rows of a database to a file that only its owner can read.
 *
 * @param {import('./sqlite.mjs').Sqlite} database which nothing else changes meanwhile
 * @param {string} file
 */
export const writeBackup = (database, file) => writeLines(file, linesOfBackup(database))

/**
 * The lines of a file of any size. `readline` also ends lines at CR, which texts may hold.
 *
 * @param {string} file
 */
export async function* linesOf(file) {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    yield* lines
  }
  if (rest !== '') yield rest
}

/** @returns the last migration of a backup @throws {Error} when another release wrote it, which this one cannot restore */
function migrationOf(line, file) {
  const [, release, migration] = FIRST_LINE.exec(line) ?? []
  if (MIGRATIONS.includes(migration)) return migration
  if (release === undefined)
    throw new Error(
      `${file} does not name its release: it is no backup of this service, or of 1.0.0. Nothing was changed.`,
    )
  const isEarlier = Number(release.split('.')[0]) < 3
  throw new Error(
    `${file} is a backup of release ${release} (${migration}), which this release does not restore. Nothing was ` +
      `changed. ${isEarlier ? 'See docs/upgrading.md.' : 'Restore it with that release.'}`,
  )
}

/**
 * Loads a backup into a new database of this machine, and brings that up to this release.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @param {string} file
 * @throws {Error} when the file was cut or changed, or this release cannot restore it
 */
export async function loadBackup(database, file) {
  const faulty = (what) =>
    new Error(`${file} was cut or changed since it was written: ${what}. Nothing was changed by this command.`)
  const lines = linesOf(file)
  await migrate(database, file, migrationOf((await lines.next()).value ?? '', file))
  const triggers = triggersOf(database)
  const hashes = new Map(describeTables(database).map(({ name }) => [name, createHash('sha256')]))
  const ends = new Map()
  let last = ''
  await database.transaction(async () => {
    database.run(triggers.drop.join('\n'))
    database.run(BEFORE_ROWS)
    for await (const line of lines) {
      last = line
      const [, name, rows, digest] = TABLE_LINE.exec(line) ?? []
      if (name !== undefined) ends.set(name, { rows: Number(rows), digest })
      if (line.startsWith('-- ') || line === BEFORE_ROWS) continue
      const hash = hashes.get(tableOf(line))
      if (hash === undefined) throw faulty(`it has a line that no backup has, ${line.slice(0, 60)}`)
      hash.update(line)
      try {
        database.run(line)
      } catch ({ message }) {
        throw faulty(message)
      }
    }
    if (last !== LAST_LINE) throw faulty('its end is missing')
    for (const [table, hash] of hashes) {
      const { rows, digest } = ends.get(table) ?? {}
      const present = countRows(database, table)
      if (rows !== present) throw faulty(`${table} has ${present} rows and had ${rows}`)
      if (digest !== hash.digest('hex')) throw faulty(`the rows of ${table} are not those that it had`)
    }
    database.run(triggers.create.join('\n'))
  })
  await migrate(database, file)
}

/** The statements that fill the full-text index of a database. */
const indexStatements = ({ read }) => searchIndex(async (sql) => read(sql).map(([catalog_id]) => ({ catalog_id })))

/** Fills the full-text index of a database of this machine. @param {import('./sqlite.mjs').Sqlite} database */
export async function fillIndex(database) {
  for await (const statement of indexStatements(database)) database.run(statement)
}

/**
 * Writes the statements that bring all rows of a database into an empty one of this release, for `wrangler d1 execute`.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @param {string} file that only its owner can read
 */
export async function writeImport(database, file) {
  const triggers = triggersOf(database)
  async function* lines() {
    yield BEFORE_ROWS
    yield* triggers.drop
    for (const table of describeTables(database)) yield* dumpTable(database, table)
    yield* indexStatements(database)
    yield* triggers.create
  }
  await writeLines(file, lines())
}

/**
 * The number of rows of each table of a database, and the SHA-256 of their content.
 *
 * @param {import('./sqlite.mjs').Sqlite} database
 * @returns {Map<string, { rows: number, digest: string }>} by table
 */
export const digestsOf = (database) =>
  new Map(
    describeTables(database).map((table) => {
      const hash = createHash('sha256')
      for (const statement of dumpTable(database, table)) hash.update(statement)
      return [table.name, { rows: countRows(database, table.name), digest: hash.digest('hex') }]
    }),
  )
