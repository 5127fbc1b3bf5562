import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Diff } from '#worker/catalog/schemas'
import { type Fields, newCatalog, type TestCatalog, type WriteResult } from '../../support/catalog'
import { TestHistory } from '../../support/history'
import { Mirror } from '../../support/mirror'

interface Values {
  name: string
  display_name: string | null
  aliases: string[]
  strength: string | null
  is_active: boolean
}

type State = ReadonlyMap<string, Values>

interface Write {
  kind: 'write'
  mode: 'upsert' | 'reconcile'
  records: (Values & { id: number })[]
  confirm: boolean
  maxShrink: number
}

/** The revision to restore, as a fraction of the existing ones. */
type Operation = Write | { kind: 'restore'; share: number }

const values = {
  name: fc.constantFrom('alpha', 'beta'),
  display_name: fc.constantFrom(null, 'Own'),
  aliases: fc.subarray(['x', 'y']),
  strength: fc.constantFrom(null, 'weak', 'strong'),
  is_active: fc.boolean(),
}
const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant('write'),
  mode: fc.constantFrom('upsert', 'reconcile'),
  records: fc.uniqueArray(fc.record({ id: fc.nat(6), ...values }), { maxLength: 7, selector: ({ id }) => id }),
  confirm: fc.boolean(),
  maxShrink: fc.constantFrom(0, 20, 34, 50),
})
const restore: fc.Arbitrary<Operation> = fc.record({ kind: fc.constant('restore'), share: fc.nat(99) })
const operations = fc.array(fc.oneof({ weight: 3, arbitrary: write }, { weight: 1, arbitrary: restore }), {
  minLength: 1,
  maxLength: 8,
})

/** Sorted, so that two of them can be compared. */
const textOf = (state: State): string => JSON.stringify([...state].sort())

/** The number of records that lose the value of a field, by field. */
function emptied(before: State, after: State): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [id, was] of before) {
    const now = after.get(id)!
    const lost = {
      display_name: was.display_name === 'Own' && now.display_name !== 'Own',
      aliases: was.aliases.length > 0 && now.aliases.length === 0,
      strength: was.strength !== null && now.strength === null,
    }
    for (const [field, isLost] of Object.entries(lost)) if (isLost) counts[field] = (counts[field] ?? 0) + 1
  }
  return counts
}

/** The states of a catalog, and the effect of a write on the last one: the simplest implementation of the contract. */
class Model {
  readonly states: State[] = [new Map()]

  get state(): State {
    return this.states.at(-1)!
  }

  get revision(): number {
    return this.states.length - 1
  }

  became(state: State): void {
    if (textOf(state) !== textOf(this.state)) this.states.push(state)
  }

  /** Records that did not exist yet are inactive. */
  restored(revision: number): State {
    const then = this.states[revision]!
    return new Map([...this.state].map(([id, now]) => [id, then.get(id) ?? { ...now, is_active: false }]))
  }

  written({ records, mode, confirm, maxShrink }: Write) {
    const after = new Map(this.state)
    const counts = { inserted: 0, updated: 0, reactivated: 0, unchanged: 0 }
    const sent = new Set(records.map(({ id }) => `${id}`))
    if (mode === 'reconcile')
      for (const [id, now] of this.state) if (!sent.has(id)) after.set(id, { ...now, is_active: false })
    for (const { id, ...record } of records) {
      const now = { ...record, display_name: record.display_name ?? record.name }
      const known = this.state.get(`${id}`)
      after.set(`${id}`, now)
      if (known === undefined) counts.inserted++
      else if (!known.is_active && now.is_active) counts.reactivated++
      else if (known.is_active === now.is_active) counts.updated++
      if (JSON.stringify(known) === JSON.stringify(now)) counts.unchanged++
    }
    const activeIn = (state: State) => [...state.values()].filter(({ is_active }) => is_active).length
    const gone = [...this.state].filter(([id, { is_active }]) => is_active && !after.get(id)!.is_active)
    const active = { active_before: activeIn(this.state), active_after: activeIn(after) }
    const figures = {
      ...counts,
      ...active,
      total: records.length,
      deactivated: gone.length,
      emptied: emptied(this.state, after),
    }
    return { after, figures, guarded: !confirm && gone.length * 100 > maxShrink * active.active_before }
  }
}

/** The state after the changes in this diff. */
function applied(diff: Diff, before: State): State {
  const after = new Map(before)
  for (const { id, fields = {} } of [...diff.inserted, ...diff.updated, ...diff.reactivated, ...diff.deactivated]) {
    const known = before.get(id)
    const blank: Fields = { name: null, display_name: null, aliases: [], strength: null, is_active: true }
    const record: Fields = { ...(known ?? blank) }
    for (const [field, [old, value]] of Object.entries(fields)) {
      expect(old).toEqual(known === undefined ? null : record[field])
      record[field] = value
    }
    if (known === undefined || known.display_name === known.name) record.display_name = record.name
    if (fields.display_name !== undefined) record.display_name = fields.display_name[1]
    after.set(id, record as unknown as Values)
  }
  for (const { id } of diff.reactivated) after.set(id, { ...after.get(id)!, is_active: true })
  for (const { id } of diff.deactivated) after.set(id, { ...after.get(id)!, is_active: false })
  return after
}

const stateOf = async (catalog: TestCatalog): Promise<State> =>
  new Map(
    [...(await catalog.contents())].map(([id, { name, display_name, aliases, strength, is_active }]) => [
      id,
      { name, display_name, aliases, strength, is_active } as Values,
    ]),
  )

