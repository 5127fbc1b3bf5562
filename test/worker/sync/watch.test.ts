import { describe, expect, it } from 'vitest'
import type { Sync } from '#worker/sync/schemas'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'
import { TestHistory } from '../../support/history'
import { bearer, callService, jsonBody } from '../../support/service'
import { asPerson } from '../../support/uploads'
import { ageOf, HOUR_MS, setWatch, watchPath } from '../../support/watches'

const catalog = catalogOfEachTest()

const syncOf = async (): Promise<Sync> => (await new TestHistory(catalog).status()).sync

async function send(method: string, body?: unknown, { workspace, type } = catalog) {
  const headers = bearer(workspace.token)
  const init = body === undefined ? { headers } : jsonBody(body, headers)
  const response = await callService(watchPath({ type }), { method, ...init })
  return { status: response.status, body: await response.json<{ data: unknown; errors?: unknown }>() }
}

describe('the monitoring of a catalog', () => {
  it('belongs to one workspace and type', async () => {
    expect((await send('GET')).body).toMatchObject({ success: true, data: null })
    expect(await setWatch(catalog, { every_hours: 24 })).toEqual({
      every_hours: 24,
      grace_hours: 1,
      set_at: expect.any(String),
      set_by: catalog.workspace.clientId,
    })
    await setWatch(catalog, { every_hours: 1, grace_hours: 0 })
    expect((await send('GET')).body.data).toMatchObject({ every_hours: 1, grace_hours: 0 })
    expect((await send('GET', undefined, await newCatalog())).body.data).toBeNull()
    for (let n = 0; n < 2; n++) expect((await send('DELETE')).body.data).toEqual({ deleted: true })
    expect((await send('GET')).body.data).toBeNull()
  })

  it('keeps its time if the same hours are set again, for example by a nightly job', async () => {
    const { set_at } = await setWatch(catalog, { every_hours: 24 })
    await ageOf(catalog, 'watches', 'set_at', 30)
    const again = await setWatch(catalog, { every_hours: 24 })
    expect(Date.parse(set_at) - Date.parse(again.set_at)).toBe(30 * HOUR_MS)
    expect((await syncOf()).state).toBe('late')
  })

  it('is rejected with other values than whole hours within their limits', async () => {
    const hours = [undefined, 0, 745, 1.5, '24'].map((every_hours) => ({ every_hours }))
    const graces = [-1, 169].map((grace_hours) => ({ every_hours: 24, grace_hours }))
    for (const body of [...hours, ...graces]) expect((await send('PUT', body)).status, JSON.stringify(body)).toBe(400)
    expect((await send('GET')).body.data).toBeNull()
  })
})

describe('sync in the status of a catalog', () => {
  const nothing = { last_success_at: null, last_upload: null }

  it("is unwatched without monitoring, and still shows the clients' uploads", async () => {
    const unwatched = { state: 'unwatched', since: null, due_at: null }
    expect(await syncOf()).toEqual({ ...unwatched, ...nothing })
    await catalog.write([catalog.record('a')])
    expect(await syncOf()).toMatchObject({
      ...unwatched,
      last_success_at: expect.any(String),
      last_upload: { outcome: 'written', by_program: true, revision: 1 },
    })
  })

  it("is on time from when monitoring was set and late after its hours, which no user's write changes", async () => {
    const { set_at } = await setWatch(catalog, { every_hours: 24, grace_hours: 2 })
    const due_at = new Date(Date.parse(set_at) + 26 * HOUR_MS).toISOString()
    expect(await syncOf()).toEqual({ state: 'on_time', since: set_at, due_at, ...nothing })
    await ageOf(catalog, 'watches', 'set_at', 27)
    await (await asPerson(catalog)).write([catalog.record('a')])
    expect(await syncOf()).toMatchObject({ state: 'late', ...nothing })
  })

  it('is due after the last success, even if that changed nothing', async () => {
    await setWatch(catalog, { every_hours: 24 })
    await catalog.write([catalog.record('a')])
    await ageOf(catalog, 'catalogs', 'last_success_at', 20)
    const before = await syncOf()
    expect(Date.parse(before.due_at!)).toBe(Date.parse(before.last_success_at!) + 25 * HOUR_MS)
    await catalog.write([catalog.record('a')])
    const after = await syncOf()
    expect(after).toMatchObject({ state: 'on_time', since: before.since, last_upload: { outcome: 'unchanged' } })
    expect(Date.parse(after.due_at!)).toBeGreaterThan(Date.parse(before.due_at!) + 19 * HOUR_MS)
    await ageOf(catalog, 'catalogs', 'last_success_at', 26)
    const late = await syncOf()
    expect(late).toMatchObject({ state: 'late', since: late.due_at })
    await catalog.write([catalog.record('a')])
    expect((await syncOf()).state).toBe('on_time')
  })
})
