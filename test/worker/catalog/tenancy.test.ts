import { describe, expect, it } from 'vitest'
import { RECORD_TYPES } from '#shared/records/record-type'
import { newCatalog, TestCatalog } from '../../support/catalog'
import { newWorkspace } from '../../support/credentials'

describe('two workspaces with the same types and IDs', () => {
  it("never see or change each other's data", async () => {
    const mine = await newCatalog()
    const theirs = await newCatalog()
    await theirs.upload('id,name,alias\nshared,Their aspirin,secret\ntheirs,Their other,secret\n')
    await theirs.setSearch(true)
    const all = async () => [await theirs.contents(), await theirs.batches(), await theirs.export()]
    const before = await all()

    expect(await mine.list({ show_inactive: 1 })).toMatchObject({ total: 0, items: [] })
    for (const q of ['aspirin', 'secret', 'as', 'e', 'their'])
      expect(await mine.list({ q })).toMatchObject({ total: 0, items: [] })
    await mine.refused(404, mine.send('GET', '/shared/'))
    expect((await mine.export()).split('\r\n')).toHaveLength(2)
    expect(await mine.batches()).toMatchObject({ latest: null, items: [], total: 0 })
    expect(await mine.searchStatus()).toMatchObject({ enabled: false, updated_at: null })
    const nothing = { active_before: 0, deactivated: 0, revision: 0 }
    expect(await mine.reconcile([], { dry_run: true })).toMatchObject(nothing)
    const first = await mine.write([mine.record('shared')], { expected_revision: 0 })
    expect(first).toMatchObject({ inserted: 1, revision: 1 })
    const next = await mine.reconcile([mine.record('other')], { confirm_shrink: true })
    expect(next).toMatchObject({ deactivated: 1, active_before: 1, active_after: 1 })
    await mine.reconcile([], { confirm_shrink: true })
    await mine.setSearch(false)
    expect(await mine.list({ q: 'name', show_inactive: 1 })).toMatchObject({ total: 2 })

    expect(await all()).toEqual(before)
    expect((await theirs.searchStatus()).enabled).toBe(true)
    expect(await theirs.list({ q: 'aspirin' })).toMatchObject({ total: 1 })
  })

  it('are selected only by the token', async () => {
    const mine = await newCatalog()
    const theirs = await newCatalog()
    await theirs.write([theirs.record('theirs')])
    const { workspaceId } = theirs.workspace
    const headers = { 'X-Workspace-Id': workspaceId, 'X-API-KEY': workspaceId }
    expect((await mine.send('GET', '/', { workspace_id: workspaceId }, { headers })).status).toBe(400)
    expect((await mine.send('GET', '/', {}, { headers })).body).toMatchObject({ total: 0 })
    await mine.write({ workspace_id: workspaceId, records: [{ ...mine.record('x'), workspace_id: workspaceId }] })
    expect(await theirs.ids()).toEqual(['theirs'])
  })
})

it('the four catalogs of a workspace are separate: an ID has its own fields in each', async () => {
  const owner = await newWorkspace()
  const catalogs = RECORD_TYPES.map((type) => new TestCatalog(owner, type))
  for (const [n, catalog] of catalogs.entries()) {
    const records = catalog.records(n + 1, () => ({ name: `common ${catalog.type}` }))
    expect(await catalog.write(records)).toMatchObject({ inserted: n + 1, revision: 1, active_before: 0 })
  }
  for (const [n, catalog] of catalogs.entries()) {
    expect(await catalog.list({ q: 'common' })).toMatchObject({ total: n + 1 })
    expect(await catalog.get('r0')).toMatchObject({ [catalog.idField]: 'r0', name: `common ${catalog.type}` })
  }
  await catalogs[3]!.reconcile([], { confirm_shrink: true })
  for (const catalog of catalogs.slice(0, 3)) expect((await catalog.list()).total).toBeGreaterThan(0)
})
