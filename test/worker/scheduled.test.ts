import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runScheduled } from '../../src/worker/scheduled'
import { newCatalog } from '../support/catalog'
import { moveToTheEnd, rowsIn, several } from '../support/databases'

const DAY_MS = 24 * 60 * 60 * 1000

const later = (ms: number) => new Date(Date.now() + ms)

describe('the scheduled run', () => {
  it('deletes the old copy of a moved workspace after a day, not earlier, and keeps the fence', async () => {
    const [moved, kept] = [await newCatalog(), await newCatalog()]
    for (const catalog of [moved, kept]) await catalog.write(catalog.records(1200))
    await moveToTheEnd(moved.workspace.workspaceId, 'DB_2')
    await runScheduled(several, later(DAY_MS - 60_000))
    expect(await rowsIn('DB', 'records')).toBe(2400)
    await runScheduled(several, later(DAY_MS + 60_000))
    expect(await rowsIn('DB', 'records')).toBe(1200)
    expect(await rowsIn('DB', 'records_search')).toBe(1200)
    expect(await rowsIn('DB', 'catalogs')).toBe(1)
    expect(await rowsIn('DB', 'uploads')).toBe(1)
    expect(await rowsIn('DB', 'workspace_fences')).toBe(1)
    expect(await rowsIn('DB_2', 'records')).toBe(1200)
    expect((await moved.list()).total).toBe(1200)
    expect((await kept.list({ q: 'name' })).total).toBe(1200)
  })

  it('covers every bound database, even when one of them has a fault', async () => {
    const expired = (database: D1Database, id: string) =>
      database
        .prepare("insert into registrations values (?, 'w', ?, 'sealed', null, 0, 1)")
        .bind(id, id)
        .run()
    for (const name of ['DB', 'DB_2', 'DB_3'] as const) await expired(env[name], name)
    const broken = {
      prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error('broken')) }) }),
      batch: () => Promise.reject(new Error('broken')),
    } as unknown as D1Database
    await expect(runScheduled({ ...several, DB_2: broken } as typeof env, new Date())).rejects.toThrow(
      'not everything was done',
    )
    expect(await rowsIn('DB', 'registrations')).toBe(0)
    expect(await rowsIn('DB_3', 'registrations')).toBe(0)
    await runScheduled(several, new Date())
    expect(await rowsIn('DB_2', 'registrations')).toBe(0)
  })
})
