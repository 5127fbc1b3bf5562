import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { endpoints } from '#worker/endpoints'
import { catalogOfEachTest } from '../../../support/catalog'
import { CATALOGS } from '../../../support/history'
import { addMember, EMAIL, memberToken } from '../../../support/members'
import { bearer, bodyFrom, callService, jsonBody } from '../../../support/service'

const catalog = catalogOfEachTest('symptom')

const bodiless = endpoints.filter(
  ({ body, method, access }) => body === undefined && method !== 'get' && ['scope', 'operator'].includes(access.kind),
)

/** A URL with a valid query, so that the body is checked. */
const addressOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'type' ? 'symptom' : crypto.randomUUID())) +
  (path.endsWith('/restore') ? '?revision=0' : path === '/platform/v1/workspaces/{workspace_id}' ? '?confirm=x' : '')

it('an endpoint without a body rejects any non-empty one', async () => {
  expect(bodiless.length).toBeGreaterThan(15)
  const member = await addMember(catalog.workspace.workspaceId, 'admin', EMAIL)
  const admin = await memberToken(catalog.workspace.workspaceId, member, 'admin')
  for (const { path, method, access } of bodiless) {
    const address = addressOf(path)
    const token = access.kind === 'operator' ? String(env.PLATFORM_ADMIN_TOKEN) : admin
    const send = (body: string) =>
      callService(address, { method: method.toUpperCase(), ...jsonBody(JSON.parse(body), bearer(token)) })
    for (const body of ['{"note":1}', '[]', '"x"']) {
      const { message } = await bodyFrom<{ message: string }>(send(body), 400)
      expect(message, `${method} ${path} ${body}`).toMatch(/accepts no body/)
    }
    for (const body of ['{}', 'null']) {
      const text = await (await send(body)).text()
      expect(text, `${method} ${path} ${body}`).not.toMatch(/accepts no body/)
    }
  }
})

it('an endpoint without a body names a parameter that is in one, and changes nothing', async () => {
  await catalog.write([catalog.record('a')])
  const headers = bearer(catalog.workspace.token)
  const restore = `${CATALOGS}/symptom/restore?revision=0&confirm_shrink=true`
  const sent = [{ ...jsonBody({ dry_run: true }, headers) }, { ...jsonBody({ dryRun: true }, headers) }]
  for (const init of sent) {
    const { errors } = await bodyFrom<{ errors: [object] }>(callService(restore, { method: 'POST', ...init }), 400)
    expect(errors).toMatchObject([{ code: 'unknown_parameter', field: expect.stringMatching(/^dry/), value: true }])
  }
  const form = new URLSearchParams({ dry_run: 'true' })
  expect((await callService(restore, { method: 'POST', headers, body: form })).status).toBe(400)
  expect(await catalog.list()).toMatchObject({ total: 1 })
  expect((await callService(restore, { method: 'POST', headers, body: '' })).status).toBe(200)
})

it('a parameter next to the records or the file is rejected, and nothing is written', async () => {
  const records = [catalog.record('a')]
  const form = new FormData()
  form.append('dry_run', 'true')
  form.append('file', new Blob(['symptom_id,name\na,A\n']), 'a.csv')
  const headers = bearer(catalog.workspace.token)
  const path = '/admin/datasets/v1/?type=symptom'
  for (const [name, value, init] of [
    ['dry_run', true, jsonBody({ dry_run: true, records }, headers)],
    ['mode', 'reconcile', jsonBody({ records, mode: 'reconcile' }, headers)],
    ['dry_run', 'true', { headers, body: form }],
  ] as const) {
    const answer = callService(path, { method: 'POST', ...init })
    const { message, errors } = await bodyFrom<{ message: string; errors: [object] }>(answer, 400)
    expect(message).toContain('belongs in the URL')
    expect(errors).toMatchObject([{ index: null, field: name, code: 'unknown_parameter', value }])
  }
  expect(await catalog.list()).toMatchObject({ total: 0 })
  const status = jsonBody({ enabled: true, type: 'symptom' }, headers)
  await bodyFrom(callService('/admin/datasets/v1/search-status/?type=symptom', { method: 'POST', ...status }), 400)
})
