import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '#worker/app'
import { claimTokenId } from '#worker/auth/partner/token-id-claim'
import { sha256Hex } from '#worker/crypto/hash'
import type { Env } from '#worker/env'
import { callAsPartner, LIST, newPartner, partnerTokenOf } from '../../../support/partners'
import { bodyFrom, calling, jsonBody } from '../../../support/service'

const EXP = 1795197900
const NOW = new Date((EXP - 300) * 1000)

const newKid = (): string => `kid-${crypto.randomUUID()}`

/** Claims an id for a request that gets in, waits for the work after the answer, and returns what was reported. */
async function claim(
  id: { kid: string; jti: string; exp?: number },
  { now = NOW, bindings = env }: { now?: Date; bindings?: Pick<Env, 'SEEN_JTI' | 'REPLAY_GUARD'> } = {},
) {
  const work: Promise<unknown>[] = []
  const faults: string[] = []
  const background = {
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    report: (fault: string) => void faults.push(fault),
  }
  const claimed = await claimTokenId(bindings, { exp: EXP, ...id }, now, background)
  await claimed?.(200)
  await Promise.all(work)
  return { first: claimed !== null, faults }
}

const NO_FILTER = { get: async () => null, put: async () => undefined } as unknown as KVNamespace
const unfiltered = { REPLAY_GUARD: env.REPLAY_GUARD, SEEN_JTI: NO_FILTER }

const FORM = { 'Content-Type': 'multipart/form-data; boundary=x' }

/** More bytes than a body may have, without a declared length. */
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

  it('is remembered for all endpoints, and only for its credential', async () => {
    const claims = { jti: 'the same' }
    const [one, two] = [await newPartner(), await newPartner()]
    const session = callAsPartner(await partnerTokenOf(one, { claims }), '/api/v1/auth/session', { method: 'POST' })
    expect((await session).status).toBe(200)
    expect((await callAsPartner(await partnerTokenOf(two, { claims }))).status).toBe(200)
    expect((await callAsPartner(await partnerTokenOf(one, { claims }))).status).toBe(401)
  })

  it('is not used up by a token that is refused', async () => {
    const partner = await newPartner()
    const claims = { jti: 'kept' }
    const stranger = { ...partner, secret: (await newPartner()).secret }
    expect((await callAsPartner(await partnerTokenOf(stranger, { claims }))).status).toBe(401)
    const expired = { ...claims, iat: 1, exp: 2 }
    expect((await callAsPartner(await partnerTokenOf(partner, { claims: expired }))).status).toBe(401)
    expect((await callAsPartner(await partnerTokenOf(partner, { claims }))).status).toBe(200)
  })

  const search = '/medical-db/v1/search/?type=symptom&q=cough'
  const upload = '/mr/api/v2/docs'

  it.each([
    [400, 'its query is wrong', `${LIST}&limit=0`, {}],
    [400, 'its body is wrong', '/registration/v1/init', jsonBody({ mobile_number: '1' })],
    [403, 'it asks for what partners may not', `${search}&source=provider`, {}],
    [413, 'its body grows too large', upload, { body: tooMuch(), headers: FORM }],
    [415, 'its body has another type', upload, jsonBody({})],
  ])('is not used up by a request that is refused with %i because %s', async (status, _why, path, init) => {
    const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'kept' } })
    const method = 'body' in init ? { method: 'POST' } : {}
    expect((await callAsPartner(token, path, { ...init, ...method })).status).toBe(status)
    expect((await callAsPartner(token)).status).toBe(200)
    expect((await callAsPartner(token)).status).toBe(401)
  })

  it('is used up by a request that gets in and finds nothing', async () => {
    const token = await partnerTokenOf(await newPartner(), { claims: { jti: 'used' } })
    expect((await callAsPartner(token, '/admin/datasets/v1/none/?type=symptom')).status).toBe(404)
    expect((await callAsPartner(token)).status).toBe(401)
  })

  it('stays used when the guard cannot take a claim back, and the failure is logged', async () => {
    const partner = await newPartner()
    const real = env.REPLAY_GUARD.getByName(partner.kid)
    const release = () => Promise.reject(new Error('the object is not reachable'))
    const claim = (...id: Parameters<typeof real.claim>) => real.claim(...id)
    const REPLAY_GUARD = { getByName: () => ({ claim, release }) } as unknown as Env['REPLAY_GUARD']
    const token = await partnerTokenOf(partner, { claims: { jti: 'lost' } })
    const spy = vi.spyOn(console, 'log')
    const refused = await calling(createApp(), { ...env, REPLAY_GUARD })(`${LIST}&limit=0`, {
      headers: { 'X-Auth-Token': token },
    })
    const log = spy.mock.calls.join('\n')
    expect(refused.status).toBe(400)
    expect(log).toContain('"warning":"replay guard: release failed"')
    expect((await callAsPartner(token)).status).toBe(401)
  })

  it('is remembered until exp and the tolerance have passed', async () => {
    const id = { kid: newKid(), jti: 'x' }
    const at = (seconds: number) => claim(id, { now: new Date(seconds * 1000), bindings: unfiltered })
    expect((await at(EXP - 300)).first).toBe(true)
    expect((await at(EXP + 59)).first).toBe(false)
    expect((await at(EXP + 60)).first).toBe(true)
  })
})

