import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

const lastWrite = async () => (await history.status()).last_write!.batch_id

/** Changes one record, adds one and deactivates one. @returns the ID of that write */
async function middleWrite(): Promise<string> {
  await catalog.write([record('a', { strength: '25MG' }), record('b'), record('c'), record('d')])
  await catalog.upload('id,name,strength,is_active\na,Other,50MG,true\nb,Name of b,,false\nnew,New,,true\n')
  const undone = await lastWrite()
  await catalog.write([record('d', { strength: '1MG' })])
  return undone
}

const strengthOf = async (id: string) => (await catalog.contents()).get(id)?.strength

describe('one write', () => {
  it('can be undone without later changes, in one step that can itself be undone', async () => {
    const undone = await middleWrite()
    const before = await catalog.contents()
    const preview = await history.undo(undone, { dry_run: true, include: 'diff', confirm_shrink: true })
    expect(preview).toMatchObject({ total: 3, updated: 1, reactivated: 1, deactivated: 1, revision: 3 })
    expect(preview).not.toHaveProperty('changed_later')
    expect(preview.diff!.updated).toEqual([
      { id: 'a', name: 'Name of a', fields: { name: ['Other', 'Name of a'], strength: ['50MG', '25MG'] } },
    ])
    expect(await catalog.contents()).toEqual(before)

    const { revision, epoch } = preview
    const result = await history.undo(undone, { expected_revision: revision, expected_epoch: epoch })
    expect(result).toMatchObject({ mode: 'restore', total: 3, revision: 4, active_after: 4 })
    const contents = await catalog.contents()
    expect(contents.get('a')).toMatchObject({ name: 'Name of a', strength: '25MG' })
    expect(contents.get('b')).toMatchObject({ is_active: true })
    expect(contents.get('new')).toMatchObject({ is_active: false })
    expect(await strengthOf('d')).toBe('1MG')
    await history.undo(await lastWrite(), { confirm_shrink: true })
    expect(await strengthOf('a')).toBe('50MG')
    expect(await strengthOf('d')).toBe('1MG')
  })

  it('keeps its effect on records that a later write changed, and lists them', async () => {
    const undone = await middleWrite()
    await catalog.write([record('a', { strength: '75MG' }), record('new', { name: 'Edited' })])
    const later = { revision: 4, batch_id: await lastWrite(), changed_by: catalog.workspace.clientId }
    const items = [
      { id: 'a', name: 'Name of a', ...later },
      { id: 'new', name: 'Edited', ...later },
    ]
    const preview = await history.undo(undone, { dry_run: true })
    expect(preview).toMatchObject({ total: 1, changed_later: { count: 2, items } })
    const { message } = await catalog.refused(409, history.send('POST', `/writes/${undone}/undo`))
    expect(message).toContain('Later writes changed 2 of the records of this write: "a", "new"')
    expect(await strengthOf('a')).toBe('75MG')
    expect((await history.status()).revision).toBe(4)
    // With leave_changed, the undo applies to the other records.
    const leave = { leave_changed: true, confirm_shrink: true }
    expect(await history.undo(undone, leave)).toMatchObject({ total: 1, reactivated: 1, deactivated: 0 })
    expect(await strengthOf('a')).toBe('75MG')
    expect(await catalog.get('new')).toMatchObject({ name: 'Edited', is_active: true })
  })

  it('cannot be undone if there is nothing to undo', async () => {
    await catalog.write([record('a')])
    await catalog.write([record('a')])
    const [idle] = (await history.writes()).items
    const undo = (id: string) => history.send('POST', `/writes/${id}/undo`, { confirm_shrink: true })
    await catalog.refused(409, undo(idle!.batch_id))
    await catalog.refused(404, undo(crypto.randomUUID()))
    const other = new TestHistory(await newCatalog())
    await other.catalog.write([record('a')])
    await catalog.refused(404, undo((await other.status()).last_write!.batch_id))
  })
})

it('the list of writes shows the changes of small ones on request', async () => {
  await catalog.write(catalog.records(4))
  await catalog.write([record('r0', { strength: '25MG' }), record('x', { name: 'New' })])
  await catalog.write([record('x', { name: 'New' })])
  const { items } = await history.writes({ include: 'changes' })
  expect(items.map(({ changes }) => changes)).toEqual([
    undefined,
    [
      { change: 'updated', id: 'r0', name: 'Name of r0', fields: { strength: [null, '25MG'] } },
      { change: 'inserted', id: 'x', name: 'New', fields: { name: [null, 'New'] } },
    ],
    undefined,
  ])
  expect((await history.writes()).items.every(({ changes }) => changes === undefined)).toBe(true)
})
