import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { newContext } from '../../support/background'

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: object }> }
}

describe('the API description', () => {
  it('offers the encrypted form on every POST with a body and a workspace, and nowhere else', async () => {
    const response = await createApp().request('/openapi.json', {}, env, newContext())
    const { paths } = await response.json<{ paths: Record<string, Record<string, Operation>> }>()
    const offered = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters = [], requestBody }]) => {
        const header = parameters.find(({ name }) => name === 'X-Encryption')
        const schema = JSON.stringify(requestBody?.content['application/json']?.schema ?? {})
        expect(schema.includes('#/components/schemas/EncryptedBody'), path).toBe(header !== undefined)
        return header ? [`${method} ${path} ${header.in} ${header.required ?? false}`] : []
      }),
    )
    expect(offered.sort()).toEqual([
      'post /admin/datasets/v1/ header false',
      'post /admin/datasets/v1/search-status/ header false',
      'post /admin/workspace/v1/api-keys header false',
      'post /admin/workspace/v1/encryption-keys header false',
      'post /admin/workspace/v1/members header false',
      'post /admin/workspace/v1/partner-credentials header false',
      'post /admin/workspace/v1/settings header false',
      'post /admin/workspace/v1/webhooks header false',
      'post /medical-db/v1/search/ header false',
      'post /mr/api/v2/docs header false',
      'post /registration/v1/init header false',
    ])
  })
})
