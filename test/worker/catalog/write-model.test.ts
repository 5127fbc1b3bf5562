import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fields, newCatalog, type TestCatalog, type WriteResult } from '../../support/catalog'

interface Sent {
  id: number
  strength: string | null
  is_active: boolean
}

interface Request {
  records: Sent[]
  mode: 'upsert' | 'reconcile'
  confirm: boolean
  maxShrink: number
}

/** A catalog as in the contract, in the simplest form. */
class Model {
  readonly records = new Map<string, { strength: string | null; is_active: boolean }>()
  revision = 0

  active(): number {
    return [...this.records.values()].filter((record) => record.is_active).length
  }

  /** The expected answer of the write; `null` when the shrink guard stops it. Also writes, unless it is a dry run. */
  write({ records, mode, confirm, maxShrink }: Request, commit: boolean) {
    const sentIds = new Set(records.map(({ id }) => `${id}`))
    const leftOut = [...this.records].filter(([id, { is_active }]) => is_active && !sentIds.has(id))
    const missing = mode === 'reconcile' ? leftOut : []
    const active_before = this.active()
    let emptied = 0
    const counts = { inserted: 0, updated: 0, reactivated: 0, unchanged: 0 }
    const after = new Map(this.records)
    for (const [id, record] of missing) after.set(id, { ...record, is_active: false })
    for (const { id, strength, is_active } of records) {
      const known = this.records.get(`${id}`)
      if (!known) counts.inserted++
      else if (!known.is_active && is_active) counts.reactivated++
      if (known?.strength && strength === null) emptied++
      if (known && known.is_active === is_active) {
        counts.updated++
        if (known.strength === strength) counts.unchanged++
      }
      after.set(`${id}`, { strength, is_active })
    }
    const changes = records.length - counts.unchanged + missing.length
    const active_after = [...after.values()].filter((record) => record.is_active).length
    const deactivated = [...this.records].filter(([id, { is_active }]) => is_active && !after.get(id)!.is_active).length
    const guarded = !confirm && deactivated * 100 > maxShrink * active_before
    if (commit && !guarded) {
      this.records.clear()
      for (const [id, record] of after) this.records.set(id, record)
      if (changes > 0) this.revision++
    }
    const figures = { ...counts, total: records.length, deactivated, active_before, active_after }
    return { figures, guarded, emptied: emptied > 0 ? { strength: emptied } : {} }
  }
}

const requests: fc.Arbitrary<Request[]> = fc.array(
  fc.record({
    records: fc.uniqueArray(
      fc.record({
        id: fc.nat(7),
        strength: fc.constantFrom(null, 'weak', 'strong'),
        is_active: fc.boolean(),
      }),
      { maxLength: 8, selector: ({ id }) => id },
    ),
    mode: fc.constantFrom('upsert' as const, 'reconcile' as const),
    confirm: fc.boolean(),
    maxShrink: fc.constantFrom(0, 20, 34, 50),
  }),
  { minLength: 1, maxLength: 7 },
)

const STORED = {
  records: 'select * from records order by row_id',
  record_versions: 'select * from record_versions order by catalog_id, ended_at, row_id',
  catalogs: 'select * from catalogs order by catalog_id',
  uploads: 'select * from uploads where written_at is not null order by rowid',
  records_search: 'select rowid, * from records_search order by rowid',
}

/** Everything that is stored of the catalog, with the times. */
const stored = async () =>
  Promise.all(Object.values(STORED).map(async (query) => (await env.DB.prepare(query).raw()).join('\n')))

const bodyOf = (catalog: TestCatalog, { records }: Request): Fields[] =>
  records.map(({ id, strength, is_active }) =>
    catalog.record(`${id}`, { strength, ...(is_active ? {} : { is_active }) }),
  )

describe('any sequence of writes', () => {
  it('counts as in the contract; a dry run gives the same numbers and writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const catalog = await newCatalog()
        const model = new Model()
        for (const request of sequence) {
          const { mode, confirm: confirm_shrink, maxShrink: max_shrink } = request
          const query = { mode, confirm_shrink, max_shrink }
          const body = bodyOf(catalog, request)
          const { figures: expected, guarded, emptied } = model.write(request, false)
          const before = await stored()
          const dry = await catalog.write(body, { ...query, dry_run: true })
          expect(dry).toMatchObject({ ...expected, dry_run: true, revision: model.revision })
          expect(dry.emptied).toEqual(emptied)
          const { active_before, deactivated: would_deactivate } = expected
          expect(dry.shrink_guard).toEqual(
            guarded ? { code: 'shrink_guard', active_before, would_deactivate } : undefined,
          )
          expect(await stored()).toEqual(before)

          const answer = await catalog.post(body, { ...query, expected_revision: dry.revision })
          expect(answer.status).toBe(guarded ? 409 : 200)
          model.write(request, true)
          if (guarded) expect(await stored()).toEqual(before)
          else {
            const result = (answer.body as { data: WriteResult }).data
            expect(result).toMatchObject({ ...expected, dry_run: false, revision: model.revision })
          }
        }
        const contents = [...(await catalog.contents())].map(([id, { strength, is_active }]) => [
          id,
          { strength, is_active },
        ])
        expect(new Map(contents as [string, Fields][])).toEqual(model.records)
        expect((await catalog.list()).total).toBe(model.active())
      }),
      { numRuns: 8 },
    )
  }, 60_000)
})
