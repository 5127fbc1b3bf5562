/**
 * Puts the statements of a backup into a database: in large batches, each a transaction. Tables to which others refer
 * come first.
 */
import { createReadStream } from 'node:fs'
import { quotedName } from './dump.mjs'
import { compilable, tableOf } from './statements.mjs'

/** Characters of the statements of one batch. */
const BATCH_CHARACTERS = 2_000_000
/** D1 takes up to 1,000 statements for one call of a Worker. */
const BATCH_STATEMENTS = 500

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

/**
 * Orders tables so that each comes after the tables to which it refers.
 *
 * @param {Map<string, Set<string>>} references the tables to which each table refers
 * @returns {string[][]} tables that can be filled together, level by level
 */
export function levels(references) {
  const left = new Map(references)
  const ordered = []
  while (left.size > 0) {
    const free = [...left].filter(([name, to]) =>
      [...to].every((other) => other === name || !left.has(other)),
    )
    // No order is right for tables that refer to each other.
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...left.keys()].join(', ')}`)
    ordered.push(free.map(([name]) => name))
    for (const [name] of free) left.delete(name)
  }
  return ordered
}

/** Groups statements for batches. */
async function* batched(statements) {
  let batch = []
  let characters = 0
  for await (const statement of statements) {
    if (
      batch.length === BATCH_STATEMENTS ||
      (batch.length > 0 && characters + statement.length > BATCH_CHARACTERS)
    ) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(statement)
    characters += statement.length
  }
  if (batch.length > 0) yield batch
}

async function* only(statements, applies) {
  for await (const statement of statements) {
    const table = tableOf(statement)
    if (table !== undefined && applies(table)) yield* compilable(statement)
  }
}

/**
 * Loads a backup without its triggers running, because they have already done their work on these rows.
 *
 * @param {{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void> }} database
 * @param {() => AsyncIterable<string>} open returns the statements of the backup from the beginning, on each call
 * @param {import('./dump.mjs').Table[]} tables
 */
export async function load(database, open, tables) {
  const references = new Map()
  for (const { name } of tables) {
    const rows = await database.read('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)', name)
    references.set(name, new Set(rows.map(([other]) => other)))
  }
  const triggers = await database.read("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
  if (triggers.length > 0) await database.batch(triggers.map(([name]) => `DROP TRIGGER ${quotedName(name)}`))
  const ordinary = levels(references).map((level) => (table) => level.includes(table))
  // The rest comes last: it is the full-text index, which is filled from the tables.
  const passes = [...ordinary, (table) => !references.has(table)]
  for (const applies of passes) {
    for await (const batch of batched(only(open(), applies))) await database.batch(batch)
  }
  if (triggers.length > 0) await database.batch(triggers.map(([, sql]) => sql))
}
