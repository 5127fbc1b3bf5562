import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { newContext } from '../../support/background'

interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: object }> }
}

describe('the API description', () => {
  it('offers the encrypted form on the three endpoints that take it', async () => {
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
      'post /medical-db/v1/search/ header false',
      'post /mr/api/v2/docs header false',
      'post /registration/v1/init header false',
    ])
  })
})
