import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { codeTextMaker } from '#shared/records/search/search-text'
import { storedValues } from '#shared/records/stored-form'
import { newCatalog } from '../../../support/catalog'
import { execute } from '../../../support/databases'
import { TestHistory } from '../../../support/history'

interface Stored {
  record_id: string
  catalog_id: number
  row_id: number
  is_active: number
  data: string
  codes: string
}

/** Reads the tokens of the index with the row id of each record that holds them. */
const ENTRIES = `create virtual table if not exists records_entries using fts5vocab('records_search', 'instance')`

/** Requires that each record has its codes, and is in the index under each of them and under no other one. */
async function expectOwnCodes(type: RecordTypeName): Promise<void> {
  const { results: stored } = await env.DB.prepare('select * from records').all<Stored>()
  await execute(ENTRIES)
  const { results: entries } = await env.DB.prepare('select doc, term from records_entries order by doc, term').all<{
    doc: number
    term: string
  }>()
  const codesOf = codeTextMaker(recordTypes[type])
  for (const { record_id, catalog_id, row_id, is_active, data, codes } of stored) {
    const values = storedValues(recordTypes[type], data)
    expect(codes).toBe(codesOf({ ...values, [recordTypes[type].idField]: record_id }))
    const start = `${catalog_id}${is_active === 1 ? '' : 'x'}d`
    const isCode = (term: string) => /^\d+x?d/.test(term)
    const own = entries.filter(({ doc, term }) => doc === row_id && isCode(term))
    const tokens = codes.split('\n').filter((code) => code !== '')
    expect(own.map(({ term }) => term)).toEqual([...new Set(tokens.map((code) => start + code))].sort())
  }
}

it('the codes of records are those that the records have now, after any writes and restores', async () => {
  const code = fc.constantFrom(null, 'a', 'A', 'b', 'Ä', 'ä', 'a  b', 'a b', '\u0301', 'ИН', 'x'.repeat(64))
  const record = fc.record({
    medication_id: fc.constantFrom('one', 'TWO', 'Three', 'vier ü', 'Fi  ve', '\u0301'),
    name: fc.constantFrom('N', 'M'),
    sku: code,
    generic_id: code,
    generic_list_ids: fc.array(
      code.filter((item) => item !== null),
      { maxLength: 3 },
    ),
    is_active: fc.boolean(),
  })
  const writes = fc.array(
    fc.record({
      records: fc.uniqueArray(record, { maxLength: 4, selector: ({ medication_id }) => medication_id }),
      mode: fc.constantFrom('upsert', 'reconcile'),
      restores: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(writes, async (requests) => {
      const catalog = await newCatalog()
      const history = new TestHistory(catalog)
      for (const { records, mode, restores } of requests) {
        await catalog.write(records, { mode, confirm_shrink: true })
        const { revision } = await history.status()
        if (restores && revision > 1) await history.restore(revision - 1, { confirm_shrink: true })
        await expectOwnCodes('medication')
      }
    }),
    { numRuns: 10 },
  )
})
