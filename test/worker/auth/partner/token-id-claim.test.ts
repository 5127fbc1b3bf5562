import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { claimTokenId } from '#worker/auth/partner/token-id-claim'
import { sha256Hex } from '#worker/crypto/hash'
import type { Env } from '#worker/env'
import { callAsPartner, LIST, newPartner, partnerTokenOf, sessionToken } from '../../../support/partners'
import { bodyFrom, calling, jsonBody } from '../../../support/service'

const EXP = 1795197900
const NOW = new Date((EXP - 300) * 1000)

const newKid = (): string => `kid-${crypto.randomUUID()}`

/** Claims an ID for a request with this response, waits for the work after the response, and returns its reports. */
async function claim(
  id: { kid: string; jti: string; exp?: number },
  { now = NOW, bindings = env as Pick<Env, 'SEEN_JTI' | 'REPLAY_GUARD'>, status = 200 } = {},
) {
  const work: Promise<unknown>[] = []
  const faults: string[] = []
  const background = {
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    report: (fault: string) => void faults.push(fault),
  }
  const claimed = await claimTokenId(bindings, { exp: EXP, ...id }, now, background)
  await claimed?.(status)
  await Promise.all(work)
  return { first: claimed !== null, faults }
}

const NO_FILTER = { get: async () => null, put: async () => undefined } as unknown as KVNamespace
const unfiltered = { REPLAY_GUARD: env.REPLAY_GUARD, SEEN_JTI: NO_FILTER }

const FORM = { 'Content-Type': 'multipart/form-data; boundary=x' }

/** More bytes than the body limit, without a declared length. */
const tooMuch = (): ReadableStream<Uint8Array> => {
  const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  return new Blob([form, new Uint8Array(10_485_760), '\r\n--x--\r\n']).stream()
}

const BROKEN_GUARD = {
  getByName: () => ({ claim: () => Promise.reject(new Error('the object is not reachable')) }),
} as unknown as Env['REPLAY_GUARD']

describe('a jti', () => {
  it('is accepted for exactly one of twenty simultaneous requests', async () => {
    const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'once' } })
    const calls = await Promise.all(Array.from({ length: 20 }, () => callAsPartner(token)))
    expect(calls.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
    const id = { kid: newKid(), jti: 'not in the filter' }
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(id, { bindings: unfiltered })))
    expect(claims.filter(({ first }) => first)).toHaveLength(1)
  })

  it('is used up for all endpoints, and only for its credential', async () => {
    const claims = { jti: 'the same' }
    const [one, two] = [await newPartner(), await newPartner()]
    await sessionToken(await partnerTokenOf(one, { claims }))
    expect((await callAsPartner(await partnerTokenOf(two, { claims }))).status).toBe(200)
    expect((await callAsPartner(await partnerTokenOf(one, { claims }))).status).toBe(401)
  })

  it('is used up by each accepted request, and by no other', async () => {
    const partner = await newPartner()
    const claims = { jti: 'kept' }
    const foreign = await partnerTokenOf({ ...partner, secret: (await newPartner()).secret }, { claims })
    const expired = await partnerTokenOf(partner, { claims: { ...claims, iat: 1, exp: 2 } })
    for (const token of [foreign, expired]) expect((await callAsPartner(token)).status).toBe(401)
    const token = await partnerTokenOf(partner, { claims })
    const upload = '/mr/api/v2/docs'
    for (const [status, path, body] of [
      [400, `${LIST}&limit=0`, null],
      [400, '/registration/v1/init', jsonBody({ mobile_number: '1' })],
      [403, '/medical-db/v1/search/?type=symptom&q=cough&source=provider', null],
      [413, upload, { body: tooMuch(), headers: FORM }],
      [415, upload, jsonBody({})],
      [404, '/admin/datasets/v1/none/?type=symptom', null],
      [401, LIST, null],
    ] as const)
      expect((await callAsPartner(token, path, body ? { method: 'POST', ...body } : {})).status, path).toBe(status)
  })

  it('stays used if the guard cannot release a claim, and the failure is logged', async () => {
    const partner = await newPartner()
    const real = env.REPLAY_GUARD.getByName(partner.kid)
    const release = () => Promise.reject(new Error('the object is not reachable'))
    const claim = (...id: Parameters<typeof real.claim>) => real.claim(...id)
    const REPLAY_GUARD = { getByName: () => ({ claim, release }) } as unknown as Env['REPLAY_GUARD']
    const token = await partnerTokenOf(partner, { claims: { jti: 'lost' } })
    const spy = vi.spyOn(console, 'log')
    const call = calling(undefined, { ...env, REPLAY_GUARD })
    expect((await call(`${LIST}&limit=0`, { headers: { 'X-Auth-Token': token } })).status).toBe(400)
    expect(spy.mock.calls.join('\n')).toContain('"warning":"replay guard: release failed"')
    expect((await callAsPartner(token)).status).toBe(401)
  })

  it('is released if the response is a rejection or 503, but not if it is 404 or 500', async () => {
    const id = { kid: newKid(), jti: 'x' }
    const first = async (status: number) => (await claim(id, { status, bindings: unfiltered })).first
    expect([await first(503), await first(400), await first(499)]).toEqual([true, true, true])
    expect([await first(404), await first(200)]).toEqual([true, false])
    const other = { kid: newKid(), jti: 'x' }
    await claim(other, { status: 500, bindings: unfiltered })
    expect((await claim(other, { bindings: unfiltered })).first).toBe(false)
  })

  it('is stored until exp and the tolerance have passed', async () => {
    const id = { kid: newKid(), jti: 'x' }
    const at = (seconds: number) => claim(id, { now: new Date(seconds * 1000), bindings: unfiltered })
    expect((await at(EXP - 300)).first).toBe(true)
    expect((await at(EXP + 59)).first).toBe(false)
    expect((await at(EXP + 60)).first).toBe(true)
  })
})

