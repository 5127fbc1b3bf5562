import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import {
  filling,
  refuseEverything,
  refuseForGood,
  refuseNothing,
  refuseWrites,
  type Turn,
} from '#worker/storage/placement/fences'
import { workspaceDatabase } from '#worker/storage/placement/workspace-database'
import { ReadSessions } from '#worker/storage/read-sessions'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { moveToTheEnd, several } from '../../../support/databases'
import { calling, jsonBody } from '../../../support/service'

let catalog: TestCatalog
let id: string

beforeEach(async () => {
  catalog = await newCatalog()
  id = catalog.workspace.workspaceId
  await catalog.write(catalog.records(3))
})

const turn = (attempt: number, number = 1): Turn => ({ workspaceId: id, attempt, number })

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
    ['records', 'catalogs', 'uploads', 'documents', 'registrations'].map(async (table) =>
      (await env.DB.prepare(`select * from ${table}`).raw()).join('\n'),
    ),
  )

describe('a database that a workspace is about to leave', () => {
  it('refuses every write with 503, changes nothing, and still serves reads', async () => {
    await run(refuseWrites(turn(1)))
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
    await run(refuseNothing(turn(2)))
    for (const response of await writes()) expect(response.status).toBe(200)
  })

  it('lets other workspaces write', async () => {
    await run(refuseWrites(turn(1)))
    const other = await newCatalog()
    expect(await other.write(other.records(2))).toMatchObject({ inserted: 2 })
  })
})

describe('a fence', () => {
  const fences = () => run(sql`select refuses, attempt, turn from workspace_fences`)

  it('is not changed by a statement that is late: of an earlier attempt, or an earlier one of the same', async () => {
    const late = [turn(4, 9), turn(5, 1), turn(5, 2)]
    for (const last of [refuseForGood(0), refuseWrites, refuseNothing]) {
      await run(sql`delete from workspace_fences`)
      await run(last(turn(5, 2)))
      const before = await fences()
      for (const each of late)
        for (const fence of [refuseWrites, refuseEverything, refuseNothing, refuseForGood(0)])
          await run(fence(each))
      expect(await fences()).toEqual(before)
    }
  })

  it('lets rows be copied in once, in turn, and only while the workspace is not there', async () => {
    const fill = async (each: Turn) => {
      const rename = sql`update catalogs set search_enabled = 1 - search_enabled where workspace_id = ${id}
        and exists (select 1 from workspace_fences where workspace_id = ${id} and filling = 1)`
      await catalogDatabase(several, 'DB', new Meter()).batch(filling(each, [rename]))
      return env.DB.prepare('select search_enabled from catalogs').first<number>('search_enabled')
    }
    await run(refuseEverything(turn(5, 1)))
    expect(await fill(turn(5, 2))).toBe(1)
    expect(await fill(turn(5, 2))).toBe(1)
    expect(await fill(turn(4, 3))).toBe(1)
    expect(await fill(turn(5, 3))).toBe(0)
    await run(refuseWrites(turn(5, 4)))
    expect(await fill(turn(5, 5))).toBe(0)
    await run(refuseNothing(turn(5, 6)))
    expect(await fill(turn(5, 7))).toBe(0)
    expect(await env.DB.prepare('select filling from workspace_fences').first('filling')).toBe(0)
  })
})

describe('a workspace whose database refuses it', () => {
  it('is served again by the next request, as soon as no move can be under way any more', async () => {
    await moveToTheEnd(id, 'DB_2')
    await env.DB_2.prepare("update workspace_fences set refuses = 'everything'").run()
    const read = () => calling(undefined, several)('/admin/datasets/v1/?type=medication', { headers })
    const headers = { Authorization: `Bearer ${catalog.workspace.token}` }
    expect((await read()).status).toBe(503)
    await env.DB.prepare('update workspace_moves set stepped_at = stepped_at - 11000').run()
    expect((await read()).status).toBe(200)
    expect((await catalog.post([catalog.record('new')])).status).toBe(200)
  })

  it('keeps a document that is deleted there, so that the caller looks elsewhere', async () => {
    await env.DB.prepare(
      `insert into documents (workspace_id, document_id, size_bytes, content_type, sha256, tasks, created_by, created_at)
        values (?, 'd', 1, 'a/b', '', '[]', 'c', 0)`,
    )
      .bind(id)
      .run()
    await run(refuseForGood(0)(turn(1)))
    await expect(run(sql`delete from documents where workspace_id = ${id}`)).rejects.toThrow(
      'workspace_moved',
    )
    await run(refuseNothing(turn(2)))
    await run(sql`delete from documents where workspace_id = ${id}`)
    expect(await run(sql`select 1 from documents`)).toEqual([])
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

  it('is not written to there if time ran out while it was looked for', async () => {
    await moveToTheEnd(id, 'DB_2')
    const place = { workspaceId: id, databaseBinding: 'DB' }
    const requireTime = () => {
      throw new Error('no time')
    }
    const use = { sessions: new ReadSessions(undefined, false), nearest: false, patience: { requireTime } }
    const opened = () => workspaceDatabase(several, place, new Meter(), use)
    const write = sql`update catalogs set search_enabled = 1 where workspace_id = ${id}`
    const switched = sql<{ n: number }>`select search_enabled as n from catalogs where workspace_id = ${id}`
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    try {
      // The isolate has forgotten the new database.
      await expect(opened().batch([write])).rejects.toThrow('no time')
      expect(await opened().one(switched)).toEqual({ n: 0 })
    } finally {
      vi.useRealTimers()
    }
  })
})
