import { expect, it } from 'vitest'
import { callOperator, createClient } from '../../support/credentials'
import { bodyFrom } from '../../support/service'

const BODIES = {
  'api-keys': async () => ({ client_id: (await createClient()).client_id }),
  'partner-credentials': async () => ({ issuer: 'https://partner.test' }),
  'encryption-keys': async () => ({}),
  members: async () => ({ email: 'asha@clinic.example', role: 'viewer' }),
  webhooks: async () => ({ url: 'https://hooks.example/in' }),
}

it.each(Object.entries(BODIES))('…/workspaces/nowhere/%s answers 404 to every call', async (name, body) => {
  const path = `/workspaces/nowhere/${name}`
  const revocation = await callOperator(`${path}/nothing`, undefined, 'DELETE')
  for (const response of [await callOperator(path), await callOperator(path, await body()), revocation]) {
    expect(await bodyFrom(response, 404)).toEqual({ success: false, message: 'There is no workspace with this id.' })
  }
})
