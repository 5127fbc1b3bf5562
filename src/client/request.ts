import type { CommonOptions, FileInput, OnProgress } from '#client/api'

/** A call as the transport and the retries see it, without its types. */
export interface Request {
  method: string
  /** The path with its parameters filled in, and the query. */
  address: string
  path: string
  query: QueryValues
  headers: Readonly<Record<string, string>>
  body: unknown
  signal: AbortSignal | undefined
  onProgress: OnProgress | undefined
  gzip: boolean
}

type QueryValues = Readonly<Record<string, unknown>>

/** The options of any call, without the types of its endpoint. */
export interface RawOptions extends CommonOptions {
  params?: Readonly<Record<string, string>> | undefined
  query?: QueryValues | undefined
  body?: unknown
  onProgress?: OnProgress | undefined
  gzip?: boolean
}

/** URL parsers remove these parts of a path, so no address can hold them. */
const UNADDRESSABLE: readonly string[] = ['', '.', '..']

function segment(name: string, value: string | undefined): string {
  if (value === undefined || UNADDRESSABLE.includes(value)) {
    throw new RangeError(`${name}: ${JSON.stringify(value)} cannot be part of an address`)
  }
  return encodeURIComponent(value)
}

const parameterText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

function search(query: QueryValues): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, parameterText(one))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** @throws RangeError for a path parameter that no address can hold */
export function requestOf(baseUrl: string, method: string, path: string, options: RawOptions): Request {
  const { params = {}, query = {}, headers = {}, body, signal, onProgress, gzip = false } = options
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]))
  const address = `${baseUrl}${filled}${search(query)}`
  return { method: method.toUpperCase(), address, path, query, headers, body, signal, onProgress, gzip }
}

export const isFile = (body: unknown): body is FileInput =>
  typeof body === 'object' &&
  body !== null &&
  'file' in body &&
  (body.file instanceof Blob || body.file instanceof Uint8Array || body.file instanceof ReadableStream)

/** Whether a body can be sent a second time. */
export const isRepeatable = (body: unknown): boolean => !(isFile(body) && body.file instanceof ReadableStream)
