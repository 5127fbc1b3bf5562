import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DiffEntry } from '#worker/catalog/schemas'
import { type Fields, newCatalog, type WriteResult } from '../../support/catalog'

const values: fc.Arbitrary<Fields> = fc.record(
  {
    name: fc.constantFrom('One', 'Two'),
    display_name: fc.constantFrom('One', 'Two', 'Own', null),
    aliases: fc.subarray(['x', 'y']),
    otc: fc.constantFrom(true, false, null),
    is_active: fc.boolean(),
    refid: fc.constantFrom('r', 7, { a: [1] }, null),
  },
  { requiredKeys: ['name'] },
)
const contents = fc
  .uniqueArray(fc.tuple(fc.nat(7), values), { maxLength: 8, selector: ([id]) => id })
  .map((list) => list.map(([id, fields]) => ({ medication_id: `${id}`, ...fields })))

/** A record with the fields of its update applied. If neither side has its own display name, it follows the name. */
function applied(before: Fields, fields: NonNullable<DiffEntry['fields']>, sent: Fields): Fields {
  const after = { ...before }
  for (const [name, [old, value]] of Object.entries(fields)) {
    expect(before[name]).toEqual(old)
    after[name] = value
  }
  const followed = before.display_name === before.name
  if (followed && (sent.display_name ?? sent.name) === sent.name) after.display_name = after.name
  return after
}

it('any diff describes exactly what the commit does, with as many entries as it counts', async () => {
  await fc.assert(
    fc.asyncProperty(contents, contents, fc.constantFrom('upsert', 'reconcile'), async (stored, sent, mode) => {
      const catalog = await newCatalog()
      await catalog.write(stored)
      const before = await catalog.contents()
      const diff = (await catalog.write(sent, { mode, dry_run: true, include: 'diff' })).diff!
      const result: WriteResult = await catalog.write(sent, { mode, confirm_shrink: true })
      const after = await catalog.contents()

      expect(diff.inserted).toHaveLength(result.inserted)
      expect(diff.reactivated).toHaveLength(result.reactivated)
      expect(diff.updated).toHaveLength(result.updated - result.unchanged)
      expect(diff.deactivated).toHaveLength(result.deactivated)
      const expected = new Map(before)
      const sentOf = (id: string) => sent.find(({ medication_id }) => medication_id === id)!
      for (const { id, name, fields } of diff.inserted) {
        const { medication_id, is_active, display_name, ...absent } = after.get(id)!
        const shown = Object.fromEntries(Object.entries(fields!).map(([field, [, value]]) => [field, value]))
        const nothing = Object.fromEntries(
          Object.entries(absent).map(([field, value]) => [field, Array.isArray(value) ? [] : null]),
        )
        const display = { display_name: name, is_active: true, medication_id: id }
        expect({ ...nothing, form_id: absent.form_id, ...display, ...shown }).toEqual(after.get(id))
        expect(Object.values(fields!).every(([old]) => old === null)).toBe(true)
        expected.set(id, after.get(id)!)
      }
      for (const { id, name, fields } of [...diff.updated, ...diff.reactivated, ...diff.deactivated]) {
        if (fields) expected.set(id, applied(before.get(id)!, fields, sentOf(id)))
        expect(expected.get(id)!.name).toBe(name)
      }
      for (const { id } of diff.reactivated) expected.set(id, { ...expected.get(id), is_active: true })
      for (const { id } of diff.deactivated) expected.set(id, { ...expected.get(id), is_active: false })
      expect(after).toEqual(expected)
    }),
    { numRuns: 12 },
  )
}, 30_000)
