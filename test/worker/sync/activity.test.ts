import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, type TestCatalog } from '../../support/catalog'
import { execute } from '../../support/databases'
import { CATALOGS } from '../../support/history'
import { bearer, callService, dataFrom } from '../../support/service'
import { asPerson } from '../../support/uploads'
import { HOUR_MS, refusedUpload } from '../../support/watches'

const catalog = catalogOfEachTest()

interface Day {
  date: string
  upload_id: string | null
  [count: string]: number | string | null
}

async function activityOf({ workspace, type }: TestCatalog, timeZone = 'UTC'): Promise<Day[]> {
  const path = `${CATALOGS}/activity?time_zone=${encodeURIComponent(timeZone)}`
  const { items } = await dataFrom<{ items: { type: string; days: Day[] }[] }>(
    callService(path, { headers: bearer(workspace.token) }),
  )
  expect(items.map((item) => item.type)).toEqual(['medication', 'lab_test', 'symptom', 'diagnosis'])
  return items.find((item) => item.type === type)!.days
}

const NOTHING = { inserted: 0, updated: 0, reactivated: 0, deactivated: 0, writes: 0, rejected: 0, not_sent: 0 }
const EMPTY = { ...NOTHING, upload_id: null, batch_id: null }

/** Moves all earlier uploads of the catalogs into the past. */
const ageUploads = (hours: number) =>
  execute(
    `update uploads set written_at = written_at - ?1, received_at = received_at - ?1
      where catalog_id in (select catalog_id from catalogs where workspace_id = ?2)`,
    hours * HOUR_MS,
    catalog.workspace.workspaceId,
  )

describe('the activity of the last 30 days', () => {
  it('of a workspace without a catalog is 30 empty days, the last of which is today', async () => {
    const days = await activityOf(catalog)
    expect(days).toHaveLength(30)
    for (const { date: _, ...day } of days) expect(day).toEqual({ ...EMPTY, active: 0 })
    expect(days.at(-1)!.date).toBe(new Date().toISOString().slice(0, 10))
  })

  it('counts the changes of each day', async () => {
    await catalog.write(catalog.records(5))
    await ageUploads(40 * 24)
    await catalog.reconcile(catalog.records(3), { confirm_shrink: true })
    await catalog.write(catalog.records(4, () => ({ name: 'Other' })))
    await ageUploads(3 * 24)
    const { batch_id } = await catalog.write([catalog.record('new')])
    await catalog.write([catalog.record('new')])
    const days = await activityOf(catalog)
    const changed = { ...NOTHING, deactivated: 2, updated: 3, reactivated: 1, writes: 2 }
    expect(days.slice(0, 26).every(({ active, writes }) => active === 5 && writes === 0)).toBe(true)
    expect(days[26]).toMatchObject({ ...changed, active: 4 })
    expect(days[27]).toMatchObject({ ...EMPTY, active: 4 })
    // Not the last write of the day, which changed nothing.
    expect(days[29]).toMatchObject({ ...NOTHING, active: 5, inserted: 1, writes: 2, upload_id: batch_id, batch_id })
  })

  it('names the upload that was rejected', async () => {
    await catalog.write(catalog.records(2))
    const rejected = await refusedUpload(catalog)
    await refusedUpload(catalog, { outcome: 'not_sent', at: Date.now() - 24 * HOUR_MS })
    await refusedUpload(catalog, { held: true, at: Date.now() - 48 * HOUR_MS })
    await (await asPerson(catalog)).write(catalog.records(1), { dry_run: true, hold: true })
    const [held, missing, today] = (await activityOf(catalog)).slice(-3)
    expect(today).toMatchObject({ inserted: 2, writes: 1, rejected: 1, upload_id: rejected, batch_id: null })
    expect(missing).toMatchObject({ ...NOTHING, not_sent: 1 })
    expect(held).toMatchObject({ ...NOTHING, rejected: 1, batch_id: null })
  })

  it('has its days in the time zone of the caller', async () => {
    await catalog.write(catalog.records(1))
    const [east, west] = await Promise.all(
      ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => activityOf(catalog, zone)),
    )
    expect(east!.at(-1)).toMatchObject({ writes: 1 })
    expect(west!.at(-1)).toMatchObject({ writes: 1 })
    // They are 25 hours apart.
    expect(east!.at(-1)!.date > west!.at(-1)!.date).toBe(true)
    const path = `${CATALOGS}/activity?time_zone=Mars/Olympus`
    const refused = await callService(path, { headers: bearer(catalog.workspace.token) })
    expect(refused.status).toBe(400)
  })

  it('of another workspace is not visible', async () => {
    await (await newCatalog()).write([catalog.record('a')])
    expect((await activityOf(catalog)).every(({ writes }) => writes === 0)).toBe(true)
  })
})
