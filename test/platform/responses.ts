import { expect } from 'vitest'
import * as z from 'zod'
import { platformEndpoints } from '../../src/platform/description'
import { callOperator } from '../support/credentials'

const templateOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)

/** The schema with which the API description promises the answer of an operator endpoint. */
function promisedSchema(method: string, path: string): z.ZodType {
  const endpoint = platformEndpoints.find(
    (candidate) => candidate.method === method && templateOf(candidate.path).test(`/platform/v1${path}`),
  )
  const schema = endpoint?.response['application/json']
  if (!schema) throw new Error(`the description has no ${method} ${path}`)
  return schema
}

const envelope = z.object({ data: z.unknown() })

/** Calls an operator endpoint, expects 200 and the described answer, and returns its data. */
export async function dataOf<T>(path: string, body?: unknown, method?: 'DELETE'): Promise<T> {
  const response = await callOperator(path, body, method)
  const answer = await response.json()
  expect(answer).toMatchObject({ success: true })
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const verb = method?.toLowerCase() ?? (body === undefined ? 'get' : 'post')
  return envelope.parse(promisedSchema(verb, path).parse(answer)).data as T
}

/** Expects the error object with one failing field. */
export async function expectFieldError(response: Response, field: string, msg: string): Promise<void> {
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    success: false,
    message: `${field} ${msg}`,
    errors: [{ index: null, field, msg }],
  })
}