describe('the filter in front of the guard', () => {
  const never = () => new Promise<never>(() => {})
  const guardOf = (claim: () => Promise<boolean>) =>
    ({ getByName: () => ({ claim }) }) as unknown as Env['REPLAY_GUARD']
  const filterOf = (get: () => Promise<string | null>) =>
    ({ get, put: async () => undefined }) as unknown as KVNamespace
  const unseen = filterOf(async () => null)

  /** Whether an ID is claimed, without the work after the response. */
  const race = async (REPLAY_GUARD: Env['REPLAY_GUARD'], SEEN_JTI: KVNamespace) => {
    const background = { waitUntil: () => {}, report: () => {} }
    const id = { kid: newKid(), jti: 'x', exp: EXP }
    return (await claimTokenId({ REPLAY_GUARD, SEEN_JTI }, id, NOW, background)) !== null
  }

  it('rejects a replay without a request to the guard', async () => {
    const id = { kid: newKid(), jti: 'x' }
    await claim(id)
    expect((await claim(id, { bindings: { ...env, REPLAY_GUARD: BROKEN_GUARD } })).first).toBe(false)
  })

  it('leaves the decision to the guard if it does not contain the ID', async () => {
    expect(
      await race(
        guardOf(async () => true),
        filterOf(never),
      ),
    ).toBe(true)
    const seen = filterOf(async () => '')
    expect(await race(guardOf(never), seen)).toBe(false)
    expect(
      await race(
        guardOf(async () => false),
        unseen,
      ),
    ).toBe(false)
    await expect(race(BROKEN_GUARD, unseen)).rejects.toThrow('not reachable')
  })

  it('stores a digest of the ID as long as the token could be replayed, and at least 60 seconds', async () => {
    const puts: unknown[] = []
    const put = async (...call: unknown[]) => void puts.push(call)
    const SEEN_JTI = { get: async () => null, put } as unknown as KVNamespace
    const kid = newKid()
    for (const [seconds, expirationTtl] of [
      [EXP - 300, 360],
      [EXP + 59, 60],
    ] as const) {
      const jti = `at ${seconds}`
      await claim({ kid, jti }, { now: new Date(seconds * 1000), bindings: { ...env, SEEN_JTI } })
      expect(puts.pop()).toEqual([`${kid}/${await sha256Hex(jti)}`, '', { expirationTtl }])
    }
  })

  it('is ignored if it fails, and the failure is logged', async () => {
    const fail = () => Promise.reject(new Error('KV is away'))
    const bindings = { ...env, SEEN_JTI: { get: fail, put: fail } as unknown as KVNamespace }
    const id = { kid: newKid(), jti: 'x' }
    const [read, written] = ['replay filter: read failed', 'replay filter: write failed']
    expect(await claim(id, { bindings })).toEqual({ first: true, faults: [read, written] })
    expect(await claim(id, { bindings })).toEqual({ first: false, faults: [read] })
  })
})

describe('the replay guard', () => {
  it('accepts no request that it cannot check', async () => {
    const partner = await newPartner()
    const call = async (claims: Record<string, unknown>) => {
      const headers = { 'X-Auth-Token': await partnerTokenOf(partner, { claims }) }
      return calling(undefined, { ...env, REPLAY_GUARD: BROKEN_GUARD })(LIST, { headers })
    }
    const spy = vi.spyOn(console, 'log')
    const response = await call({ jti: 'x' })
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await bodyFrom(response, 503)).toEqual({ success: false, message: expect.stringContaining('again') })
    expect(spy.mock.calls.join('\n')).toContain('"reason":"partner token: replay guard unreachable"')
    expect((await call({})).status).toBe(200)
  })

  it('deletes only expired IDs', async () => {
    // Later than the runtime's own clock, because no alarm can be set in the past.
    const started = Date.now() + 86_400_000
    vi.useFakeTimers({ toFake: ['Date'], now: started })
    const guard = env.REPLAY_GUARD.getByName(newKid())
    for (const [index, seconds] of [60, 90, 400].entries())
      await guard.claim(`id ${index}`, started + seconds * 1000, started)
    const remembered = () =>
      runInDurableObject(guard, async (_instance, { storage }) => ({
        ids: [...storage.sql.exec<{ id: string }>('select id from token_ids order by id')].map(({ id }) => id),
        alarm: ((await storage.getAlarm()) ?? started) - started,
      }))
    expect(await remembered()).toEqual({ ids: ['id 0', 'id 1', 'id 2'], alarm: 180_000 })
    for (const [at, ids, alarm] of [
      [180_000, ['id 2'], 520_000],
      [520_000, [], 0],
    ] as const) {
      vi.setSystemTime(started + at)
      expect(await runDurableObjectAlarm(guard)).toBe(true)
      expect(await remembered()).toEqual({ ids, alarm })
    }
    expect(await runDurableObjectAlarm(guard)).toBe(false)
  })
})
