import { describe, expect, it } from 'vitest'
import { callOperator, createClient } from '../../support/credentials'
import { bodyFrom } from '../../support/service'

const BODIES = {
  'api-keys': async () => ({ client_id: (await createClient()).client_id }),
  'partner-credentials': async () => ({ issuer: 'https://partner.test' }),
  'encryption-keys': async () => ({}),
  members: async () => ({ email: 'asha@clinic.example', role: 'viewer' }),
  webhooks: async () => ({ url: 'https://hooks.example/in' }),
}

describe.each(Object.entries(BODIES))('…/workspaces/nowhere/%s', (name, body) => {
  const path = `/workspaces/nowhere/${name}`

  it('answers 404 to a list and to a creation', async () => {
    for (const response of [await callOperator(path), await callOperator(path, await body())]) {
      expect(await bodyFrom(response, 404)).toEqual({
        success: false,
        message: 'There is no workspace with this id.',
      })
    }
  })

  it('answers 404 to a revocation', async () => {
    const response = await callOperator(`${path}/nothing`, undefined, 'DELETE')
    expect(await bodyFrom(response, 404)).toEqual({ success: false, message: 'There is no workspace with this id.' })
  })
})
