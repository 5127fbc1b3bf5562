import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '#worker/app'
import diagnoses from '../../samples/diagnoses.csv?raw'
import labTests from '../../samples/lab-tests.csv?raw'
import medications from '../../samples/medications.csv?raw'
import symptoms from '../../samples/symptoms.csv?raw'
import { rateLimit } from '../../scripts/local/bindings.mjs'
import { curlLine, DEMO_MEMBERS, ensureDemo } from '../../scripts/local/demo.mjs'
import { newContext } from '../support/background'

const app = createApp()
const origin = 'http://localhost:8787'
const service = {
  origin,
  operatorToken: env.PLATFORM_ADMIN_TOKEN!,
  fetch: async (url: string, init?: RequestInit) => app.request(url, init, env, newContext()),
}

const files: Record<string, string> = {
  'medications.csv': medications,
  'lab-tests.csv': labTests,
  'symptoms.csv': symptoms,
  'diagnoses.csv': diagnoses,
}
const readSample = async (file: string) => files[file]!

type Credentials = Awaited<ReturnType<typeof ensureDemo>>['credentials']

/** Makes the demo workspace as each start does. @param saved credentials of an earlier start */
async function start(saved?: Partial<Credentials>, overService = service, members = DEMO_MEMBERS) {
  const steps: Partial<Credentials>[] = []
  const save = async (credentials: Partial<Credentials>) => void steps.push(credentials)
  return { ...(await ensureDemo(overService, members, { credentials: saved, save }, readSample)), steps }
}

describe('the demo workspace', () => {
  it('is made once, and later gets only credentials that were lost', async () => {
    const { credentials, loaded, steps } = await start()
    expect(loaded).toEqual({ medication: 300, lab_test: 79, symptom: 300, diagnosis: 300 })
    expect(steps.at(-1)).toEqual(credentials)
    expect(await start(credentials)).toEqual({ credentials, loaded: {}, steps: [] })
    // An earlier start ended after its first step.
    const finished = await start(steps[0])
    expect(finished.credentials).toEqual({ ...credentials, api_key: finished.credentials.api_key })
    expect((await start()).credentials.client_id).not.toBe(credentials.client_id)
  })

  it('does not take credentials of another state', async () => {
    const { credentials } = await start({ client_id: 'other', client_secret: 'other', api_key: 'other' })
    expect(Object.values(credentials)).not.toContain('other')
  })

  it('gets its users once, and keeps later changes of them', async () => {
    const membersOf = async () => {
      const { results } = await env.DB.prepare('select email, role from members order by email').all()
      return results
    }
    await start()
    expect(await membersOf()).toEqual(DEMO_MEMBERS)
    await env.DB.prepare("update members set role = 'editor'").run()
    // The service keeps addresses in lower case.
    const inCapitals = DEMO_MEMBERS.map((member) => ({ ...member, email: member.email.toUpperCase() }))
    await start(undefined, service, inCapitals)
    expect(await membersOf()).toEqual(DEMO_MEMBERS.map((member) => ({ ...member, role: 'editor' })))
  })

  it('gets the samples without a warning', async () => {
    const answers: { data?: { warnings?: unknown[] } }[] = []
    const fetch: typeof service.fetch = async (url, init) => {
      const response = await service.fetch(url, init)
      answers.push(await response.clone().json())
      return response
    }
    await start(undefined, { ...service, fetch })
    expect(answers.flatMap(({ data }) => data?.warnings ?? [])).toEqual([])
  })

  it('says why it could not be made', async () => {
    const { credentials } = await start()
    await expect(start({ ...credentials, client_secret: 'wrong' })).rejects.toMatchObject({
      status: 401,
      oauth: 'invalid_client',
    })
  })

  it('comes with a line for the shell that quotes what it holds', () => {
    const line = curlLine(origin, { client_id: 'c', client_secret: 's', api_key: 'k' })
    expect(line).toContain(`'{"client_id":"c","client_secret":"s","grant_type":"client_credentials"}'`)
    expect(line).toContain(`'X-API-KEY: k'`)
    expect(line).not.toContain('\n')
  })
})

describe('a rate limit of npm start', () => {
  it('admits so many requests of a key in a period, as many of another one, and begins anew with each period', async () => {
    vi.useFakeTimers({ now: 60_000 })
    const rate = rateLimit({ limit: 2, period: 60 })
    const admitted = []
    for (const key of ['a', 'a', 'a', 'b', 'a', 'b', 'b']) admitted.push((await rate.limit({ key })).success)
    expect(admitted).toEqual([true, true, false, true, false, true, false])
    vi.setSystemTime(119_999)
    await expect(rate.limit({ key: 'a' })).resolves.toEqual({ success: false })
    vi.setSystemTime(120_000)
    await expect(rate.limit({ key: 'a' })).resolves.toEqual({ success: true })
  })
})
