import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import { healthSchema } from '#worker/platform/schemas'
import { readState, storeState } from '#worker/storage/scheduled-runs'
import { runScheduled } from '../../../src/worker/scheduled'
import { callOperator } from '../../support/credentials'
import { brokenDatabase, execute, openControl, rowsIn, several } from '../../support/databases'
import { eventually } from '../../support/eventually'
import { newPartner } from '../../support/partners'
import { bodyFrom, calling, dataFrom } from '../../support/service'

type Health = z.output<typeof healthSchema>

async function health(bindings: typeof env = several): Promise<Health> {
  return healthSchema.parse(await dataFrom(callOperator('/health', undefined, 'GET', calling(undefined, bindings))))
}

const failing = () => Promise.reject(new Error('broken: private'))
const broken = brokenDatabase('broken: private')
const well = { ok: true, problem: null, ms: expect.any(Number) }
const wrongKey = () => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

describe('GET /platform/v1/health', () => {
  it('says that every part is well, with the size, the clock and the last run of every database', async () => {
    await runScheduled(several, new Date())
    const data = await health()
    expect(data).toMatchObject({
      ok: true,
      scheduled_run: well,
      bucket: well,
      replay_filter: well,
      replay_guard: well,
      master_key: well,
    })
    expect(data.databases.map(({ database }) => database)).toEqual(['DB', 'DB_2', 'DB_3'])
    for (const one of data.databases) {
      expect(one).toMatchObject({ ...well, size_bytes: expect.any(Number), last_run: expect.any(String) })
      expect(Math.abs(one.clock_ms!)).toBeLessThan(2000)
    }
  })

  it('names the part that does not answer, and says nothing of its fault', async () => {
    const bucket = { get: failing } as unknown as R2Bucket
    const data = await health({ ...several, DOCUMENTS: bucket, DB_2: broken })
    expect(data.ok).toBe(false)
    expect(data.bucket).toMatchObject({ ok: false, problem: expect.stringContaining('does not answer') })
    expect(data.databases.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(JSON.stringify(data)).not.toContain('private')
  })

  it('is 503 with strict=true if a part has a problem, and names it', async () => {
    await runScheduled(several, new Date())
    const strict = (bindings: typeof env) =>
      callOperator('/health?strict=true', undefined, 'GET', calling(undefined, bindings))
    expect((await strict(several)).status).toBe(200)
    const answer = await strict({ ...several, DB_2: broken })
    expect(await bodyFrom(answer, 503)).toEqual({
      success: false,
      message: 'DB_2: it does not answer as it should (Error)',
    })
  })

  it('waits five seconds for a part that does not answer at all', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const bucket = { get: () => new Promise(() => {}) } as unknown as R2Bucket
    const answer = health({ ...several, DOCUMENTS: bucket })
    await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    const ticking = setInterval(() => vi.advanceTimersByTime(6000), 20)
    const data = await answer
    clearInterval(ticking)
    expect(data.bucket).toMatchObject({ ok: false, problem: 'no answer within 5000 ms' })
  })

  it('notices a wrong but valid master key at once, and nothing is sealed with it', async () => {
    const { workspaceId } = await newPartner()
    const bindings = { ...several, MASTER_KEY: wrongKey() }
    const { ok, master_key } = await health(bindings)
    expect(ok).toBe(false)
    expect(master_key.problem).toContain('neither MASTER_KEY nor in PREVIOUS_MASTER_KEYS')
    const rows = async () => (await rowsIn('DB', 'encryption_keys')) ?? 0
    const before = await rows()
    const path = `/workspaces/${workspaceId}/encryption-keys`
    expect((await callOperator(path, {}, 'POST', calling(undefined, bindings))).status).toBe(500)
    expect(await rows()).toBe(before)
  })

  it('takes a new master key beside the previous one', async () => {
    await newPartner()
    const bindings = { ...several, MASTER_KEY: wrongKey(), PREVIOUS_MASTER_KEYS: env.MASTER_KEY }
    expect((await health(bindings)).master_key).toMatchObject(well)
  })

  it('says when the scheduled run is late or had a fault', async () => {
    await execute('delete from scheduled_state')
    expect((await health()).scheduled_run.problem).toBe('DB: it has not run yet')
    await runScheduled(several, new Date())
    const late = { at: new Date(Date.now() - 31 * 60_000).toISOString(), ok: true }
    await storeState(openControl(), 'runs', { ...(await readState(openControl(), 'runs')), DB_2: late })
    expect((await health()).scheduled_run.problem).toMatch(/^DB_2: the last run was at /)
    const oneMore = { ...several, DB_3: broken }
    await expect(runScheduled(oneMore, new Date())).rejects.toThrow()
    expect((await health()).scheduled_run.problem).toMatch(/^DB_3: the run at .* had a fault/)
  })
})
