import { ApiError } from '#shared/errors/errors'
import { CARRIAGE_RETURN, DASH, LINE_FEED } from '#shared/text/characters'
import { strictUtf8, utf8Encoder } from '#shared/text/utf8'
import { fieldNameOf, fileNameOf, parameter } from '#worker/http/endpoint/disposition'

/**
 * Reads `multipart/form-data` (RFC 7578). Each part is a view of the body. `Response.formData()` copies the body
 * several times, and rejects names without quotes, as sent by .NET and other clients.
 */

/** Most bytes of a part's header block, and most parts. */
const MAX_PART_HEADERS_BYTES = 8192
const MAX_PARTS = 1000

const windows1252 = new TextDecoder('windows-1252')

export interface FormField {
  name: string
  /** The client's file name; null for a field that is not a file. */
  fileName: string | null
  contentType: string
  bytes: Uint8Array
}

function holdsAt(body: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (body[at + i] !== text[i]) return false
  return true
}

/**
 * Finds the next occurrence of a line in a body, or the end (Horspool). The line begins with its only line feed, so few
 * bytes are compared, whatever the body contains.
 */
function finder(body: Uint8Array, line: Uint8Array): (from: number) => number {
  const last = line.length - 1
  const skips = new Uint32Array(256).fill(line.length)
  for (let i = 0; i < last; i++) skips[line[i]!] = last - i
  return (from) => {
    for (let at = from; at + last < body.length; at += skips[body[at + last]!]!) {
      if (body[at] === LINE_FEED && holdsAt(body, at, line)) return at
    }
    return body.length
  }
}

/** What follows a delimiter: a part that begins at this position, or nothing more; or it is not a delimiter. */
function afterDelimiter(body: Uint8Array, end: number): number | 'end' | 'no delimiter' {
  if (body[end] === LINE_FEED) return end + 1
  if (body[end] === CARRIAGE_RETURN && body[end + 1] === LINE_FEED) return end + 2
  return body[end] === DASH && body[end + 1] === DASH ? 'end' : 'no delimiter'
}

interface FormPart {
  start: number
  end: number
}

const refusedForm = (what = 'The body is not valid multipart/form-data.'): ApiError =>
  new ApiError('invalid_request', `${what} Send a form with the file in the field \`file\`.`)

function* formParts(body: Uint8Array, boundary: string): Generator<FormPart> {
  const line = utf8Encoder.encode(`\n--${boundary}`)
  const find = finder(body, line)
  let start: number | undefined
  // The first delimiter may have no line feed before it.
  for (let at = holdsAt(body, 0, line.subarray(1)) ? -1 : find(0); at < body.length; at = find(at + 1)) {
    const next = afterDelimiter(body, at + line.length)
    if (next === 'no delimiter') continue
    if (start !== undefined) yield { start, end: at }
    if (next === 'end') return
    start = next
  }
  throw refusedForm()
}

/** Start of a part's content, after a blank line. @throws ApiError 400 if there is no blank line */
function contentStart(body: Uint8Array, { start, end }: FormPart): number {
  const limit = Math.min(start + MAX_PART_HEADERS_BYTES, end)
  for (let at = body.indexOf(LINE_FEED, start); at >= 0 && at < limit; at = body.indexOf(LINE_FEED, at + 1)) {
    if (body[at + 1] === LINE_FEED) return at + 2
    if (body[at + 1] === CARRIAGE_RETURN && body[at + 2] === LINE_FEED) return at + 3
  }
  throw refusedForm()
}

/** On Windows, curl and other clients send file names in Windows-1252. */
function partHeadersText(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return windows1252.decode(bytes)
  }
}

const headerIn = (partHeaders: string, name: string): string =>
  new RegExp(`^${name}:[^\\r\\n]*`, 'im').exec(partHeaders)?.[0] ?? ''

/** Encodings of a part that leave its bytes as they are (RFC 2045, section 6.2). */
const IDENTITY_ENCODINGS: readonly string[] = ['', '7bit', '8bit', 'binary']

/** Only mail software encodes parts (RFC 7578, section 4.7). */
function requireIdentity(partHeaders: string): void {
  const [, encoding = ''] = headerIn(partHeaders, 'Content-Transfer-Encoding').split(':')
  if (IDENTITY_ENCODINGS.includes(encoding.trim().toLowerCase())) return
  throw new ApiError(
    'unsupported_media_type',
    'A part of the form has a Content-Transfer-Encoding other than 7bit, 8bit or binary. Send its bytes as they are.',
  )
}

function readPart(body: Uint8Array, part: FormPart): FormField {
  const start = contentStart(body, part)
  const partHeaders = partHeadersText(body.subarray(part.start, start))
  requireIdentity(partHeaders)
  const disposition = headerIn(partHeaders, 'Content-Disposition')
  const name = fieldNameOf(disposition)
  if (name === null) throw refusedForm()
  const end = body[part.end - 1] === CARRIAGE_RETURN ? part.end - 1 : part.end
  // The blank line of an empty part may be the line before the delimiter.
  const bytes = body.subarray(start, Math.max(start, end))
  return { name, fileName: fileNameOf(disposition), contentType: headerIn(partHeaders, 'Content-Type'), bytes }
}

/** @throws ApiError 400 if the body is not a form; 415 for a part with encoded bytes */
export function formFields(body: Uint8Array, contentType: string): FormField[] {
  const boundary = parameter(contentType, 'boundary')
  if (!boundary) throw refusedForm()
  const fields: FormField[] = []
  for (const part of formParts(body, boundary)) {
    if (fields.length === MAX_PARTS) throw refusedForm(`The form has more than ${MAX_PARTS} fields.`)
    fields.push(readPart(body, part))
  }
  return fields
}
