import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Client, ClientSecret } from '#worker/platform/schemas'
import { callOperator, createClient } from '../../support/credentials'
import { bodyFrom } from '../../support/service'
import { dataOf } from './responses'

const PATH = '/clients'

it('a client is made with a secret of 256 bits, listed without it, oldest first, and not after its revocation', async () => {
  const first = await dataOf<ClientSecret>(PATH, { name: 'one' })
  expect(first.client_id).toMatch(/^dcs_client_[A-Za-z0-9_-]{22}$/)
  expect(first.client_secret).toMatch(/^dcs_secret_[A-Za-z0-9_-]{43}$/)
  const second = await createClient('two')
  const items = [
    { client_id: first.client_id, name: 'one', created_at: expect.any(String) },
    { client_id: second.client_id, name: 'two', created_at: expect.any(String) },
  ]
  expect((await dataOf<{ items: Client[] }>(PATH)).items).toEqual(items)
  expect(await dataOf(`${PATH}/${first.client_id}`, undefined, 'DELETE')).toEqual({ revoked: true })
  expect((await dataOf<{ items: Client[] }>(PATH)).items).toEqual([items[1]])
})

it('a second revocation has the same answer and keeps the time of the first; one of an unknown client is 404', async () => {
  const { client_id: clientId } = await createClient()
  const revokedAt = () => env.DB.prepare('select revoked_at from clients').first('revoked_at')
  await dataOf(`${PATH}/${clientId}`, undefined, 'DELETE')
  const first = await revokedAt()
  expect(first).toEqual(expect.any(Number))
  expect(await dataOf(`${PATH}/${clientId}`, undefined, 'DELETE')).toEqual({ revoked: true })
  expect(await revokedAt()).toBe(first)
  const message = 'There is no client with this id.'
  expect(await bodyFrom(callOperator(`${PATH}/nobody`, undefined, 'DELETE'), 404)).toEqual({ success: false, message })
})
