import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Client, ClientSecret, Workspace } from '#worker/platform/schemas'
import { callOperator, createClient } from '../../support/credentials'
import { expectFieldError, operatorData } from '../../support/responses'
import { bodyFrom } from '../../support/service'

it('a workspace is created with a new ID or the given one', async () => {
  const before = Date.now()
  const created = [await operatorData<Workspace>('/workspaces', { name: '💊'.repeat(200) })]
  expect(created[0]).toMatchObject({ name: '💊'.repeat(200), workspace_id: expect.stringMatching(/^ws_/) })
  const createdAt = Date.parse(created[0]!.created_at)
  expect(createdAt).toBeGreaterThanOrEqual(before)
  expect(createdAt).toBeLessThanOrEqual(Date.now())
  for (const id of ['provider', '7', 'A.b_c-9', 'x'.repeat(64)])
    created.push(await operatorData<Workspace>('/workspaces', { name: 'first', workspace_id: id }))
  expect(await bodyFrom(callOperator('/workspaces', { name: 'second', workspace_id: '7' }), 409)).toEqual({
    success: false,
    message: 'The workspace ID 7 is taken. Choose another one.',
  })
  expect(await operatorData('/workspaces')).toMatchObject({ items: created, total: created.length })
})

it('an invalid name or ID is rejected', async () => {
  for (const [name, msg] of [
    [' \t', 'is required'],
    ['💊'.repeat(201), 'must have at most 200 characters'],
    ['a\0b', 'must be valid Unicode without U+0000'],
  ] as const)
    await expectFieldError(await callOperator('/workspaces', { name }), 'name', msg)
  const msg = 'must have 1 to 64 of the letters A to Z, digits and . _ - and start with a letter or digit'
  for (const workspace_id of ['', '-a', '.', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65)])
    await expectFieldError(await callOperator('/workspaces', { name: 'a name', workspace_id }), 'workspace_id', msg)
})

it('a client is listed without its secret until its revocation', async () => {
  const first = await operatorData<ClientSecret>('/clients', { name: 'one' })
  expect(first.client_id).toMatch(/^dcs_client_[A-Za-z0-9_-]{22}$/)
  expect(first.client_secret).toMatch(/^dcs_secret_[A-Za-z0-9_-]{43}$/)
  const second = await createClient('two')
  const items = [
    { client_id: first.client_id, name: 'one', created_at: expect.any(String) },
    { client_id: second.client_id, name: 'two', created_at: expect.any(String) },
  ]
  const listed = async () => (await operatorData<{ items: Client[] }>('/clients')).items
  expect(await listed()).toEqual(items)
  const revokedAt = () => env.DB.prepare('select max(revoked_at) as at from clients').first('at')
  const times = []
  for (const _ of ['once', 'again']) {
    expect(await operatorData(`/clients/${first.client_id}`, undefined, 'DELETE')).toEqual({ revoked: true })
    times.push(await revokedAt())
  }
  // The time of the first revocation stays.
  expect(times).toEqual([expect.any(Number), times[0]])
  expect(await listed()).toEqual([items[1]])
  const message = 'There is no client with this ID.'
  expect(await bodyFrom(callOperator('/clients/nobody', undefined, 'DELETE'), 404)).toEqual({ success: false, message })
})

it('every request for an unknown workspace returns 404', async () => {
  const { client_id } = await createClient()
  const bodies = {
    'api-keys': { client_id },
    'partner-credentials': { issuer: 'https://partner.test' },
    'encryption-keys': {},
    members: { email: 'asha@clinic.example', role: 'viewer' },
    webhooks: { url: 'https://hooks.example/in' },
  }
  for (const [name, body] of Object.entries(bodies)) {
    const path = `/workspaces/nowhere/${name}`
    const removal = callOperator(`${path}/nothing`, undefined, 'DELETE')
    for (const answer of [callOperator(path), callOperator(path, body), removal])
      expect((await bodyFrom<{ message: string }>(answer, 404)).message).toBe('There is no workspace with this ID.')
  }
})
