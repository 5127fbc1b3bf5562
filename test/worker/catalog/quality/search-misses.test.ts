import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { call, dataOf, type TestCatalog } from '../../../support/catalog'
import { newMember } from '../../../support/members'
import { newPartner, partnerTokenOf } from '../../../support/partners'
import { searchedCatalog } from '../../../support/searches'
import { bodyFrom, callService, jsonBody } from '../../../support/service'

const DAY_MS = 24 * 3600 * 1000

let catalog: TestCatalog

const path = (rest = '') => `/admin/catalogs/v1/symptom/search-misses${rest}`

const report = async (q: string): Promise<boolean> => {
  const request = jsonBody({ type: 'symptom', q })
  const answer = await call(catalog.workspace.token, 'POST', '/medical-db/v1/search/misses', request)
  return dataOf<{ kept: boolean }>(answer).kept
}

const send = (method: string, rest: string, body: unknown, token = catalog.workspace.token) =>
  call(token, method, path(rest), jsonBody(body))

interface Misses {
  enabled: boolean
  total: number
  items: { text: string; reports: number; suggestions: Record<string, unknown>[] }[]
}

const list = async (query = ''): Promise<Misses> => dataOf(await call(catalog.workspace.token, 'GET', path(query)))

const texts = async () => (await list()).items.map(({ text }) => text)

beforeEach(async () => {
  catalog = await searchedCatalog([
    { symptom_id: 'S1', name: 'Hypertension' },
    { symptom_id: 'S2', name: 'Fever with chills' },
  ])
})

describe('a search that a user gave up', () => {
  it('is stored with its count, in normalized form', async () => {
    expect(await report('  HTN ')).toBe(true)
    expect(await report('htn')).toBe(true)
    expect(await report('sugar')).toBe(true)
    expect(await list()).toMatchObject({
      enabled: true,
      total: 2,
      items: [
        { text: 'htn', reports: 2, suggestions: [] },
        { text: 'sugar', reports: 1 },
      ],
    })
  })

  it('is listed with the matches of approximate search', async () => {
    await report('hypertenshun')
    expect((await list()).items[0]?.suggestions).toMatchObject([{ symptom_id: 'S1', name: 'Hypertension' }])
  })

  it('is not stored if a record matches, or if it may contain personal data', async () => {
    for (const q of [
      'fever',
      'ab',
      'one two three four five six seven',
      'x'.repeat(65),
      'a@b.example',
      'mrn 12345',
      '?',
    ])
      expect(await report(q), q).toBe(false)
    expect(await report('ward 1234')).toBe(true)
  })

  it("is not stored while partner search uses the provider's catalog", async () => {
    await catalog.setSearch(false)
    expect(await report('htn')).toBe(false)
  })

  it("is also reported by a partner's widget", async () => {
    const partner = await newPartner({ workspaceId: catalog.workspace.workspaceId })
    const request = jsonBody({ type: 'symptom', q: 'htn' }, { 'X-Auth-Token': await partnerTokenOf(partner) })
    const answer = await bodyFrom(callService('/medical-db/v1/search/misses', { method: 'POST', ...request }))
    expect(answer).toMatchObject({ data: { kept: true } })
  })

  it('is omitted and deleted once a record matches it', async () => {
    await report('htn')
    await catalog.write([{ symptom_id: 'S3', name: 'HTN' }])
    expect(await list()).toMatchObject({ total: 0, items: [] })
    expect(await env.DB.prepare('select count(*) as n from search_misses').first('n')).toBe(0)
  })

  it('is replaced by a new one if it has the fewest reports and the oldest one of them', async () => {
    const insert = `insert into search_misses (catalog_id, text, reports, first_at, last_at)
      select catalog_id, 'text ' || value, 2 - (value < 3), 0, value from catalogs, generate_series(1, 500)`
    const numbers = `with recursive generate_series(value) as (values (1) union all select value + 1
      from generate_series where value < 500) `
    await env.DB.prepare(numbers + insert.replace('generate_series(1, 500)', 'generate_series')).run()
    await report('htn')
    const kept = await env.DB.prepare('select text from search_misses').all<{ text: string }>()
    const all = kept.results.map(({ text }) => text)
    expect(all).toHaveLength(500)
    expect(all).toContain('htn')
    expect(all).toContain('text 2')
    expect(all).not.toContain('text 1')
  })

  it('is deleted if it is not reported for 90 days', async () => {
    await report('htn')
    await runScheduled(env, new Date(Date.now() + 89 * DAY_MS))
    expect(await texts()).toEqual(['htn'])
    await runScheduled(env, new Date(Date.now() + 91 * DAY_MS))
    expect(await texts()).toEqual([])
  })
})

describe('an editor or admin', () => {
  it('can hide a text for 90 days', async () => {
    await report('htn')
    expect(dataOf(await send('POST', '/dismiss', { text: 'HTN' }))).toEqual({ dismissed: true })
    await report('htn')
    expect(await list()).toMatchObject({ total: 0, items: [] })
    await catalog.refused(404, send('POST', '/dismiss', { text: 'unknown' }))
  })

  it('can turn reports off, which deletes the stored ones, only as an admin', async () => {
    await report('htn')
    await catalog.refused(403, send('PUT', '/settings', { enabled: false }))
    const token = await newMember(catalog.workspace.workspaceId, 'admin')
    expect(dataOf(await send('PUT', '/settings', { enabled: false }, token))).toEqual({ enabled: false })
    expect(await report('htn')).toBe(false)
    expect(await list()).toMatchObject({ enabled: false, total: 0 })
    await send('PUT', '/settings', { enabled: true }, token)
    expect(await report('htn')).toBe(true)
  })
})
