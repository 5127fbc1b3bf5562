import { expect, it } from 'vitest'
import { describeTables } from '../../scripts/database/dump.mjs'
import { exportedStatements } from '../../scripts/database/export-lines.mjs'
import { openSqlite } from '../../scripts/database/sqlite.mjs'
import { parseInsert, textOf } from '../../scripts/database/statements.mjs'
import { exportedText } from './cloudflare.mjs'

/** The longest statement that D1 takes, in bytes. */
const D1_STATEMENT_BYTES = 100_000

const LONG = "🧪 it's, (a) long\ntext\r\n".repeat(12_000)

it('rows of a remote export that are too long for a statement are cut, and make the same rows again', async () => {
  const database = openSqlite()
  await database.batch([
    'CREATE TABLE notes (id TEXT NOT NULL, n INTEGER PRIMARY KEY, note TEXT, other TEXT)',
  ])
  const tables = await describeTables(database.read)
  const rows = [
    ['short', 1, "x'), ('y", null],
    ["it's long", 2, LONG, 'after it'],
  ]
  const values = rows.map(([id, n, note, other]) =>
    [exportedText(id), n, exportedText(note), other === null ? 'NULL' : exportedText(other)].join(','),
  )
  async function* lines() {
    yield 'PRAGMA defer_foreign_keys=TRUE;'
    yield `INSERT INTO "notes" VALUES(${values[0]});`
    yield `INSERT INTO "notes" ("id","n","note","other") VALUES(${values[1]});`
  }
  const statements = []
  for await (const statement of exportedStatements(lines(), tables)) statements.push(statement)
  expect(statements.length).toBeGreaterThan(4)
  expect(statements.filter((each) => each.includes('\n'))).toEqual([])
  expect(Math.max(...statements.map((each) => Buffer.byteLength(each)))).toBeLessThan(D1_STATEMENT_BYTES)
  for (const statement of statements) await database.batch([statement])
  expect(await database.read('SELECT * FROM notes ORDER BY n')).toEqual(rows)
})

it('a statement is read with its table, columns and literals', () => {
  const statement = `INSERT INTO "t" ("a", "b") VALUES ('it''s, (x)',1),(replace('a\\nb','\\n',char(10)),NULL);`
  const { table, columns, rows } = parseInsert(statement)
  expect({ table, columns }).toEqual({ table: 't', columns: ['a', 'b'] })
  expect(rows.map((row) => row.map(textOf))).toEqual([
    ["it's, (x)", '1'],
    ['a\nb', 'NULL'],
  ])
  expect(parseInsert('UPDATE "t" SET "a" = 1;')).toBeUndefined()
  expect(() => parseInsert(`INSERT INTO "t" VALUES ('cut`)).toThrow('cut off')
})
