import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { catalogDatabase } from '#storage/database'
import { liftFence, refuseEverything, refuseForGood, refuseWrites } from '#storage/fences'
import { Meter } from '#storage/meter'
import { workspaceDatabase } from '#storage/workspace-database'
import { newCatalog, type TestCatalog } from '../support/catalog'
import { moveToTheEnd, several } from '../support/databases'
import { calling, jsonBody } from '../support/service'

let catalog: TestCatalog
let id: string

beforeEach(async () => {
  catalog = await newCatalog()
  id = catalog.workspace.workspaceId
  await catalog.write(catalog.records(3))
})

const run = (statement: ReturnType<typeof sql>) => catalogDatabase(several, 'DB', new Meter()).all(statement)

/** Every call that writes to a workspace's database. */
async function writes(): Promise<Response[]> {
  const bearer = { Authorization: `Bearer ${catalog.workspace.token}` }
  const call = calling(undefined, several)
  const datasets = `/admin/datasets/v1`
  const form = new FormData()
  form.append('file', new File(['bytes'], 'a.bin'))
  return [
    await call(`${datasets}/?type=medication`, {
      method: 'POST',
      ...jsonBody([catalog.record('new')], bearer),
    }),
    await call(`${datasets}/?type=symptom`, { method: 'POST', ...jsonBody([], bearer) }),
    await call(`${datasets}/search-status/?type=medication`, {
      method: 'POST',
      ...jsonBody({ enabled: true }, bearer),
    }),
    await call('/mr/api/v2/docs', { method: 'POST', headers: bearer, body: form }),
    await call('/registration/v1/init', {
      method: 'POST',
      ...jsonBody({ mobile_number: '+919876543210' }, bearer),
    }),
  ]
}

/** The contents of every table that a caller's write can change. */
const stored = async () =>
  Promise.all(
    ['records', 'catalogs', 'batches', 'documents', 'registrations'].map(async (table) =>
      (await env.DB.prepare(`select * from ${table}`).raw()).join('\n'),
    ),
  )

describe('a database that a workspace is about to leave', () => {
  it('refuses every write with 503, changes nothing, and still serves reads', async () => {
    await run(refuseWrites(id, 1))
    const before = await stored()
    for (const response of await writes()) {
      expect(response.status).toBe(503)
      expect(response.headers.get('Retry-After')).toBe('1')
      expect(await response.json<{ message: string }>()).toMatchObject({
        message: expect.stringContaining('being moved'),
      })
    }
    expect(await stored()).toEqual(before)
    expect((await catalog.list()).total).toBe(3)
    await run(liftFence(id, 1))
    for (const response of await writes()) expect(response.status).toBe(200)
  })

  it('lets other workspaces write', async () => {
    await run(refuseWrites(id, 1))
    const other = await newCatalog()
    expect(await other.write(other.records(2))).toMatchObject({ inserted: 2 })
  })
})

describe('a fence', () => {
  it('is not changed by an earlier attempt', async () => {
    await run(refuseForGood(id, 5, 0))
    for (const late of [refuseWrites(id, 4), refuseEverything(id, 4), liftFence(id, 4), liftFence(id, 5)])
      await run(late)
    expect(await run(sql`select refuses, attempt from workspace_fences`)).toEqual([
      { refuses: 'everything', attempt: 5 },
    ])
  })
})

describe('a workspace that has moved since its database was read', () => {
  it('is found in its new database by reads and writes, with one more query', async () => {
    await moveToTheEnd(id, 'DB_2')
    // An isolate that remembers the old database, which refuses the first of these statements.
    const meter = new Meter()
    const database = workspaceDatabase(several, { workspaceId: id, databaseBinding: 'DB' }, meter)
    const [row] = await database.all<{ n: number }>(sql`select count(*) as n from records`)
    expect(row!.n).toBe(3)
    expect(meter.roundTrips).toBe(3)
    const rows = await database.batch([sql`select 1 as a`, sql`select 2 as b`])
    expect(rows).toEqual([[{ a: 1 }], [{ b: 2 }]])
    expect(meter.roundTrips).toBe(4)
    expect((await catalog.post([catalog.record('new')])).status).toBe(200)
    expect(await env.DB.prepare('select count(*) as n from records').first('n')).toBe(3)
    expect(await env.DB_2.prepare('select count(*) as n from records').first('n')).toBe(4)
  })
})
