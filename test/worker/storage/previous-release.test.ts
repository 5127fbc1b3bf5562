import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import service from '#worker/index'
import changelog from '../../../CHANGELOG.md?raw'
import { version } from '../../../package.json'
import { callOperator, requestToken } from '../../support/credentials'
import { uploadTo } from '../../support/documents'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { calling, type Fetch, jsonBody } from '../../support/service'

/** The bundle of the release before this one, which `node scripts/deploy/keep-release.mjs` has kept. */
const releases = import.meta.glob<{ default: typeof service }>('../fixtures/releases/*.js', { eager: true })

const isOtherRelease = (release: string) => release !== version
const previousRelease = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)]
  .map(([, release]) => release!)
  .find(isOtherRelease)
const kept = releases[`../fixtures/releases/${previousRelease}.js`]

it(`has the Worker of ${previousRelease}, and of no other release`, () => {
  expect(Object.keys(releases)).toEqual([`../fixtures/releases/${previousRelease}.js`])
})

const before = kept!.default
const [old, today] = [calling(before), calling(service)]

const DATASETS = '/admin/datasets/v1/'
const CATALOG = '/admin/catalogs/v1/medication'
const MEDICATIONS = `${DATASETS}?type=medication`

/** Everything that only reads, by a client. */
const READS = [
  MEDICATIONS,
  `${MEDICATIONS}&q=metformin&show_inactive=1`,
  `${MEDICATIONS}&q=etform`,
  `${DATASETS}M1/?type=medication`,
  `${DATASETS}search-status/?type=medication`,
  `${DATASETS}batches/?type=medication`,
  `${DATASETS}drug-forms/?type=medication`,
  CATALOG,
  `${CATALOG}/writes`,
  `${CATALOG}/changes?since_revision=0`,
  `${CATALOG}/records/M1/history`,
  '/admin/workspace/v1/settings',
]

interface Answer {
  items?: object[]
  data?: { items?: object[]; [member: string]: unknown }
}

let headers: Record<string, string>
let workspaceId: string

async function ask<T = Answer>(call: Fetch, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? { headers } : { method: 'POST', ...jsonBody(body, headers) }
  const response = await call(path, init)
  expect(response.status, `${path}: ${await response.clone().text()}`).toBe(200)
  return response.json<T>()
}

async function made<T>(path: string, body: object): Promise<T> {
  const response = await callOperator(path, body, 'POST', old)
  expect(response.status, path).toBe(200)
  return (await response.json<{ data: T }>()).data
}

/** A workspace with a client, made by the release before. */
beforeEach(async () => {
  workspaceId = (await made<{ workspace_id: string }>('/workspaces', { name: 'North' })).workspace_id
  const client = await made<{ client_id: string; client_secret: string }>('/clients', { name: 'HIS' })
  const key = await made<{ api_key: string }>(`/workspaces/${workspaceId}/api-keys`, {
    client_id: client.client_id,
  })
  const credentials = {
    clientId: client.client_id,
    clientSecret: client.client_secret,
    apiKey: key.api_key,
  }
  const response = await requestToken(credentials, old)
  headers = { Authorization: `Bearer ${(await response.json<{ access_token: string }>()).access_token}` }
})

const record = (id: string, name: string, strength = '5 mg') => ({ medication_id: id, name, strength })
const FIRST = [record('M1', 'Metformin'), record('M2', 'Amoxicillin'), record('M3', 'Ibuprofen')]

/** Each kind of write: single records, a whole catalog with a dry run and a diff, an undo, the switch of search. */
async function writeAll(call: Fetch, strength: string) {
  await ask(call, MEDICATIONS, [record('M1', 'Metformin', strength)])
  const whole = [record('M1', 'Metformin', strength), record('M4', `Paracetamol ${strength}`)]
  const reconcile = `${MEDICATIONS}&mode=reconcile`
  await ask(call, `${reconcile}&dry_run=true&include=diff`, whole)
  const { data } = await ask(call, `${reconcile}&confirm_shrink=true`, whole)
  const revision = Number(data?.revision)
  await ask(call, `${CATALOG}/restore?revision=${revision - 1}&expected_revision=${revision}`, {})
  await ask(call, `${DATASETS}search-status/?type=medication`, { enabled: true })
}

async function expectSameReads() {
  for (const path of READS) {
    const [seenBefore, seenToday] = [await ask(old, path), await ask(today, path)]
    const itemsOf = (answer: Answer) => answer.items ?? answer.data?.items ?? answer
    // Today's answers may have more members.
    expect(itemsOf(seenToday), path).toMatchObject(itemsOf(seenBefore))
  }
}

describe(`the Worker of ${previousRelease}, on today's tables,`, () => {
  it("reads and writes catalogs beside today's Worker", async () => {
    await ask(old, MEDICATIONS, FIRST)
    await expectSameReads()
    await writeAll(old, '10 mg')
    await expectSameReads()
    await writeAll(today, '20 mg')
    await expectSameReads()
    await writeAll(old, '30 mg')
    await expectSameReads()
  })

  it('does its scheduled run', async () => {
    await ask(old, MEDICATIONS, FIRST)
    await ask(today, MEDICATIONS, [record('M5', 'Aspirin')])
    const controller = createScheduledController({ scheduledTime: new Date() })
    await expect(Promise.resolve(before.scheduled(controller, env))).resolves.toBeUndefined()
    await expectSameReads()
  })

  it('serves partners: search, documents and registrations', async () => {
    await ask(today, MEDICATIONS, FIRST)
    await ask(today, `${DATASETS}search-status/?type=medication`, { enabled: true })
    const partner = await newPartner({ workspaceId, call: today })
    headers = { 'X-Auth-Token': await partnerTokenOf(partner) }
    const search = '/medical-db/v1/search/?type=medication&q=metformin'
    expect(await ask(today, search)).toMatchObject(await ask(old, search))
    for (const [writer, reader] of [
      [old, today],
      [today, old],
    ] as const) {
      const { data } = await (await uploadTo(headers, 'text', writer)).json<{
        data: { document_id: string }
      }>()
      const document = `/mr/api/v2/docs/${data.document_id}`
      expect((await ask(reader, document)).data).toMatchObject((await ask(writer, document)).data ?? {})
      const content = await reader(`${document}/content`, { headers })
      expect(await content.text()).toBe('text')
      await ask(writer, '/registration/v1/init', { mobile_number: '+919812345678' })
    }
  })

  it('lets people of the operator see workspaces, keys, members and databases', async () => {
    for (const path of ['', `/${workspaceId}/api-keys`, `/${workspaceId}/members`]) {
      expect((await callOperator(`/workspaces${path}`, undefined, 'GET', old)).status, path).toBe(200)
    }
    expect((await callOperator('/databases', undefined, 'GET', old)).status).toBe(200)
  })
})
