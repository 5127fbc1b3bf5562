import type { CommonOptions, FileInput, OnProgress, UploadOptions } from '#client/api'
import { gzip } from '#shared/text/gzip'

/** A request as it is sent, without the types of its endpoint. */
export interface Request {
  method: string
  /** The path with its parameters inserted, and the query. */
  address: string
  path: string
  query: QueryValues
  headers: Readonly<Record<string, string>>
  /** JSON, the form around a file, or a compressed CSV file. */
  content: string | Blob | null
  signal: AbortSignal | undefined
  onProgress: OnProgress | undefined
  /** The number of records in it; undefined if unknown. */
  records: number | undefined
}

type QueryValues = Readonly<Record<string, unknown>>

/** The options of any request, without the types of its endpoint. */
export interface RawOptions extends CommonOptions, UploadOptions {
  params?: Readonly<Record<string, string>> | undefined
  query?: QueryValues | undefined
  body?: unknown
}

/** URL parsers remove these path segments, so no URL can contain them. */
const UNADDRESSABLE: readonly string[] = ['', '.', '..']

function segment(name: string, value: string | undefined): string {
  if (value === undefined || UNADDRESSABLE.includes(value)) {
    throw new RangeError(`${name}: ${JSON.stringify(value)} cannot be part of a URL path`)
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

const DEFAULT_FILE_NAME = 'upload'

const isFile = (body: unknown): body is FileInput =>
  typeof body === 'object' &&
  body !== null &&
  'file' in body &&
  (body.file instanceof Blob || body.file instanceof Uint8Array)

interface SentBody {
  content: Request['content']
  headers: Record<string, string>
}

const blobOf = ({ file }: FileInput): Blob => (file instanceof Blob ? file : new Blob([new Uint8Array(file)]))

/** A file as a form (RFC 7578). */
async function formOf({ fileName = DEFAULT_FILE_NAME, ...input }: FileInput, isCompressed: boolean): Promise<SentBody> {
  const form = new FormData()
  form.set('file', blobOf(input), fileName)
  const plain = new Response(form)
  const headers = { 'Content-Type': plain.headers.get('Content-Type')! }
  const content = await plain.blob()
  if (!isCompressed) return { content, headers }
  return { content: await gzip(content), headers: { ...headers, 'Content-Encoding': 'gzip' } }
}

/** A compressed CSV file without a form, which would have to be compressed with it. */
const compressedCsv = ({ fileName = DEFAULT_FILE_NAME, ...input }: FileInput): SentBody => ({
  content: blobOf(input),
  headers: {
    'Content-Type': 'text/csv',
    'Content-Encoding': 'gzip',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed())}`,
  },
})

async function bodyOf({ body, gzip: compression = false }: RawOptions): Promise<SentBody> {
  if (body === undefined) return { content: null, headers: {} }
  if (isFile(body)) return compression === 'done' ? compressedCsv(body) : formOf(body, compression)
  return { content: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

/**
 * `fetch` rejects such a header with an error that shows its value, which may be a secret.
 *
 * @throws RangeError for a value that a header cannot contain
 */
export function requireHeader(name: string, value: string): void {
  if (!/^[\t -~\u0080-\u00ff]*$/.test(value))
    throw new RangeError(`${name}: contains a line break, or a character that headers do not support`)
}

/** @throws RangeError for a path parameter that a URL cannot contain, or an invalid header */
export async function requestOf(baseUrl: string, method: string, path: string, options: RawOptions): Promise<Request> {
  const { params = {}, query = {}, body, signal, onProgress } = options
  const records = options.records ?? (Array.isArray(body) ? body.length : undefined)
  const pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]))
  const address = `${baseUrl}${pathname}${search(query)}`
  const { content, headers } = await bodyOf(options)
  const all = { ...headers, ...options.headers }
  for (const [name, value] of Object.entries(all)) requireHeader(name, value)
  return { method: method.toUpperCase(), address, path, query, headers: all, content, signal, onProgress, records }
}
