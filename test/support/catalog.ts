import { expect } from 'vitest'
import * as z from 'zod'
import type { FieldError } from '#shared/errors/errors'
import {
  emptiedGuardErrorSchema,
  fieldErrorSchema,
  quotaErrorSchema,
  shrinkGuardErrorSchema,
  unknownOutcomeSchema,
} from '#shared/errors/schemas'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { outputSchemas } from '#shared/records/schema'
import type { batchPageSchema, writeResultSchema } from '#worker/catalog/schemas'
import type { SearchStatus } from '#worker/search/schemas'
import { newWorkspace, type TestWorkspace, workspaceOfEachTest } from './credentials'
import { promisedSchema } from './responses'
import { calling, type Fetch, jsonBody } from './service'

export const DATASETS = '/admin/datasets/v1'

export type Fields = Record<string, unknown>
export type Query = Record<string, string | number | boolean | undefined>
export type WriteResult = z.infer<typeof writeResultSchema>

export interface Page {
  items: Fields[]
  count: number
  total: number
  limit: number
  offset: number
  has_more: boolean
}

export interface ErrorAnswer {
  success: false
  message: string
  errors?: FieldError[]
}

/** A response whose form has been checked. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Parsed JSON; undefined for CSV. */
  body: unknown
}

const errorAnswerSchema = z.strictObject({
  success: z.literal(false),
  message: z.string().min(1),
  errors: z
    .array(
      z.union([
        fieldErrorSchema.strict(),
        shrinkGuardErrorSchema.strict(),
        emptiedGuardErrorSchema.strict(),
        quotaErrorSchema.strict(),
        unknownOutcomeSchema.strict(),
      ]),
    )
    .min(1)
    .optional(),
})

/** The records in a response, to check them against the schema of the requested type. */
const recordsOf = (body: unknown): unknown[] => {
  const { items, data } = body as { items?: unknown[]; data?: Fields }
  if (items) return items
  return data && 'refid' in data ? [data] : []
}

/**
 * Checks the form of a response of the dataset endpoints against the schemas of the API description: the described one
 * for a 200, the error object for all others. Every response must have its request ID, and must not be cached.
 */
async function checkedAnswer(method: string, path: string, response: Response): Promise<Answer> {
  const text = await response.text()
  const { status, headers } = response
  const contentType = (headers.get('Content-Type') ?? '').split(';')[0]!
  expect(headers.get('X-Request-Id')).toMatch(/^[\w.-]{1,128}$/)
  expect(headers.get('Cache-Control')).toBe('no-store')
  if (status === 200 && contentType === 'text/csv') return { status, headers, text, body: undefined }
  if (status === 304) {
    expect(text).toBe('')
    return { status, headers, text, body: undefined }
  }
  expect(contentType).toBe('application/json')
  const body: unknown = JSON.parse(text)
  const url = new URL(path, 'https://catalog.test')
  const schema = status === 200 ? promisedSchema(method, url.pathname, contentType) : errorAnswerSchema
  const checked = schema.safeParse(body)
  if (!checked.success) throw new Error(`${method} ${path}: ${z.prettifyError(checked.error)}\n${text.slice(0, 500)}`)
  const type = RECORD_TYPES.find((name) => name === url.searchParams.get('type'))
  if (status === 200 && type) for (const record of recordsOf(body)) outputSchemas[type].parse(record)
  return { status, headers, text, body }
}

export function dataOf<T>({ status, body, text }: Answer): T {
  expect(status, text.slice(0, 1000)).toBe(200)
  return (body as { data: T }).data
}

/** Sends a request to a dataset endpoint and checks the form of its response. */
export async function call(
  token: string | null,
  method: string,
  path: string,
  init: RequestInit = {},
  fetch: Fetch = calling(),
): Promise<Answer> {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  return checkedAnswer(method, path, await fetch(path, { ...init, method, headers }))
}

export function queryString(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.append(name, String(value))
  return `?${params}`
}

