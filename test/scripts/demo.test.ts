import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import diagnoses from '../../samples/diagnoses.csv?raw'
import labTests from '../../samples/lab-tests.csv?raw'
import medications from '../../samples/medications.csv?raw'
import symptoms from '../../samples/symptoms.csv?raw'
import { addDemoMembers, createDemo, curlLine, DEMO_MEMBERS, hasDemo, loadSamples } from '../../scripts/local/demo.mjs'
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

describe('the demo workspace', () => {
  it('is made once, and later gets only new credentials', async () => {
    expect(await hasDemo(service)).toBe(false)
    const first = await createDemo(service)
    expect(await hasDemo(service)).toBe(true)
    const second = await createDemo(service)
    expect(second.client_id).not.toBe(first.client_id)
    expect(await loadSamples(service, first, readSample)).not.toEqual({})
  })

  it('gets its users once, and keeps later changes of them', async () => {
    const membersOf = async () => {
      const { results } = await env.DB.prepare('select email, role from members order by email').all()
      return results
    }
    await createDemo(service)
    await addDemoMembers(service)
    expect(await membersOf()).toEqual(DEMO_MEMBERS)
    await env.DB.prepare("update members set role = 'editor'").run()
    await addDemoMembers(service)
    expect(await membersOf()).toEqual(DEMO_MEMBERS.map((member) => ({ ...member, role: 'editor' })))
  })

  it('gets the whole sample of every type, without a warning', async () => {
    const credentials = await createDemo(service)
    const answers: { data?: { warnings?: unknown[] } }[] = []
    const fetch: typeof service.fetch = async (url, init) => {
      const response = await service.fetch(url, init)
      answers.push(await response.clone().json())
      return response
    }
    const loaded = await loadSamples({ ...service, fetch }, credentials, readSample)
    expect(loaded).toEqual({ medication: 300, lab_test: 79, symptom: 300, diagnosis: 300 })
    expect(answers.flatMap(({ data }) => data?.warnings ?? [])).toEqual([])
  })

  it('keeps later changes of a catalog', async () => {
    const credentials = await createDemo(service)
    await loadSamples(service, credentials, readSample)
    expect(await loadSamples(service, credentials, readSample)).toEqual({})
  })

  it('says why it could not be made', async () => {
    const credentials = { ...(await createDemo(service)), client_secret: 'wrong' }
    await expect(loadSamples(service, credentials, readSample)).rejects.toMatchObject({
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
