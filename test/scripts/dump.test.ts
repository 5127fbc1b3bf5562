import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { describeTables, dump, type Read } from '../../scripts/database/dump.mjs'
import { newCatalog } from '../support/catalog'

const read: Read = (sql, ...parameters) =>
  env.DB.prepare(sql)
    .bind(...parameters)
    .raw()

/** The longest statement that D1 takes, in bytes. */
const D1_STATEMENT_BYTES = 100_000

async function dumped(): Promise<string[]> {
  const statements: string[] = []
  for await (const statement of dump(read, await describeTables(read))) statements.push(statement)
  return statements
}

const rowsOf = async (table: string) =>
  (await env.DB.prepare(`select * from ${table} order by 1`).all()).results

it('the statements of a backup are lines that D1 takes, and make every row again', async () => {
  const catalog = await newCatalog()
  const odd = [
    "it's; -- not a comment",
    'two\nlines and \\n',
    'a \r return, \u2028',
    'ünïcödé 🧪',
    '"double" `tick`',
  ]
  await catalog.write(odd.map((name, number) => catalog.record(`odd ${number}`, { name })))
  // More text than one statement may have, with surrogate pairs and quotes at the cuts.
  const alias = "🧪'".repeat(60)
  const aliases = Array.from({ length: 480 }, (_, number) => `${number} ${alias}`)
  await catalog.write([catalog.record('long', { aliases })])

  const statements = await dumped()
  expect(statements.every((each) => each.indexOf('\n') === each.length - 1)).toBe(true)
  const encoder = new TextEncoder()
  expect(Math.max(...statements.map((each) => encoder.encode(each).length))).toBeLessThan(D1_STATEMENT_BYTES)
  // The long record is in parts; the others share a statement.
  expect(statements.filter((each) => each.startsWith('UPDATE "records"')).length).toBeGreaterThan(1)
  expect(statements.filter((each) => each.startsWith('INSERT INTO "records"')).length).toBeLessThan(4)

  const before = await rowsOf('records')
  await env.DB.batch(['records', 'records_search'].map((table) => env.DB.prepare(`delete from ${table}`)))
  const records = statements.filter((each) => /^(INSERT INTO|UPDATE) "?records/.test(each))
  await env.DB.batch(records.map((each) => env.DB.prepare(each)))
  expect(await rowsOf('records')).toEqual(before)
  expect((await catalog.list({ q: 'surrogate' })).total).toBe(0)
  expect((await catalog.list({ q: 'ünïcödé' })).total).toBe(1)
})

it('every table of the service is in a backup, and nothing that D1 keeps for itself', async () => {
  const tables = (await describeTables(read)).map(({ name }) => name)
  expect(tables).toEqual(expect.arrayContaining(['workspaces', 'clients', 'members', 'uploads', 'records']))
  expect(tables.filter((name) => /^(_cf|sqlite|d1_|records_search)/.test(name))).toEqual([])
})
