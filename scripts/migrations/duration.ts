/** Estimates how long migrations take on a large database, from a smaller one. */
import { describeTables, quotedName } from '../database/dump.ts'
import { openSqlite, type Sqlite, triggersOf } from '../database/sqlite.ts'

/** Rows of each table of the measured database, and of the large database. */
const ROWS = 20_000
const LARGE_ROWS = 1_000_000

/** D1 aborts a migration after 30 seconds, and may be three times slower than this machine. */
const MOST_SECONDS = 10

export type Migration = readonly [name: string, text: string]

/** Fills each table with distinct rows without meaning. Texts are JSON, for migrations that parse it. */
function fill(database: Sqlite): void {
  const triggers = triggersOf(database)
  database.run(`PRAGMA foreign_keys = OFF;\n${triggers.drop.join('\n')}`)
  for (const { name, columns } of describeTables(database)) {
    const types = new Map(
      database.read(`SELECT name, type FROM pragma_table_info('${name}')`).map(([column, type]) => [column, type]),
    )
    const values = columns.map((column) => (/int/i.test(String(types.get(column))) ? 'n' : `'["text ' || n || '"]'`))
    database.run(
      `WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
        INSERT OR IGNORE INTO ${quotedName(name)} (${columns.map(quotedName)}) SELECT ${values} FROM numbers;`,
    )
  }
  database.run(triggers.create.join('\n'))
}

/**
 * @param migrations in order; the first one creates the tables
 * @returns those after the first that take too long or cannot be applied
 */
export function durationErrors([baseline, ...later]: readonly Migration[]): string[] {
  if (baseline === undefined || later.length === 0) return []
  const database = openSqlite()
  database.run(baseline[1])
  fill(database)
  return later.flatMap(([name, text]) => {
    const started = performance.now()
    try {
      database.run(text)
    } catch ({ message }) {
      return [`${name}: ${message}`]
    }
    const seconds = ((performance.now() - started) / 1000) * (LARGE_ROWS / ROWS)
    return seconds > MOST_SECONDS
      ? [`${name}: takes about ${Math.round(seconds)} seconds on a million records; move data in the scheduled run`]
      : []
  })
}