const bodyOf = (catalog: TestCatalog, { records }: Write) =>
  records.map(({ id, is_active, ...fields }) =>
    catalog.record(`${id}`, { ...fields, ...(is_active ? {} : { is_active }) }),
  )

const STORED = ['records', 'record_versions', 'catalogs', 'uploads', 'records_search']

/** Records with a value in a field that their catalog does not count as used. */
const UNCOUNTED_FIELDS = env.DB.prepare(
  'select record_id from records join catalogs using (catalog_id) where filled & ~used_slots',
)

/** Everything stored about catalogs, including times. */
const stored = async () => {
  const read = STORED.map((table) => env.DB.prepare(`select * from ${table}`).raw())
  return (await Promise.all(read)).join('\n')
}

/** A catalog, and its expected state according to the contract. */
class Checked {
  readonly model = new Model()
  readonly history: TestHistory

  constructor(readonly catalog: TestCatalog) {
    this.history = new TestHistory(catalog)
  }

  /** Restores a revision. The dry run must predict it. */
  async restore(revision: number): Promise<void> {
    const { model, history } = this
    const after = model.restored(revision)
    const changed = [...after].filter(([id, now]) => JSON.stringify(now) !== JSON.stringify(model.state.get(id)))
    const became = (active: boolean) =>
      [...after].filter(([id, now]) => now.is_active === active && model.state.get(id)!.is_active !== active).length
    const counts = { total: changed.length, inserted: 0, reactivated: became(true), deactivated: became(false) }
    const figures = { ...counts, emptied: emptied(model.state, after) }
    const query = { confirm_shrink: true }
    const { diff, ...dry } = await history.restore(revision, { ...query, dry_run: true, include: 'diff' })
    expect(dry).toMatchObject({ ...figures, dry_run: true, revision: model.revision })
    expect(textOf(applied(diff!, model.state))).toBe(textOf(after))
    expect(dry.emptied).toEqual(figures.emptied)
    expect(await history.restore(revision, query)).toMatchObject(figures)
    if (changed.length > 0) expect(await history.lastChanges()).toHaveLength(changed.length)
    model.became(after)
    expect(textOf(await stateOf(this.catalog))).toBe(textOf(after))
  }

  /** Writes. The dry run must predict it, and must change nothing. */
  async write(operation: Write): Promise<void> {
    const { model, catalog } = this
    const { after, guarded, figures } = model.written(operation)
    const { mode, confirm: confirm_shrink, maxShrink: max_shrink } = operation
    const query = { mode, confirm_shrink, max_shrink }
    const body = bodyOf(catalog, operation)
    const before = await stored()
    const dry = await catalog.write(body, { ...query, dry_run: true, include: 'diff' })
    expect(dry).toMatchObject({ ...figures, dry_run: true, revision: model.revision })
    expect(dry.emptied).toEqual(figures.emptied)
    const { active_before, deactivated: would_deactivate } = figures
    const guard = { code: 'shrink_guard', active_before, would_deactivate }
    expect(dry.shrink_guard).toEqual(guarded ? guard : undefined)
    expect(textOf(applied(dry.diff!, model.state))).toBe(textOf(after))
    expect(dry.diff!.updated).toHaveLength(figures.updated - figures.unchanged)
    expect(await stored()).toBe(before)

    const answer = await catalog.post(body, { ...query, expected_revision: dry.revision })
    expect(answer.status).toBe(guarded ? 409 : 200)
    if (!guarded) {
      model.became(after)
      const { data } = answer.body as { data: WriteResult }
      expect(data).toMatchObject({ ...figures, dry_run: false, revision: model.revision })
    }
    expect(textOf(await stateOf(catalog))).toBe(textOf(model.state))
    expect((await catalog.list()).total).toBe(guarded ? active_before : figures.active_after)
  }
}

describe('any sequence of writes and restores', () => {
  it('has the counts of the contract, and each revision can be restored', async () => {
    const property = fc.asyncProperty(operations, async (sequence) => {
      const checked = new Checked(await newCatalog())
      const { model, catalog } = checked
      for (const operation of sequence) {
        if (operation.kind === 'restore') await checked.restore(operation.share % model.states.length)
        else await checked.write(operation)
      }
      for (let revision = model.revision; revision >= 0; revision--) await checked.restore(revision)
      expect(await UNCOUNTED_FIELDS.all()).toMatchObject({ results: [] })
      const named = [...model.state].filter(([, { name }]) => name === 'alpha').map(([id]) => id)
      expect((await catalog.ids({ q: 'alpha', show_inactive: 1 })).sort()).toEqual(named.sort())
    })
    await fc.assert(property, { numRuns: 6 })
  }, 60_000)

  it('can be mirrored without missing or additional records while clients write', async () => {
    const property = fc.asyncProperty(operations, operations, async (first, meanwhile) => {
      const catalog = await newCatalog()
      const history = new TestHistory(catalog)
      const mirror = new Mirror(history)
      const apply = async (operation: Operation) => {
        if (operation.kind === 'write')
          await catalog.write(bodyOf(catalog, operation), { mode: operation.mode, confirm_shrink: true })
        else {
          const { revision } = await history.status()
          await history.restore(operation.share % (revision + 1), { confirm_shrink: true })
        }
      }
      for (const operation of first) await apply(operation)
      const waiting = [...meanwhile]
      await mirror.follow(2, async () => {
        const operation = waiting.shift()
        if (operation) await apply(operation)
      })
      expect(mirror.contents()).toEqual(await catalog.contents())
      for (const operation of waiting) await apply(operation)
      await mirror.follow(2)
      expect(mirror.contents()).toEqual(await catalog.contents())
    })
    await fc.assert(property, { numRuns: 6 })
  }, 60_000)
})
