import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { catalogDatabase } from '#worker/storage/database'
import { Deadline } from '#worker/storage/deadline'
import { Meter } from '#worker/storage/meter'
import { type Fence, fillGuard, purgeGuard, setFence } from '#worker/storage/placement/fences'
import { workspaceDatabase } from '#worker/storage/placement/workspace-database'
import { ReadSessions } from '#worker/storage/read-sessions'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../../support/catalog'
import { moveToTheEnd, rowsIn, several } from '../../../support/databases'
import { faultyDatabase } from '../faulty-database'

const catalog = catalogOfEachTest()
let id: string

beforeEach(async () => {
  id = catalog.workspace.workspaceId
  await catalog.write(catalog.records(3))
})

const database = () => catalogDatabase(several, 'DB', new Meter())

/** @returns whether the fence is the one that was set */
const fence = async (
  refuses: Fence['refuses'],
  generation: number,
  forgetAfter: number | null = null,
): Promise<boolean> => {
  const set = await database().batchEnding(setFence({ workspaceId: id, generation, refuses, forgetAfter }))
  return set.length === 1
}

/** Writes to a catalog that is there, and to one that is not. test/worker/storage/placement/guards.test.ts has all calls. */
const writes = () =>
  Promise.all([catalog.post([catalog.record('new')]), new TestCatalog(catalog.workspace, 'symptom').post([])])

/** The contents of every table that a caller's write can change. */
const stored = async () =>
  Promise.all(
    ['records', 'catalogs', 'uploads'].map(async (table) =>
      (await env.DB.prepare(`select * from ${table}`).raw()).join('\n'),
    ),
  )

describe('a database that a workspace is about to leave', () => {
  it('refuses every write with 503, changes nothing, and still serves reads', async () => {
    await fence('writes', 1)
    const before = await stored()
    for (const { status, headers, body } of await writes()) {
      expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
      expect(body).toMatchObject({ message: expect.stringContaining('being moved') })
    }
    expect(await stored()).toEqual(before)
    expect((await catalog.list()).total).toBe(3)
    await fence('nothing', 2)
    for (const { status } of await writes()) expect(status).toBe(200)
  })

  it('lets other workspaces write', async () => {
    await fence('writes', 1)
    const other = await newCatalog()
    expect(await other.write(other.records(2))).toMatchObject({ inserted: 2 })
  })
})

describe('a fence', () => {
  const fences = () => database().all(sql`select refuses, generation, forget_after from workspace_fences`)

  it('is not changed by a statement that is late: of an earlier generation, or again of the same', async () => {
    for (const last of ['everything', 'writes', 'nothing'] as const) {
      await database().all(sql`delete from workspace_fences`)
      expect(await fence(last, 5)).toBe(true)
      const before = await fences()
      for (const refuses of ['everything', 'writes', 'nothing'] as const) {
        expect(await fence(refuses, 4, 0)).toBe(false)
        expect(await fence(refuses, 5, 0)).toBe(refuses === last)
      }
      expect(await fences()).toEqual(before)
    }
  })

  const isStopped = async (guard: ReturnType<typeof sql>): Promise<boolean> => {
    const write = sql`update catalogs set search_enabled = 1 - search_enabled where workspace_id = ${id}`
    const read = () => env.DB.prepare('select search_enabled from catalogs').first('search_enabled')
    const before = await read()
    const run = database().batch([guard, write])
    const stopped = await run.then(
      () => false,
      () => true,
    )
    expect((await read()) === before).toBe(stopped)
    return stopped
  }

  it('lets rows be copied in its generation only, and only while the workspace is not there', async () => {
    const guard = (generation: number) => fillGuard({ workspaceId: id, generation })
    expect(await isStopped(guard(5))).toBe(true)
    await fence('everything', 5)
    expect([await isStopped(guard(4)), await isStopped(guard(5)), await isStopped(guard(6))]).toEqual([
      true,
      false,
      true,
    ])
    await fence('writes', 6)
    expect(await isStopped(guard(6))).toBe(true)
    await fence('nothing', 7)
    expect(await isStopped(guard(7))).toBe(true)
    await fence('everything', 8, 0)
    expect(await isStopped(guard(8))).toBe(true)
  })

  it('lets the rows of a copy be deleted when its time has come, and at no other time', async () => {
    const guard = (now: number) => purgeGuard(id, now)
    expect(await isStopped(guard(100))).toBe(true)
    await fence('everything', 1, 100)
    expect([await isStopped(guard(99)), await isStopped(guard(100))]).toEqual([true, false])
    await fence('everything', 2)
    expect(await isStopped(guard(100))).toBe(true)
    await fence('nothing', 3, 0)
    expect(await isStopped(guard(100))).toBe(true)
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
    expect(await database.batch([sql`select 1 as a`, sql`select 2 as b`])).toEqual([[{ a: 1 }], [{ b: 2 }]])
    expect(meter.roundTrips).toBe(4)
    expect((await catalog.post([catalog.record('new')])).status).toBe(200)
    expect(await rowsIn('DB', 'records')).toBe(3)
    expect(await rowsIn('DB_2', 'records')).toBe(4)
  })

  it('is not written to there if time ran out while it was looked for', async () => {
    await moveToTheEnd(id, 'DB_2')
    const place = { workspaceId: id, databaseBinding: 'DB' }
    const deadline = new Deadline()
    deadline.expire()
    const use = { sessions: new ReadSessions(undefined, false), nearest: false, deadline }
    const opened = () => workspaceDatabase(several, place, new Meter(), use)
    const write = sql`update catalogs set search_enabled = 1 where workspace_id = ${id}`
    const switched = sql<{ n: number }>`select search_enabled as n from catalogs where workspace_id = ${id}`
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    // The isolate has forgotten the new database.
    await expect(opened().batch([write])).rejects.toThrow('No answer within 29 seconds')
    expect(await opened().one(switched)).toEqual({ n: 0 })
  })

  it('is looked for three times if every database says that it is in another one', async () => {
    for (const binding of ['DB', 'DB_2']) {
      const everything: Fence = { workspaceId: id, generation: 1, refuses: 'everything', forgetAfter: null }
      await catalogDatabase(several, binding, new Meter()).batch(setFence(everything))
    }
    let lookUps = 0
    const moving = faultyDatabase(async ({ statements, run }) => {
      if (!statements.some((statement) => statement.includes('workspace_moves'))) return run()
      const binding = lookUps++ % 2 === 0 ? 'DB_2' : 'DB'
      const move = env.DB.prepare('update workspaces set database_binding = ? where workspace_id = ?')
      await move.bind(binding, id).run()
      return run()
    })
    const place = { workspaceId: id, databaseBinding: 'DB' }
    const opened = workspaceDatabase({ ...several, DB: moving }, place, new Meter())
    await expect(opened.all(sql`select 1`)).rejects.toMatchObject({ code: 'unavailable' })
    expect(lookUps).toBe(3)
  })
})