export const csvBody = (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => ({
  headers: { 'Content-Type': 'text/csv', ...headers },
  body: text,
})

const jsonText = (text: string) => ({ headers: { 'Content-Type': 'application/json' }, body: text })

/** The IDs in an export. They must need no quotes. */
export const idsIn = (csv: string): string[] =>
  Array.from(csv.trimEnd().split('\r\n').slice(1), (line) => line.split(',')[0]!)

/** One catalog of a workspace, as its owner uses it. Methods that return data expect a 200. */
export class TestCatalog {
  readonly idField: string

  constructor(
    readonly workspace: TestWorkspace,
    readonly type: RecordTypeName,
    readonly fetch: Fetch = calling(),
  ) {
    this.idField = recordTypes[type].idField
  }

  /** The same catalog with another fetch function. */
  through(fetch: Fetch): TestCatalog {
    return new TestCatalog(this.workspace, this.type, fetch)
  }

  /** Any request, with `type` in the query. `path` begins below the datasets' base, for example `/batches/`. */
  send(method: string, path: string, query: Query = {}, init: RequestInit = {}): Promise<Answer> {
    const target = `${DATASETS}${path}${queryString({ type: this.type, ...query })}`
    return call(this.workspace.token, method, target, init, this.fetch)
  }

  async data<T>(answer: Promise<Answer>): Promise<T> {
    return dataOf<T>(await answer)
  }

  /** A minimal valid record, with any additional fields. */
  readonly record = (id: string, fields: Fields = {}): Fields => {
    const rest = this.type === 'lab_test' ? { kind: 'functional', result_type: 'na' } : {}
    return { [this.idField]: id, name: `Name of ${id}`, ...rest, ...fields }
  }

  records(count: number, fields: (n: number) => Fields = () => ({})): Fields[] {
    return Array.from({ length: count }, (_, n) => this.record(`r${n}`, fields(n)))
  }

  post(records: unknown, query: Query = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', '/', query, jsonBody(records, headers))
  }

  postText(json: string, query: Query = {}): Promise<Answer> {
    return this.send('POST', '/', query, jsonText(json))
  }

  postCsv(csv: string | Uint8Array<ArrayBuffer>, query: Query = {}, headers: Record<string, string> = {}) {
    return this.send('POST', '/', query, csvBody(csv, headers))
  }

  write(records: unknown, query: Query = {}): Promise<WriteResult> {
    return this.data(this.post(records, query))
  }

  reconcile(records: unknown, query: Query = {}): Promise<WriteResult> {
    return this.write(records, { mode: 'reconcile', ...query })
  }

  upload(csv: string | Uint8Array<ArrayBuffer>, query: Query = {}): Promise<WriteResult> {
    return this.data(this.postCsv(csv, query))
  }

  async refused(status: number, answer: Promise<Answer>): Promise<Required<ErrorAnswer>> {
    const { status: given, body, text } = await answer
    expect(given, text.slice(0, 300)).toBe(status)
    return { errors: [], ...(body as ErrorAnswer) }
  }

  async list(query: Query = {}): Promise<Page> {
    const { status, body, text } = await this.send('GET', '/', query)
    if (status !== 200) throw new Error(`${status} ${text.slice(0, 1000)}`)
    return body as Page
  }

  async ids(query: Query = {}): Promise<string[]> {
    return (await this.list({ limit: 1000, ...query })).items.map((item) => item[this.idField] as string)
  }

  /** All records, including inactive ones, by ID, without the time of their change. */
  async contents(): Promise<Map<string, Fields>> {
    const { items } = await this.list({ show_inactive: 1, limit: 1000 })
    return new Map(items.map(({ updated_at, ...fields }) => [fields[this.idField] as string, fields]))
  }

  get(id: string): Promise<Fields> {
    return this.data(this.send('GET', `/${encodeURIComponent(id)}/`))
  }

  async export(query: Query = {}): Promise<string> {
    const { status, text } = await this.send('GET', '/', { format: 'csv', ...query })
    expect(status).toBe(200)
    return text
  }

  batches(query: Query = {}): Promise<z.infer<typeof batchPageSchema>> {
    return this.data(this.send('GET', '/batches/', query))
  }

  searchStatus(): Promise<SearchStatus> {
    return this.data(this.send('GET', '/search-status/'))
  }

  setSearch(enabled: boolean): Promise<SearchStatus> {
    return this.data(this.send('POST', '/search-status/', {}, jsonBody({ enabled })))
  }
}

export const newCatalog = async (type: RecordTypeName = 'medication', workspaceId?: string): Promise<TestCatalog> =>
  new TestCatalog(await newWorkspace(workspaceId), type)

/** A catalog of a workspace that each test creates for itself. */
export const catalogOfEachTest = (type: RecordTypeName = 'medication'): TestCatalog =>
  new TestCatalog(workspaceOfEachTest(), type)
