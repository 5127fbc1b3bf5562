import { expect } from 'vitest'
import * as z from 'zod'
import { endpoints } from '#worker/endpoints'
import { callOperator } from './credentials'
import { bodyFrom } from './service'

const templateOf = (path: string): RegExp => new RegExp(`^${path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`)

/** The schema of an endpoint's response in the API description. Fixed paths come before those with an ID. */
export function promisedSchema(method: string, path: string, contentType = 'application/json'): z.ZodType {
  const schema = endpoints
    .filter((endpoint) => endpoint.method === method.toLowerCase() && templateOf(endpoint.path).test(path))
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))[0]?.answer.content[contentType]
  if (!schema) throw new Error(`the description has no ${contentType} for ${method} ${path}`)
  return schema
}

const envelope = z.object({ data: z.unknown() })

/** Expects an uncached 200 in the described form, and returns its data. */
export async function describedData<T>(method: string, path: string, response: Response): Promise<T> {
  const answer = await response.json()
  expect(answer).toMatchObject({ success: true })
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  return envelope.parse(promisedSchema(method, path).parse(answer)).data as T
}

/** Sends a request to an operator endpoint, expects 200 and the described response, and returns its data. */
export async function operatorData<T>(path: string, body?: unknown, method?: 'DELETE'): Promise<T> {
  const response = await callOperator(path, body, method)
  return describedData(method ?? (body === undefined ? 'GET' : 'POST'), `/platform/v1${path}`, response)
}

/** Expects the error object with one failing field. */
export async function expectFieldError(response: Response, field: string, msg: string): Promise<void> {
  expect(await bodyFrom(response, 400)).toMatchObject({
    success: false,
    message: `${field} ${msg}`,
    errors: [{ index: null, field, msg }],
  })
}
