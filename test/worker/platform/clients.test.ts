import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Client, ClientSecret } from '#worker/platform/schemas'
import { callOperator, createClient } from '../../support/credentials'
import { bodyFrom } from '../../support/service'
import { dataOf } from './responses'

const PATH = '/clients'

describe('POST /platform/v1/clients', () => {
  it('creates a client with a secret of 256 bits', async () => {
    const client = await dataOf<ClientSecret>(PATH, { name: 'Importer' })
    expect(client.client_id).toMatch(/^dcs_client_[A-Za-z0-9_-]{22}$/)
    expect(client.client_secret).toMatch(/^dcs_secret_[A-Za-z0-9_-]{43}$/)
  })
})

it('GET /platform/v1/clients lists the clients without their secrets, oldest first', async () => {
  const first = await createClient('one')
  const second = await createClient('two')
  const { items } = await dataOf<{ items: Client[] }>(PATH)
  expect(items).toEqual([
    { client_id: first.client_id, name: 'one', created_at: expect.any(String) },
    { client_id: second.client_id, name: 'two', created_at: expect.any(String) },
  ])
})

describe('DELETE /platform/v1/clients/{client_id}', () => {
  it('revokes a client, which is then no longer listed', async () => {
    const kept = await createClient()
    const revoked = await createClient()
    expect(await dataOf(`${PATH}/${revoked.client_id}`, undefined, 'DELETE')).toEqual({ revoked: true })
    const { items } = await dataOf<{ items: Client[] }>(PATH)
    expect(items.map((item) => item.client_id)).toEqual([kept.client_id])
  })

  it('gives the same answer again, and keeps the time of the first revocation', async () => {
    const { client_id: clientId } = await createClient()
    const revokedAt = () => env.DB.prepare('select revoked_at from clients').first('revoked_at')
    await dataOf(`${PATH}/${clientId}`, undefined, 'DELETE')
    const first = await revokedAt()
    expect(first).toEqual(expect.any(Number))
    expect(await dataOf(`${PATH}/${clientId}`, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await revokedAt()).toBe(first)
  })

  it('answers 404 for an unknown client', async () => {
    const response = await callOperator(`${PATH}/nobody`, undefined, 'DELETE')
    expect(await bodyFrom(response, 404)).toEqual({ success: false, message: 'There is no client with this id.' })
  })
})