describe('the filter in front of the guard', () => {
  it('refuses a replay without reaching the guard', async () => {
    const id = { kid: newKid(), jti: 'x' }
    await claim(id)
    const { first } = await claim(id, { bindings: { ...env, REPLAY_GUARD: BROKEN_GUARD } })
    expect(first).toBe(false)
  })

  it('keeps a digest of the id as long as the token could be replayed, and at least 60 seconds', async () => {
    const puts: unknown[] = []
    const put = async (...call: unknown[]) => void puts.push(call)
    const SEEN_JTI = { get: async () => null, put } as unknown as KVNamespace
    const kid = newKid()
    const at = (seconds: number) =>
      claim({ kid, jti: `at ${seconds}` }, { now: new Date(seconds * 1000), bindings: { ...env, SEEN_JTI } })
    await at(EXP - 300)
    await at(EXP + 59)
    expect(puts).toEqual([
      [`${kid}/${await sha256Hex(`at ${EXP - 300}`)}`, '', { expirationTtl: 360 }],
      [`${kid}/${await sha256Hex(`at ${EXP + 59}`)}`, '', { expirationTtl: 60 }],
    ])
  })

  it('is ignored when it fails, and the failure is logged', async () => {
    const fail = () => Promise.reject(new Error('KV is away'))
    const bindings = { ...env, SEEN_JTI: { get: fail, put: fail } as unknown as KVNamespace }
    const id = { kid: newKid(), jti: 'x' }
    const read = 'replay filter: read failed'
    expect(await claim(id, { bindings })).toEqual({
      first: true,
      faults: [read, 'replay filter: write failed'],
    })
    expect(await claim(id, { bindings })).toEqual({ first: false, faults: [read] })
  })
})

describe('the guard and the filter', () => {
  const never = () => new Promise<never>(() => {})
  const guardOf = (claim: () => Promise<boolean>) =>
    ({ getByName: () => ({ claim }) }) as unknown as Env['REPLAY_GUARD']
  const filterOf = (get: () => Promise<string | null>) =>
    ({ get, put: async () => undefined }) as unknown as KVNamespace
  const race = async (bindings: Pick<Env, 'SEEN_JTI' | 'REPLAY_GUARD'>) => {
    const background = { waitUntil: () => {}, report: () => {} }
    return (await claimTokenId(bindings, { kid: newKid(), jti: 'x', exp: EXP }, NOW, background)) !== null
  }

  it('are asked at the same time: neither waits for the other', async () => {
    const REPLAY_GUARD = guardOf(async () => true)
    expect(await race({ REPLAY_GUARD, SEEN_JTI: filterOf(never) })).toBe(true)
    const seen = filterOf(async () => '')
    expect(await race({ REPLAY_GUARD: guardOf(never), SEEN_JTI: seen })).toBe(false)
  })

  it('leave the decision to the guard when the filter does not know the id', async () => {
    const unseen = filterOf(async () => null)
    expect(await race({ REPLAY_GUARD: guardOf(async () => false), SEEN_JTI: unseen })).toBe(false)
    await expect(race({ REPLAY_GUARD: BROKEN_GUARD, SEEN_JTI: unseen })).rejects.toThrow('not reachable')
  })
})

describe('the replay guard', () => {
  it('lets no request in that it cannot check', async () => {
    const partner = await newPartner()
    const bindings = { ...env, REPLAY_GUARD: BROKEN_GUARD }
    const call = async (claims: Record<string, unknown>) => {
      const headers = { 'X-Auth-Token': await partnerTokenOf(partner, { claims }) }
      return calling(createApp(), bindings)(LIST, { headers })
    }
    const spy = vi.spyOn(console, 'log')
    const response = await call({ jti: 'x' })
    const log = spy.mock.calls.join('\n')
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await bodyFrom(response, 503)).toEqual({ success: false, message: expect.stringContaining('again') })
    expect(log).toContain('"reason":"partner token: replay guard unreachable"')
    expect((await call({})).status).toBe(200)
  })

  it('deletes expired ids, and only those, some time after they expire', async () => {
    const kid = newKid()
    // Later than the runtime's own clock, because no alarm can be set in the past.
    const started = Date.now() + 86_400_000
    vi.useFakeTimers({ toFake: ['Date'], now: started })
    const guard = env.REPLAY_GUARD.getByName(kid)
    const expiries = [60, 90, 400].map((seconds) => started + seconds * 1000)
    for (const [index, expiry] of expiries.entries()) await guard.claim(`id ${index}`, expiry, started)
    const remembered = () =>
      runInDurableObject(guard, async (_instance, { storage }) => ({
        ids: storage.sql
          .exec<{ id: string }>('select id from token_ids order by id')
          .toArray()
          .map(({ id }) => id),
        alarm: ((await storage.getAlarm()) ?? started) - started,
      }))
    expect(await remembered()).toEqual({ ids: ['id 0', 'id 1', 'id 2'], alarm: 180_000 })

    vi.setSystemTime(started + 180_000)
    expect(await runDurableObjectAlarm(guard)).toBe(true)
    expect(await remembered()).toEqual({ ids: ['id 2'], alarm: 520_000 })

    vi.setSystemTime(started + 520_000)
    expect(await runDurableObjectAlarm(guard)).toBe(true)
    expect(await remembered()).toEqual({ ids: [], alarm: 0 })
    expect(await runDurableObjectAlarm(guard)).toBe(false)
  })
})
