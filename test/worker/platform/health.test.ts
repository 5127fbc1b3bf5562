import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import { healthSchema } from '#worker/platform/schemas'
import { readState, storeState } from '#worker/storage/scheduled-runs'
import { runScheduled } from '../../../src/worker/scheduled'
import { callOperator } from '../../support/credentials'
import { brokenDatabase, databaseOfSize, execute, openControl, rowsIn, several } from '../../support/databases'
import { newPartner } from '../../support/partners'
import { bodyFrom, calling, dataFrom } from '../../support/service'

type Health = z.output<typeof healthSchema>

async function health(bindings: typeof env = several): Promise<Health> {
  return healthSchema.parse(await dataFrom(callOperator('/health', undefined, 'GET', calling(undefined, bindings))))
}

const broken = brokenDatabase('broken: private')
const well = { ok: true, problem: null, ms: expect.any(Number) }
const wrongKey = () => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

describe('GET /platform/v1/health', () => {
  it('reports that every part is healthy', async () => {
    await runScheduled(several, new Date())
    const data = await health()
    const parts = { scheduled_run: well, bucket: well, replay_filter: well, replay_guard: well, master_key: well }
    expect(data).toMatchObject({ ok: true, ...parts })
    expect(data.databases.map(({ database }) => database)).toEqual(['DB', 'DB_2', 'DB_3'])
    for (const one of data.databases) {
      expect(one).toMatchObject({ ...well, size_bytes: expect.any(Number), last_run: expect.any(String) })
      expect(Math.abs(one.clock_ms!)).toBeLessThan(2000)
    }
  })

  it('names the part that does not respond, without details of its error', async () => {
    await runScheduled(several, new Date())
    const bucket = { get: () => Promise.reject(new Error('broken: private')) } as unknown as R2Bucket
    const data = await health({ ...several, DOCUMENTS: bucket, DB_2: broken })
    expect(data.ok).toBe(false)
    expect(data.bucket).toMatchObject({ ok: false, problem: expect.stringContaining('does not respond') })
    expect(data.databases.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(JSON.stringify(data)).not.toContain('private')
    const strict = (bindings: typeof env) =>
      callOperator('/health?strict=true', undefined, 'GET', calling(undefined, bindings))
    expect(await bodyFrom(strict(several))).toMatchObject({ message: 'All components are healthy.' })
    const message = 'DB_2: it does not respond as expected (Error)'
    expect(await bodyFrom(strict({ ...several, DB_2: broken }), 503)).toEqual({ success: false, message })
  })

  it('detects a wrong but valid master key immediately, and encrypts nothing with it', async () => {
    const { workspaceId } = await newPartner()
    const bindings = { ...several, MASTER_KEY: wrongKey() }
    const { ok, master_key } = await health(bindings)
    expect(ok).toBe(false)
    expect(master_key.problem).toContain('neither MASTER_KEY nor in PREVIOUS_MASTER_KEYS')
    const path = `/workspaces/${workspaceId}/encryption-keys`
    expect((await callOperator(path, {}, 'POST', calling(undefined, bindings))).status).toBe(500)
    expect(await rowsIn('DB', 'encryption_keys')).toBe(0)
    const rotated = { ...bindings, PREVIOUS_MASTER_KEYS: env.MASTER_KEY }
    expect((await health(rotated)).master_key).toMatchObject(well)
  })

  it('reports if the scheduled run is late or had an error', async () => {
    await execute('delete from scheduled_state')
    expect((await health()).scheduled_run.problem).toMatch(
      /^DB: it has not run yet; the next run comes at 20.*:[0-5]0:00\.000Z$/,
    )
    await runScheduled(several, new Date())
    const late = { at: new Date(Date.now() - 31 * 60_000).toISOString(), ok: true }
    await storeState(openControl(), 'runs', { ...(await readState(openControl(), 'runs')), DB_2: late })
    expect((await health()).scheduled_run.problem).toMatch(/^DB_2: the last run was at /)
    const oneMore = { ...several, DB_3: broken }
    await expect(runScheduled(oneMore, new Date())).rejects.toThrow()
    expect((await health()).scheduled_run.problem).toMatch(/^DB_3: the run at .* had an error/)
  })

  it('reports when a database will be full', async () => {
    const now = Date.now()
    const at = (days: number) => new Date(now - days * 24 * 3600 * 1000).toISOString()
    const sizes = [
      { at: at(20), bytes: 6_500_000_000 },
      { at: at(10), bytes: 7_000_000_000 },
    ]
    await storeState(openControl(), 'runs', { DB_2: { at: at(0), ok: true, sizes } })
    const full = await health({ ...several, DB_2: databaseOfSize(8_500_000_000) })
    expect(full.databases[1]).toMatchObject({ ok: false, days_left: 15 })
    expect(full.databases[1]?.problem).toMatch(/^it has 8.5 GB of 10.0 GB, and is full in 15 days if it grows/)
    const emptier = await health({ ...several, DB_2: databaseOfSize(6_000_000_000) })
    expect(emptier.databases[1]).toMatchObject({ ...well, days_left: null })
  })

  it('checks a replay guard in the jurisdiction of the other data', async () => {
    const jurisdiction = vi.fn(() => env.REPLAY_GUARD)
    const REPLAY_GUARD = { jurisdiction } as unknown as typeof env.REPLAY_GUARD
    const { replay_guard } = await health({ ...several, JURISDICTION: 'eu', REPLAY_GUARD })
    expect(replay_guard).toMatchObject(well)
    expect(jurisdiction.mock.calls).toEqual([['eu']])
  })
})
