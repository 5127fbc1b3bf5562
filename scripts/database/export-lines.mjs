/**
 * Brings the lines of `wrangler d1 export` into the form of `dump.mjs`: each names its columns, and a row that is too
 * long for one statement becomes several.
 */
import { longRow, MAX_STATEMENT_BYTES, quotedName } from './dump.mjs'
import { parseInsert, textOf } from './statements.mjs'

const plain = (literal) =>
  literal.startsWith('replace(') ? `'${textOf(literal).replaceAll("'", "''")}'` : literal

/**
 * @param {AsyncIterable<string>} lines
 * @param {import('./dump.mjs').Table[]} tables
 */
export async function* exportedStatements(lines, tables) {
  for await (const line of lines) {
    const table = tables.find(({ name }) => line.startsWith(`INSERT INTO ${quotedName(name)}`))
    if (!table) {
      yield line
      continue
    }
    const { columns = table.columns, rows } = parseInsert(line)
    for (const literals of rows) {
      const head = `INSERT INTO ${quotedName(table.name)} (${columns.map(quotedName).join(', ')}) VALUES `
      const statement = `${head}(${literals.join(',')});`
      if (Buffer.byteLength(statement) <= MAX_STATEMENT_BYTES) yield statement
      else yield* longRow({ ...table, columns }, literals.map(plain))
    }
  }
}
