import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newWorkspace } from '../../../support/credentials'
import { callLogin } from '../../../support/logins'
import { callService, jsonBody } from '../../../support/service'

const operator = { Authorization: `Bearer ${env.PLATFORM_ADMIN_TOKEN}` }

describe('a JSON body', () => {
  it.each([[[]], ['x'], [5], [null]])('that is %j is refused in plain words', async (body) => {
    const init = { method: 'POST', ...jsonBody(body, operator) }
    const response = await callService('/platform/v1/clients', init)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: 'The body must be a JSON object',
      errors: [{ index: null, field: null, code: 'wrong_type', msg: 'must be a JSON object' }],
    })
  })
})

describe('a query parameter that is sent twice', () => {
  it.each([
    ['/api/v1/auth/oidc/callback?state=a&state=b', 'state'],
    ['/medical-db/v1/search/?type=symptom&q=a&q=b', 'q'],
    ['/admin/datasets/v1/?type=symptom&limit=1&limit=2', 'limit'],
    ['/admin/datasets/v1/?type=medication&form_id=tablet&form_id=tablet', 'form_id'],
    ['/mr/api/v2/docs?dt=a&dt=b', 'dt'],
  ])('is refused in plain words: %s', async (path, field) => {
    const { token } = await newWorkspace()
    const method = path.startsWith('/mr/') ? 'POST' : 'GET'
    const response = await callLogin(path, { method, headers: { Authorization: `Bearer ${token}` } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(`^${field} must be sent at most once, and must be `),
      errors: [{ index: null, field, code: 'repeated_parameter' }],
    })
  })
})

describe('a query parameter', () => {
  it('that must be there is required, not repeated, when it is missing', async () => {
    const { token } = await newWorkspace()
    const headers = { Authorization: `Bearer ${token}` }
    const response = await callService('/admin/catalogs/v1/symptom/restore', { method: 'POST', headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: 'revision is required',
      errors: [{ field: 'revision', code: 'required', value: null }],
    })
  })

  it.each(['task=a-b', 'task=ok&task=a-b'])('that may be repeated is named without its place: %s', async (query) => {
    const { token } = await newWorkspace()
    const headers = { Authorization: `Bearer ${token}` }
    const response = await callService(`/mr/api/v2/docs?${query}`, { method: 'POST', headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      message: 'task must have 1 to 32 characters: letters A to Z, digits and _',
      errors: [{ field: 'task', code: 'malformed', value: 'a-b' }],
    })
  })
})
