import { beforeEach, describe, expect, it } from 'vitest'
import type { TestCatalog } from '../../../support/catalog'
import { newPartner, partnerTokenOf } from '../../../support/partners'
import { searchedCatalog } from '../../../support/searches'
import { bearer, bodyFrom, callService, jsonBody } from '../../../support/service'

const PATH = '/medical-db/v1/search/'

const SEARCH = { type: 'symptom', q: 'fever' }

let catalog: TestCatalog

const own = () => bearer(catalog.workspace.token)

const post = (body: unknown, headers: Record<string, string> = own()) =>
  callService(PATH, { method: 'POST', ...jsonBody(body, headers) })

const get = (query: string) => callService(`${PATH}?${query}`, { headers: own() })

beforeEach(async () => {
  const names = ['Fever', 'Fever with chills', 'High fever']
  catalog = await searchedCatalog(names.map((name, i) => ({ symptom_id: `S${i}`, name })))
})

describe('a search in a body', () => {
  it('returns the same as GET', async () => {
    for (const [body, query] of [
      [SEARCH, 'type=symptom&q=fever'],
      [{ ...SEARCH, limit: 1, offset: 1 }, 'type=symptom&q=fever&limit=1&offset=1'],
      [{ ...SEARCH, source: 'provider' }, 'type=symptom&q=fever&source=provider'],
      [{ ...SEARCH, q: ' ' }, 'type=symptom&q='],
    ] as const) {
      const response = await post(body)
      expect(response.status, query).toBe(200)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await response.json(), query).toEqual(await (await get(query)).json())
    }
    const data = { type: 'symptom', source: 'workspace', count: 3, items: [{ name: 'Fever' }, {}, {}] }
    expect(await bodyFrom(post(SEARCH))).toMatchObject({ data })
  })

  it('rejects a source from partners, whose token can be sent again', async () => {
    const partner = await newPartner({ workspaceId: catalog.workspace.workspaceId })
    const headers = { 'X-Auth-Token': await partnerTokenOf(partner, { claims: { jti: 'once' } }) }
    expect((await post({ ...SEARCH, source: 'workspace' }, headers)).status).toBe(403)
    expect((await post(SEARCH, headers)).status).toBe(200)
  })

  it('is rejected for a missing or wrong property', async () => {
    for (const [field, body, code] of [
      ['limits', { ...SEARCH, limits: 5 }, 'unknown_parameter'],
      ['limit', { ...SEARCH, limit: 51 }, 'not_allowed'],
      ['limit', { ...SEARCH, limit: '5' }, 'wrong_type'],
      ['offset', { ...SEARCH, offset: 451 }, 'not_allowed'],
      ['q', { type: 'symptom' }, 'required'],
      ['q', { ...SEARCH, q: 'x'.repeat(201) }, 'too_long'],
      ['q', { ...SEARCH, q: 'a\0' }, 'malformed'],
      ['source', { ...SEARCH, source: 'both' }, 'not_allowed'],
    ] as const) {
      const refusal = { errors: [{ field, code }] }
      expect(await bodyFrom(post(body), 400), JSON.stringify(body)).toMatchObject(refusal)
      if (code !== 'not_allowed' && code !== 'too_long') continue
      const query = String(new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])))
      expect(await bodyFrom(get(query), 400), query).toMatchObject(refusal)
    }
  })
})
