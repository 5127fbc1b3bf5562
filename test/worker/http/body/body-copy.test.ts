import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { BodyCopy } from '#worker/http/body/body-copy'

it('a body is stored unpacked, with its content type', async () => {
  const copy = new BodyCopy(env.DOCUMENTS, 'kept', 'text/csv')
  copy.arrived(new Uint8Array([7, 8, 9]))
  expect(await copy.store()).toMatchObject({ bytes: 3 })
  const object = await env.DOCUMENTS.get('kept')
  expect([...(await object!.bytes())]).toEqual([7, 8, 9])
  expect(object?.httpMetadata?.contentType).toBe('text/csv')
})

it('a body that is dropped while it is stored is not in the store', async () => {
  const copy = new BodyCopy(env.DOCUMENTS, 'dropped', 'text/csv')
  copy.arrived(new Uint8Array(1000))
  const storing = copy.store()
  await copy.drop()
  await storing
  expect(await env.DOCUMENTS.head('dropped')).toBeNull()
})
