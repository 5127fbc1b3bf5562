import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { codesOf } from '#shared/records/stored-form'
import { addCodes } from '#worker/search/index/add-codes'
import { foldCode, foldCodes } from '#worker/search/index/fold-codes'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { runScheduled } from '../../../../src/worker/scheduled'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { moveToTheEnd, rowsIn, several } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { idsFound } from '../../../support/searches'

const DAY_MS = 24 * 60 * 60 * 1000

const rows = async <T>(sql: string, database = env.DB) => (await database.prepare(sql).all<T>()).results

const database = () => catalogDatabase(env, 'DB', new Meter())

interface Stored {
  row_id: number
  record_id: string
  is_active: number
  updated_at: number
  data: string
}

/** An id that SQL finds in the index of ids. */
const isPlain = (id: string): boolean =>
  [id.toLowerCase(), id.toUpperCase()].includes(id) && /^[!-~]+(?: [!-~]+)*$/.test(id)

/** The codes that the records should have, as `row code`. */
async function expectedCodes({ type }: TestCatalog, of = env.DB): Promise<string[]> {
  const stored = await rows<Stored>('select * from records', of)
  const codes = stored.flatMap((row) =>
    codesOf(recordTypes[type], row).flatMap((code, n) => {
      const folded = foldCode(code)
      return folded === '' || (n === 0 && isPlain(code)) ? [] : [`${row.row_id} ${folded}`]
    }),
  )
  return [...new Set(codes)].sort()
}

async function storedCodes(of = env.DB): Promise<string[]> {
  const codes = await rows<{ row_id: number; code: string }>('select row_id, code from record_codes', of)
  return codes.map(({ row_id, code }) => `${row_id} ${code}`).sort()
}

