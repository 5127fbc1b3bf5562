import { describe, expect, it } from 'vitest'
import type { Sync } from '#worker/sync/schemas'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'
import { TestHistory } from '../../support/history'
import { newMember } from '../../support/members'
import { bearer, callService, jsonBody } from '../../support/service'
import { ageOf, HOUR_MS, setWatch, watchPath } from '../../support/watches'

const catalog = catalogOfEachTest()

const syncOf = async (): Promise<Sync> => (await new TestHistory(catalog).status()).sync

async function send(method: string, body?: unknown, { workspace, type } = catalog) {
  const headers = bearer(workspace.token)
  const init = body === undefined ? { headers } : jsonBody(body, headers)
  const response = await callService(watchPath({ type }), { method, ...init })
  return { status: response.status, body: await response.json<{ data: unknown; errors?: unknown }>() }
}

describe('the watch of a catalog', () => {
  it('is set, read, changed and deleted', async () => {
    expect((await send('GET')).body).toMatchObject({ success: true, data: null })
    expect(await setWatch(catalog, { every_hours: 24 })).toEqual({
      every_hours: 24,
      grace_hours: 1,
      set_at: expect.any(String),
      set_by: catalog.workspace.clientId,
    })
    await setWatch(catalog, { every_hours: 168, grace_hours: 0 })
    expect((await send('GET')).body.data).toMatchObject({ every_hours: 168, grace_hours: 0 })
    for (let n = 0; n < 2; n++) expect((await send('DELETE')).body.data).toEqual({ deleted: true })
    expect((await send('GET')).body.data).toBeNull()
  })

  it('keeps its time when the same hours are set again, as by a job that does so each night', async () => {
    const { set_at } = await setWatch(catalog, { every_hours: 24 })
    await ageOf(catalog, 'watches', 'set_at', 30)
    const again = await setWatch(catalog, { every_hours: 24 })
    expect(Date.parse(set_at) - Date.parse(again.set_at)).toBe(30 * HOUR_MS)
    expect((await syncOf()).state).toBe('late')
  })

  it.each([
    {},
    { every_hours: 0 },
    { every_hours: 745 },
    { every_hours: 1.5 },
    { every_hours: '24' },
    { every_hours: 24, grace_hours: -1 },
    { every_hours: 24, grace_hours: 169 },
  ])('refuses %j', async (body) => {
    expect((await send('PUT', body)).status).toBe(400)
    expect((await send('GET')).body.data).toBeNull()
  })

  it('is of one workspace and type', async () => {
    const other = await newCatalog()
    await setWatch(catalog, { every_hours: 24 })
    expect((await send('GET', undefined, other)).body.data).toBeNull()
  })
})

describe('sync in the status of a catalog', () => {
  it('is unwatched without a watch, and says what programs did all the same', async () => {
    const nothing = {
      state: 'unwatched',
      since: null,
      due_at: null,
      last_success_at: null,
      last_upload: null,
    }
    expect(await syncOf()).toEqual(nothing)
    await catalog.write([catalog.record('a')])
    expect(await syncOf()).toMatchObject({
      state: 'unwatched',
      due_at: null,
      last_success_at: expect.any(String),
      last_upload: { outcome: 'written', by_program: true, revision: 1 },
    })
  })

  it('is on time from when the watch was set, and due that long after it', async () => {
    const { set_at } = await setWatch(catalog, { every_hours: 24, grace_hours: 2 })
    expect(await syncOf()).toEqual({
      state: 'on_time',
      since: set_at,
      due_at: new Date(Date.parse(set_at) + 26 * HOUR_MS).toISOString(),
      last_success_at: null,
      last_upload: null,
    })
  })

  it('is due after the last success, which may have changed nothing', async () => {
    await setWatch(catalog, { every_hours: 24 })
    await catalog.write([catalog.record('a')])
    await ageOf(catalog, 'catalogs', 'last_success_at', 20)
    const before = await syncOf()
    expect(Date.parse(before.due_at!)).toBe(Date.parse(before.last_success_at!) + 25 * HOUR_MS)
    await catalog.write([catalog.record('a')])
    const after = await syncOf()
    expect(after).toMatchObject({
      state: 'on_time',
      since: before.since,
      last_upload: { outcome: 'unchanged' },
    })
    expect(Date.parse(after.due_at!)).toBeGreaterThan(Date.parse(before.due_at!) + 19 * HOUR_MS)
  })

  it('is late after that time, since that time', async () => {
    await setWatch(catalog, { every_hours: 24 })
    await catalog.write([catalog.record('a')])
    await ageOf(catalog, 'catalogs', 'last_success_at', 26)
    const late = await syncOf()
    expect(late).toMatchObject({ state: 'late', since: late.due_at, last_upload: { outcome: 'written' } })
    await catalog.write([catalog.record('a')])
    expect((await syncOf()).state).toBe('on_time')
  })

  it('is not moved by what a person writes', async () => {
    const { workspaceId } = catalog.workspace
    await setWatch(catalog, { every_hours: 24 })
    await ageOf(catalog, 'watches', 'set_at', 26)
    const token = await newMember(workspaceId, 'editor')
    const answer = await callService('/admin/datasets/v1/?type=medication', {
      method: 'POST',
      ...jsonBody([catalog.record('a')], bearer(token)),
    })
    expect(answer.status).toBe(200)
    expect(await syncOf()).toMatchObject({ state: 'late', last_success_at: null, last_upload: null })
  })
})
