import { beforeEach, describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../support/catalog'
import { execute } from '../../support/databases'
import { TestHistory } from '../../support/history'
import { receiving, verified } from '../../support/receivers'
import { personOf, TestUploads } from '../../support/uploads'
import { ageOf, refusedUpload, setWatch } from '../../support/watches'
import { newWebhook, runLater, waiting } from '../../support/webhooks'

const catalog = catalogOfEachTest()
let secret: string

const EVENTS = ['sync.late', 'sync.refused', 'sync.recovered']

beforeEach(async () => {
  ;({ secret } = await newWebhook(catalog.workspace.workspaceId, { events: EVENTS }))
  await setWatch(catalog, { every_hours: 24 })
})

const syncOf = async () => (await new TestHistory(catalog).status()).sync

const told = (received: ReturnType<typeof receiving>) =>
  received.map(({ type, data }) => [type, data.state, data.upload_id])

describe('the scheduled run', () => {
  it('notifies once that a catalog is late, and once that it has recovered', async () => {
    const received = receiving()
    await runLater()
    expect(received).toEqual([])
    await ageOf(catalog, 'watches', 'set_at', 26)
    for (let n = 0; n < 3; n++) await runLater()
    const { state, since, due_at } = await syncOf()
    expect(received).toHaveLength(1)
    expect(verified(secret, received[0]!)).toMatchObject({
      type: 'sync.late',
      data: { type: 'medication', state, since, due_at, upload_id: null },
    })
    await catalog.write([catalog.record('a')])
    for (let n = 0; n < 3; n++) await runLater()
    const { last_success_at, last_upload, ...recovered } = await syncOf()
    expect(received).toHaveLength(2)
    expect(verified(secret, received[1]!)).toMatchObject({
      type: 'sync.recovered',
      data: { type: 'medication', ...recovered, upload_id: last_upload?.upload_id },
    })
    expect(recovered).toMatchObject({ state: 'on_time', since: last_success_at })
  })

  it("notifies once that a client's upload was rejected, and then that the catalog is late", async () => {
    const received = receiving()
    await catalog.write([catalog.record('a')])
    const refused = await refusedUpload(catalog)
    for (let n = 0; n < 2; n++) await runLater()
    expect(told(received)).toEqual([['sync.refused', 'refused', refused]])
    expect((await syncOf()).since).toBe(received[0]?.data.since)
    await refusedUpload(catalog, { outcome: 'stale' })
    await runLater()
    expect(received).toHaveLength(1)
    await ageOf(catalog, 'catalogs', 'last_success_at', 26)
    for (let n = 0; n < 2; n++) await runLater()
    expect(received.map(({ type }) => type)).toEqual(['sync.refused', 'sync.late'])
  })

  it('notifies about a nightly file that the guard blocked, and about its approval by a user', async () => {
    await catalog.write(catalog.records(4))
    const received = receiving()
    await catalog.refused(409, catalog.post([catalog.record('r0')], { mode: 'reconcile' }))
    const [held] = await new TestUploads(catalog).list({ outcome: 'held' })
    expect(await syncOf()).toMatchObject({ state: 'refused', since: held?.created_at, last_upload: held })
    await runLater()
    const editor = new TestUploads(catalog, await personOf(catalog))
    await editor.written(held?.upload_id ?? '', { confirm_shrink: true })
    const { state, last_upload } = await syncOf()
    expect({ state, outcome: last_upload?.outcome }).toEqual({ state: 'on_time', outcome: 'approved' })
    for (let n = 0; n < 2; n++) await runLater()
    expect(told(received)).toEqual([
      ['sync.refused', 'refused', held?.upload_id],
      ['sync.recovered', 'on_time', held?.upload_id],
    ])
  })

  it('notifies about each new pending upload once', async () => {
    const received = receiving()
    const wait = (secondsAgo: number) => refusedUpload(catalog, { held: true, at: Date.now() - 1000 * secondsAgo })
    const ids = [await wait(5)]
    await runLater()
    ids.push(await wait(4), await wait(3))
    for (let n = 0; n < 2; n++) await runLater()
    expect(told(received)).toEqual(ids.map((id) => ['sync.refused', 'refused', id]))
  })

  it('notifies about a pending upload once, however often it is sent again', async () => {
    await catalog.write(catalog.records(4))
    const received = receiving()
    const send = () => catalog.refused(409, catalog.post([catalog.record('r0')], { mode: 'reconcile' }))
    await send()
    await runLater()
    const { since } = await syncOf()
    for (let n = 0; n < 2; n++) {
      await send()
      await runLater()
    }
    expect(received.map(({ type }) => type)).toEqual(['sync.refused'])
    expect(await syncOf()).toMatchObject({ state: 'refused', since })
    await catalog.write([catalog.record('r0')])
    await runLater()
    await send()
    await runLater()
    expect(received.map(({ type }) => type)).toEqual(['sync.refused', 'sync.recovered', 'sync.refused'])
    const { since: later, last_success_at } = await syncOf()
    expect(Date.parse(later!)).toBeGreaterThanOrEqual(Date.parse(last_success_at!) - 1000)
    expect(later).not.toBe(since)
  })

  it('notifies about a file that was first pending after a dry run, and then blocked by the guard', async () => {
    await catalog.write(catalog.records(4))
    const received = receiving()
    await catalog.post([catalog.record('r0')], { mode: 'reconcile', dry_run: true, hold: true })
    await runLater()
    expect(received).toEqual([])
    await catalog.refused(409, catalog.post([catalog.record('r0')], { mode: 'reconcile' }))
    await runLater()
    expect(received.map(({ type }) => type)).toEqual(['sync.refused'])
  })

  it('notifies once, even if runs overlap', async () => {
    const received = receiving()
    await ageOf(catalog, 'watches', 'set_at', 26)
    await execute("update workspaces set state = 'read_only'")
    await runLater()
    expect([...received, ...(await waiting())]).toEqual([])
    await execute("update workspaces set state = 'active'")
    await Promise.all([runLater(), runLater(), runLater()])
    await runLater()
    expect(received).toHaveLength(1)
  })
})
