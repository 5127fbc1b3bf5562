import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { type PartnerTokenContext, verifyPartnerToken } from '#worker/auth/partner/token'
import fixture from '../../../vectors/partner-tokens/vectors.json'

interface Credential {
  kid: string
  issuer: string
  key: CryptoKey
}

interface Vector {
  name: string
  now: number
  header: string
  claims: string
  token: string
  made_by: string
  verdict: string
  error?: string
}

const vectors: Vector[] = fixture.vectors
const acceptedVectors = vectors.filter(({ verdict }) => verdict === 'accepted')
const refusedVectors = vectors.filter(({ verdict }) => verdict === 'refused')

async function findCredential(kid: string): Promise<Credential | null> {
  const found = fixture.credentials.find((credential) => credential.kid === kid)
  if (!found) return null
  const secret = base64url.decode(found.secret)
  return {
    kid,
    issuer: found.issuer,
    key: await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['decrypt']),
  }
}

/** Checks a vector like the service does, and counts the claims of ids. */
async function judge({ token, now }: Vector, context: Partial<PartnerTokenContext<Credential>> = {}) {
  const claimed: string[] = []
  const verdict = await verifyPartnerToken(token, {
    now: new Date(now * 1000),
    audience: fixture.audience,
    findCredential,
    admit: async () => {},
    claimId: async ({ kid }, jti) => {
      claimed.push(`${kid} ${jti}`)
      return true
    },
    ...context,
  })
  return { verdict, claimed }
}

const [good] = acceptedVectors
if (!good) throw new Error('there is no accepted vector')

describe('the test vectors', () => {
  it.each(acceptedVectors)('accept: $name', async (vector) => {
    const { verdict, claimed } = await judge(vector)
    const { sub, iat, exp, jti } = JSON.parse(vector.claims)
    expect(verdict).toMatchObject({ ok: true, value: { credential: { kid: 'partner-1' } } })
    expect(verdict.ok && verdict.value.claims).toEqual({ sub, iat, exp, ...(jti ? { jti } : {}) })
    expect(claimed).toEqual(jti ? [`partner-1 ${jti}`] : [])
  })

  it.each(refusedVectors)('refuse: $name', async (vector) => {
    const { verdict, claimed } = await judge(vector)
    expect(verdict).toMatchObject({ ok: false, error: vector.error })
    // A refused token uses up no id.
    expect(claimed).toEqual([])
  })

  it('have tokens of two other JOSE implementations, and both results of every check', () => {
    expect(new Set(vectors.map((vector) => vector.made_by))).toEqual(new Set(['node-jose', 'jose', 'node:crypto']))
    const stages = new Set(refusedVectors.map(({ error }) => error?.split(':')[0]))
    expect(stages).toEqual(new Set(['form', 'header', 'key', 'decryption', 'claims', 'window']))
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  })
})

describe('verifyPartnerToken', () => {
  it('refuses a token whose id was claimed before', async () => {
    const { verdict } = await judge(good, { claimId: async () => false })
    expect(verdict).toMatchObject({ ok: false, error: 'replay' })
  })

  it('passes on why an id could not be claimed', async () => {
    const fault = new Error('unreachable')
    const claimId = () => Promise.reject(fault)
    await expect(judge(good, { claimId })).rejects.toBe(fault)
  })

  it('claims no id of a request that is not admitted', async () => {
    const refusal = new Error('over the rate')
    const claimed: string[] = []
    const context = {
      admit: () => Promise.reject(refusal),
      claimId: async (_: unknown, jti: string) => claimed.push(jti) > 0,
    }
    await expect(judge(good, context)).rejects.toBe(refusal)
    expect(claimed).toEqual([])
  })

  it('refuses every token of a revoked credential', async () => {
    const { verdict, claimed } = await judge(good, { findCredential: async () => null })
    expect(verdict).toMatchObject({ ok: false, error: 'key: unknown or revoked' })
    expect(claimed).toEqual([])
  })

  it('uses the given clock, to the second', async () => {
    const { exp } = JSON.parse(good.claims)
    const at = async (ms: number) => (await judge(good, { now: new Date(ms) })).verdict.ok
    expect(await at((exp + 60) * 1000 - 1)).toBe(true)
    expect(await at((exp + 60) * 1000)).toBe(false)
  })

  it('refuses a token after a change of any character', async () => {
    const { token } = good
    for (let place = 0; place < token.length; place += 7) {
      const changed = token[place] === 'A' ? 'B' : 'A'
      const altered = token.slice(0, place) + changed + token.slice(place + 1)
      const { verdict, claimed } = await judge({ ...good, token: altered })
      expect(verdict.ok).toBe(false)
      expect(claimed).toEqual([])
    }
  })

  it('passes on a fault that is not about the token', async () => {
    const fault = new Error('the database is away')
    await expect(judge(good, { findCredential: () => Promise.reject(fault) })).rejects.toBe(fault)
  })
})
