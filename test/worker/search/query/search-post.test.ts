import { beforeEach, describe, expect, it } from 'vitest'
import { newWorkspace, type TestWorkspace } from '../../../support/credentials'
import { newPartner, partnerTokenOf } from '../../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../../support/service'

const PATH = '/medical-db/v1/search/'

const SEARCH = { type: 'symptom', q: 'fever' }

let workspace: TestWorkspace

const post = (body: unknown, headers: Record<string, string> = bearer(workspace.token), path = PATH) =>
  callService(path, { method: 'POST', ...jsonBody(body, headers) })

const get = (query: string) => callService(`${PATH}?${query}`, { headers: bearer(workspace.token) })

beforeEach(async () => {
  workspace = await newWorkspace()
  const records = ['Fever', 'Fever with chills', 'High fever'].map((name, i) => ({
    symptom_id: `S${i}`,
    name,
  }))
  expect((await post(records, bearer(workspace.token), '/admin/datasets/v1/?type=symptom')).status).toBe(200)
  const status = '/admin/datasets/v1/search-status/?type=symptom'
  expect((await post({ enabled: true }, bearer(workspace.token), status)).status).toBe(200)
})

describe('a search in a body', () => {
  it('answers as the GET does', async () => {
    for (const [body, query] of [
      [SEARCH, 'type=symptom&q=fever'],
      [{ ...SEARCH, limit: 1, offset: 1 }, 'type=symptom&q=fever&limit=1&offset=1'],
      [{ ...SEARCH, q: 'fevre' }, 'type=symptom&q=fevre'],
      [{ ...SEARCH, source: 'provider' }, 'type=symptom&q=fever&source=provider'],
      [{ ...SEARCH, q: ' ' }, 'type=symptom&q='],
    ] as const) {
      const response = await post(body)
      expect(response.status, query).toBe(200)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await response.json(), query).toEqual(await (await get(query)).json())
    }
    expect(await (await post(SEARCH)).json()).toMatchObject({
      data: { type: 'symptom', source: 'workspace', count: 3, items: [{ name: 'Fever' }, {}, {}] },
    })
  })

  it('refuses a source to partners, whose token can be sent again', async () => {
    const partner = await newPartner({ workspaceId: workspace.workspaceId })
    const headers = { 'X-Auth-Token': await partnerTokenOf(partner, { claims: { jti: 'once' } }) }
    expect((await post({ ...SEARCH, source: 'workspace' }, headers)).status).toBe(403)
    expect((await post(SEARCH, headers)).status).toBe(200)
  })

  const REFUSED = [
    ['limits', { ...SEARCH, limits: 5 }, 'unknown_parameter'],
    ['limit', { ...SEARCH, limit: 0 }, 'not_allowed'],
    ['limit', { ...SEARCH, limit: 51 }, 'not_allowed'],
    ['limit', { ...SEARCH, limit: 1.5 }, 'wrong_type'],
    ['limit', { ...SEARCH, limit: '5' }, 'wrong_type'],
    ['offset', { ...SEARCH, offset: 451 }, 'not_allowed'],
    ['offset', { ...SEARCH, offset: -1 }, 'not_allowed'],
    ['type', { q: 'fever' }, 'required'],
    ['type', { ...SEARCH, type: 'drug' }, 'not_allowed'],
    ['q', { type: 'symptom' }, 'required'],
    ['q', { ...SEARCH, q: 7 }, 'wrong_type'],
    ['q', { ...SEARCH, q: 'x'.repeat(201) }, 'too_long'],
    ['q', { ...SEARCH, q: 'a\0' }, 'malformed'],
    ['source', { ...SEARCH, source: 'both' }, 'not_allowed'],
  ] as const

  it('is refused for a member that is missing or wrong, which the error names', async () => {
    for (const [field, body, code] of REFUSED) {
      const response = await post(body)
      expect(response.status, JSON.stringify(body)).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ field, code }] })
    }
  })

  it('has the bounds and values that the GET has', async () => {
    for (const [field, body, code] of REFUSED.filter(([, , code]) => code === 'not_allowed' || code === 'too_long')) {
      const query = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]))
      expect(await bodyFrom(get(String(query)), 400), String(query)).toMatchObject({ errors: [{ field, code }] })
    }
  })

  it('is refused with a member that there is not, and the nearest one is named', async () => {
    const messages = await Promise.all(
      ['limt', 'quantity'].map(async (name) => (await post({ ...SEARCH, [name]: 5 })).json()),
    )
    expect(messages).toMatchObject([
      { message: 'limt is not a member of this body; did you mean limit?', errors: [{ value: 5 }] },
      { message: 'quantity is not a member of this body; there are: type, q, limit, offset, source' },
    ])
  })

  it('is refused with a member that is sent twice', async () => {
    const body = '{"type": "symptom", "q": "fever", "q": "cough"}'
    const headers = { ...bearer(workspace.token), 'Content-Type': 'application/json' }
    const response = await callService(PATH, { method: 'POST', headers, body })
    expect(await bodyFrom(response, 400)).toMatchObject({ errors: [{ field: 'q', code: 'repeated_parameter' }] })
  })

  it('is refused with parameters in the address, even with those of the GET', async () => {
    const response = await post(SEARCH, bearer(workspace.token), `${PATH}?type=symptom`)
    expect(await bodyFrom(response, 400)).toMatchObject({ errors: [{ field: 'type', code: 'unknown_parameter' }] })
  })

  it('needs JSON, and at most 16 KB', async () => {
    const text = { ...bearer(workspace.token), 'Content-Type': 'text/plain' }
    expect((await post(SEARCH, text)).status).toBe(415)
    expect((await post({ ...SEARCH, q: 'x'.repeat(16_384) })).status).toBe(413)
  })
})
