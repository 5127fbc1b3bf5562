import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { recordTypes } from '#shared/records/record-types'
import type { Catalog } from '#worker/catalog/catalog'
import { previewRestore, restoreCatalog } from '#worker/catalog/history/restore'
import { Deadline } from '#worker/storage/deadline'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'
import { openControl } from '../../../support/databases'
import { TestHistory } from '../../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

describe('a restore', () => {
  // test/worker/catalog/model.test.ts covers the effects and the previews of restores.
  it('has a diff that is also available as a file, optionally with one kind of change', async () => {
    await catalog.write([record('a')])
    await catalog.write([record('a', { strength: '5 mg' }), record('new')])
    const file = { revision: 1, dry_run: true, include: 'diff', format: 'csv' }
    for (const [change, lines] of [
      [undefined, ['updated,a,Name of a,strength,5 mg,', 'deactivated,new,Name of new,,,']],
      ['deactivated', ['deactivated,new,Name of new,,,']],
    ] as const) {
      const { text } = await history.send('POST', '/restore', { ...file, change })
      expect(text.split('\r\n').slice(1, -1)).toEqual(lines)
    }
  })

  it('is guarded like a reconcile', async () => {
    await catalog.write([record('a')])
    await catalog.write([record('b'), record('c')])
    const stopped = { code: 'shrink_guard', active_before: 3, would_deactivate: 2 }
    expect((await history.restore(1, { dry_run: true })).shrink_guard).toEqual(stopped)
    const { errors, message } = await history.refused(409, 1)
    expect(errors).toEqual([stopped])
    expect(message).toContain('The restore would deactivate 2 of 3')
    await history.refused(409, 0, { max_shrink: 10 })
    expect(await history.restore(0, { confirm_shrink: true })).toMatchObject({ active_after: 0, deactivated: 3 })
    await history.restore(2)
    expect((await catalog.list()).total).toBe(3)
  })

  it('creates no revision if nothing differs, and is still listed as a write', async () => {
    await catalog.write([record('a')])
    expect(await history.restore(1)).toMatchObject({ total: 0, revision: 1, active_after: 1 })
    expect(await history.writes()).toMatchObject({ total: 2, items: [{ mode: 'restore' }, { mode: 'upsert' }] })
    const empty = new TestHistory(await newCatalog())
    expect(await empty.restore(0)).toMatchObject({ total: 0, revision: 0 })
  })

  it('rejects a revision that never existed, and an unexpected present revision', async () => {
    await catalog.write([record('a')])
    for (const query of [{}, { dry_run: true }, { dry_run: true, include: 'diff', format: 'csv' }]) {
      expect((await history.refused(400, 2, query)).errors).toMatchObject([{ field: 'revision' }])
      await history.refused(409, 1, { ...query, expected_revision: 0 })
    }
    for (const query of [{ include: 'diff' }, { dry_run: 'yes' }]) await history.refused(400, 1, query)
    expect((await history.writes()).total).toBe(1)
  })

  it('reports the fields that it clears, and so does the write after it', async () => {
    await catalog.write([record('a', { strength: '5 mg', refid: 0 })])
    await catalog.write([record('a', { aliases: ['x'] })])
    for (const query of [{ dry_run: true }, {}])
      expect((await history.restore(1, query)).emptied).toEqual({ aliases: 1 })
    expect((await catalog.write([record('a')])).emptied).toEqual({ strength: 1, refid: 1 })
    expect((await history.restore(2)).emptied).toEqual({})
  })

  it('of many records runs inside the database', async () => {
    const count = 1100
    await catalog.write(catalog.records(count, (n) => ({ strength: `${n}` })))
    await catalog.write(catalog.records(count, (n) => ({ strength: `new ${n}` })))
    expect(await history.restore(1)).toMatchObject({ total: count, updated: count })
    expect((await history.lastChanges()).length).toBe(1000)
    const { batch_id } = (await history.status()).last_write!
    const { text } = await history.send('GET', `/writes/${batch_id}/changes`, { format: 'csv' })
    const lines = Papa.parse<string[]>(text, { skipEmptyLines: true }).data.slice(1)
    expect(lines.map(([, id, , field, old, value]) => [id, field, old, value])).toEqual(
      Array.from({ length: count }, (_, n) => [`r${n}`, 'strength', `new ${n}`, `${n}`]),
    )
  })

  it('is rejected before anything is written if its records exceed one step, but not with fewer', async () => {
    const opened: Catalog = {
      db: openControl(),
      catalogKey: { workspaceId: catalog.workspace.workspaceId, type: 'medication' },
      type: recordTypes.medication,
      sendMessages: () => undefined,
    }
    const expected = { expectedRevision: null, expectedEpoch: null }
    const request = { createdBy: 'a test', requestId: 'a-request', keepsVersions: true, now: Date.now() }
    const options = { ...expected, ...request, diff: false, maxShrink: null, key: null, maxRecords: 5 }
    const restore = (revision: number) => restoreCatalog(opened, { ...options, revision }, new Deadline())
    await catalog.write(catalog.records(8))
    for (const part of [0, 1, 2, 3]) {
      await catalog.write([0, 1].map((n) => record(`r${2 * part + n}`, { strength: `${part}` })))
    }
    const refusal = 'Restoring revision 1 would change more than 5 records, which is too much for one step. Nothing'
    await expect(restore(1)).rejects.toThrow(refusal)
    await expect(previewRestore(opened, { ...options, revision: 1 })).rejects.toThrow(refusal)
    expect(await history.status()).toMatchObject({ revision: 5 })
    expect(await restore(3)).toMatchObject({ total: 4 })
    expect(await restore(1)).toMatchObject({ total: 4 })
    expect((await catalog.contents()).get('r1')).toMatchObject({ strength: null })
  })
})