describe('the codes of records', () => {
  it('are those that the records have now, after any writes and restores', async () => {
    const code = fc.constantFrom(null, 'a', 'A', 'b', 'Ä', 'ä', 'a  b', 'a b', '\u0301', 'ИН', 'x'.repeat(64))
    const record = fc.record({
      medication_id: fc.constantFrom('one', 'TWO', 'Three', 'vier ü', 'Fi  ve'),
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
          expect(await storedCodes()).toEqual(await expectedCodes(catalog))
        }
      }),
      { numRuns: 25 },
    )
  })

  it.each(RECORD_TYPES)(
    'of a %s follow each field that is a code, and no other one touches them',
    async (type) => {
      const catalog = await newCatalog(type)
      const texts = recordTypes[type].fields.filter(
        ({ kind, slot }) => slot !== null && (kind === 'string' || kind === 'list'),
      )
      /** A record for each field, in which that field has another value than in the others. */
      const recordsWith = (value: string, fields = texts) =>
        fields.map(({ name: own }) => {
          const values = texts.map(({ name, kind }) => {
            const text = `${name} ${name === own ? value : '-'}`
            return [name, kind === 'list' ? [text] : text]
          })
          return catalog.record(own, Object.fromEntries(values))
        })
      await catalog.write(recordsWith('A'))
      await catalog.write(recordsWith('B'))
      expect(await storedCodes()).toEqual(await expectedCodes(catalog))
      await env.DB.prepare(
        "create trigger untouched before delete on record_codes begin select raise(abort, 'touched'); end",
      ).run()
      const others = texts.filter(({ isCode }) => !isCode)
      const { updated, unchanged } = await catalog.write(recordsWith('C', others))
      expect(updated - unchanged).toBe(others.length)
    },
  )

  const FOREIGN = 1203

  /** More foreign codes than one step folds, as an earlier release leaves them. */
  async function unfoldedCatalog() {
    const catalog = await newCatalog()
    await catalog.write(catalog.records(FOREIGN, (n) => ({ sku: `ИН-${n}` })))
    await env.DB.batch(
      ['delete from record_codes', 'insert into record_code_values select * from record_code_values'].map(
        (sql) => env.DB.prepare(sql),
      ),
    )
    return catalog
  }

  it('of records that an earlier release inserts are added by the next scheduled run', async () => {
    const catalog = await newCatalog()
    await catalog.write([catalog.record('1', { sku: 'S-1' })])
    await env.DB.batch(
      [
        `insert into records (row_id, catalog_id, record_id, is_active, updated_at, place, state_before, text_changed,
            name_length, search_text, data)
          select row_id + 1, catalog_id, '2', 1, updated_at, 1, 0, 1, 1, char(10) || 'n' || char(10),
            '["N",0,0,null,0,0,0,0,0,0,"S-2"]' from records`,
        'update catalogs set next_number = next_number + 1, total_records = 2, active_records = 2, revision = 2',
      ].map((sql) => env.DB.prepare(sql)),
    )
    expect(await idsFound(catalog, 's-2')).toEqual([])
    await catalog.write([catalog.record('3', { sku: 'S-3' })])
    expect(await idsFound(catalog, 's-3')).toEqual(['3'])
    await runScheduled(env, new Date())
    expect(await idsFound(catalog, 's-2')).toEqual(['2'])
    expect(await storedCodes()).toEqual(await expectedCodes(catalog))
    expect(await rowsIn('DB', 'uncoded_catalogs')).toBe(0)
  })

  it('that an earlier release wrote are folded by the next scheduled run', async () => {
    const catalog = await unfoldedCatalog()
    // A search is remembered, but not for longer than it is right.
    expect(await idsFound(catalog, 'ин-1200')).toEqual([])
    expect(await foldCodes(database())).toBe(2)
    expect(await idsFound(catalog, 'ин-1200')).toEqual(['r1200'])
    expect(await rows('select 1 from record_codes where folding <> 2')).toEqual([])
    await runScheduled(env, new Date())
    expect(await storedCodes()).toEqual(await expectedCodes(catalog))
  })

  it('that are folded while their record changes are those of the change', async () => {
    const catalog = await unfoldedCatalog()
    let changes = 1
    const racing = new Proxy(database(), {
      get: (target, name, receiver) => {
        if (name !== 'retrying') return Reflect.get(target, name, receiver)
        return async (write: () => Promise<unknown>) => {
          // Between the reading of the codes and the writing of their folded forms.
          if (changes-- > 0) await catalog.write([catalog.record('r5', { sku: 'new' })])
          return target.retrying(write)
        }
      },
    })
    await foldCodes(racing)
    expect(await storedCodes()).toEqual(await expectedCodes(catalog))
  })

  it('move with their records, and leave nothing behind', async () => {
    const catalog = await newCatalog()
    await catalog.write(catalog.records(30, (n) => ({ sku: `Sku-${n}`, generic_id: `Ä${n}` })))
    const id = catalog.workspace.workspaceId
    await moveToTheEnd(id, 'DB_2')
    await foldCodes(catalogDatabase(several, 'DB_2', new Meter()))
    expect(await storedCodes(env.DB_2)).toEqual(await expectedCodes(catalog, env.DB_2))
    expect(await idsFound(catalog, 'sku-7')).toEqual(['r7'])
    await runScheduled(several, new Date(Date.now() + DAY_MS + 60_000))
    expect(await rowsIn('DB', 'record_codes')).toBe(0)
  })

  it('are found by the id, and by codes of a new record, beside a value that is nested too deeply for SQL', async () => {
    const catalog = await newCatalog()
    const refid = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)
    await catalog.write([catalog.record('Id-1', { sku: 'S-1', refid })])
    expect(await idsFound(catalog, 's-1')).toEqual(['Id-1'])
    await catalog.write([catalog.record('Id-1', { sku: 'S-2', refid })])
    expect(await idsFound(catalog, 's-1')).toEqual([])
    expect(await idsFound(catalog, 'id-1')).toEqual(['Id-1'])
  })

  it('of a deleted catalog are deleted, whoever deletes it', async () => {
    const catalog = await newCatalog()
    await catalog.write(catalog.records(3, (n) => ({ sku: `S${n}` })))
    await env.DB.batch(
      ['insert into uncoded_catalogs select catalog_id, 0 from catalogs', 'delete from catalogs'].map((sql) =>
        env.DB.prepare(sql),
      ),
    )
    expect(await rowsIn('DB', 'record_codes')).toBe(0)
    expect(await rowsIn('DB', 'uncoded_catalogs')).toBe(0)
  })
})

it('an upgrade adds the codes of all records, in steps of the scheduled run', async () => {
  const [first, second] = [await newCatalog(), await newCatalog('diagnosis')]
  await first.write(first.records(4500, (n) => ({ name: 'N', sku: `S${n}` })))
  await second.write(second.records(3, (n) => ({ icd10: `E${n}`, snomed_id: `Ä${n}` })))
  const codes = await storedCodes()
  // As the previous release leaves the database.
  const drops = await rows<{ sql: string }>(`select 'drop ' || type || ' ' || name as sql from sqlite_master
    where name in ('record_codes', 'uncoded_catalogs', 'record_code_values', 'uncoded_records')
      or (type = 'trigger' and name in ('catalogs_uncoded', 'records_code_changed', 'catalogs_codes'))
    order by type = 'table', type = 'view'`)
  const statements = [
    ...drops.map(({ sql }) => sql),
    "delete from d1_migrations where name in ('0072_record_codes.sql', '0076_code_changes.sql')",
  ]
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

  expect(await idsFound(first, 's4499')).toEqual([])
  // A write in between has its codes at once.
  await first.write([first.record('new', { sku: 'S-new' })])
  expect(await idsFound(first, 's-new')).toEqual(['new'])
  expect(await addCodes(database())).toBe(6)
  expect(await addCodes(database())).toBe(0)
  await foldCodes(database())
  expect(await idsFound(first, 's4499')).toEqual(['r4499'])
  expect(await idsFound(second, 'a2')).toEqual(['r2'])
  expect((await storedCodes()).filter((code) => !code.endsWith('s-new'))).toEqual(codes)
})
