import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runScheduled } from '../../src/worker/scheduled'
import { newCatalog } from '../support/catalog'
import { brokenDatabase, moveToTheEnd, rowsIn, several } from '../support/databases'

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

  it('covers every bound database, even when one of them has a fault', async () => {
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
})
