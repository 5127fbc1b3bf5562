import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { readState, storeState } from '#worker/storage/scheduled-runs'
import { runScheduled } from '../../src/worker/scheduled'
import { newCatalog } from '../support/catalog'
import { newWorkspace } from '../support/credentials'
import { brokenDatabase, execute, moveToTheEnd, openControl, rowsIn, several, single } from '../support/databases'
import { faultyDatabase, lostBefore } from './storage/faulty-database'

const DAY_MS = 24 * 60 * 60 * 1000

const later = (ms: number) => new Date(Date.now() + ms)

describe('the scheduled run', () => {
  it('deletes the old copy of a moved workspace after a day, not earlier', async () => {
    const [moved, kept] = [await newCatalog(), await newCatalog()]
    for (const catalog of [moved, kept]) await catalog.write(catalog.records(600))
    await moveToTheEnd(moved.workspace.workspaceId, 'DB_2')
    await runScheduled(several, later(DAY_MS - 60_000))
    expect(await rowsIn('DB', 'records')).toBe(1200)
    await runScheduled(several, later(DAY_MS + 60_000))
    expect(await rowsIn('DB', 'records')).toBe(600)
    expect(await rowsIn('DB', 'records_search')).toBe(600)
    for (const table of ['catalogs', 'uploads', 'workspace_quotas']) expect(await rowsIn('DB', table)).toBe(1)
    expect(await rowsIn('DB_2', 'records')).toBe(600)
    expect((await moved.list()).total).toBe(600)
    expect((await kept.list({ q: 'name' })).total).toBe(600)
  })

  it('deletes the other old copies although the database of one is not bound', async () => {
    const [moved, unbound] = [await newCatalog(), await newCatalog()]
    for (const catalog of [moved, unbound]) {
      await catalog.write(catalog.records(3))
      await moveToTheEnd(catalog.workspace.workspaceId, 'DB_2')
    }
    await execute("update workspaces set old_database = 'DB_9' where workspace_id = ?", unbound.workspace.workspaceId)
    await expect(runScheduled(several, later(DAY_MS + 60_000))).rejects.toThrow('not everything was done')
    expect(await rowsIn('DB', 'records')).toBe(3)
  })

  it('covers every bound database, even if one of them has an error', async () => {
    const expired = (database: D1Database, id: string) =>
      database.prepare("insert into registrations values (?, 'w', ?, 'sealed', null, 0, 1)").bind(id, id).run()
    for (const name of ['DB', 'DB_2', 'DB_3'] as const) await expired(env[name], name)
    const bindings = { ...several, DB_2: brokenDatabase() }
    await expect(runScheduled(bindings, new Date())).rejects.toThrow('not everything was done')
    expect(await rowsIn('DB', 'registrations')).toBe(0)
    expect(await rowsIn('DB_3', 'registrations')).toBe(0)
    await runScheduled(several, new Date())
    expect(await rowsIn('DB_2', 'registrations')).toBe(0)
  })

  it('continues if the control database rejects any one read, and keeps cached data about databases', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await runScheduled(several, new Date())
    const before = await readState(openControl(), 'runs')
    let calls = 0
    const counting = faultyDatabase((call) => {
      calls++
      return call.run()
    })
    await runScheduled({ ...several, DB: counting }, new Date())
    const count = calls
    for (let n = 0; n < count; n++) {
      await env.DB_2.exec("insert into registrations values ('r', 'w', 'n', 'sealed', null, 0, 1)")
      calls = 0
      const refused = faultyDatabase((call) => (calls++ === n ? lostBefore('D1_ERROR: refused')() : call.run()))
      const run = runScheduled({ ...several, DB: refused }, new Date())
      await run.then(
        () => undefined,
        (error: unknown) => expect(error).toBeInstanceOf(AggregateError),
      )
      const after = await readState(openControl(), 'runs')
      expect(
        Object.values(after).filter(({ sizes }) => sizes !== undefined),
        `call ${n}`,
      ).toHaveLength(3)
      // If a run cannot read which workspaces of a database are active, it leaves that database to the next run.
      if ((await rowsIn('DB_2', 'registrations')) > 0) await runScheduled(several, new Date())
      expect(await rowsIn('DB_2', 'registrations')).toBe(0)
    }
    expect(Object.keys(await readState(openControl(), 'runs'))).toEqual(Object.keys(before))
  })

  it('skips a workspace that stops being active during the run', async () => {
    const { workspaceId } = await newWorkspace()
    await env.DB.prepare("insert into document_keys values (?, 'a client', '', 'k1', 'd', 1)").bind(workspaceId).run()
    const realNow = Date.now
    const database = faultyDatabase(async ({ statements, run }) => {
      const result = await run()
      // The first task of a database.
      if (statements.some((sql) => sql.includes('from watches'))) {
        await execute("update workspaces set state = 'read_only'")
        vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 31_000)
      }
      return result
    })
    await runScheduled({ ...single, DB: database }, new Date())
    expect(await rowsIn('DB', 'document_keys')).toBe(1)
    await execute("update workspaces set state = 'active'")
    await runScheduled(single, new Date())
    expect(await rowsIn('DB', 'document_keys')).toBe(0)
  })

  it('alternates between many databases, and reports those that it did not reach', async () => {
    const lines: { scheduled?: string; unfinished?: string[]; statements?: number }[] = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(JSON.parse(line)))
    const names = Array.from({ length: 70 }, (_, n) => `DB_${n + 4}`)
    const bindings = { ...several, ...Object.fromEntries(names.map((name) => [name, env.DB_3])) }
    const waiting = new Set(names)
    let runs = 0
    for (; waiting.size > 0 && runs < 10; runs++) {
      await runScheduled(bindings as typeof env, later(runs * 600_000))
      const line = lines.findLast(({ scheduled }) => scheduled === 'housekeeping')
      expect(line?.statements).toBeLessThan(1000)
      for (const name of names) if (!line?.unfinished?.includes(name)) waiting.delete(name)
    }
    expect(runs).toBeLessThan(5)
    expect(runs).toBeGreaterThan(1)
  })

  it('begins in a database with the task that the last run did not reach', async () => {
    const tasks: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line: string) => tasks.push(JSON.parse(line).task))
    const bindings = { ...several, DB_2: brokenDatabase() }
    await expect(runScheduled(bindings, new Date())).rejects.toThrow()
    const order = tasks.filter((task) => task !== undefined)
    const stopped = { DB_2: { at: new Date(0).toISOString(), ok: true, next: String(order[3]) } }
    await storeState(openControl(), 'runs', stopped)
    tasks.length = 0
    await expect(runScheduled(bindings, new Date())).rejects.toThrow()
    const others = ['removed_orphans', 'webhook_attempts']
    const own = (names: readonly string[]) => names.filter((task) => task !== undefined && !others.includes(task))
    expect(own(tasks)).toEqual(own([...order.slice(3), ...order.slice(0, 3)]))
    const runs = await readState(openControl(), 'runs')
    expect(runs.DB_2).toEqual({ at: expect.any(String), ok: false })
  })
})
