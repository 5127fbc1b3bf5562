import { fieldNameOf, fileNameOf } from './disposition'

/** The fields of a `multipart/form-data` body (RFC 7578); a field is a text unless it has a file name. */

const DASH = 0x2d
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The most bytes of the headers of one part, and the most parts whose names are quoted: the rest is left as it is. */
const MAX_HEADER_BYTES = 8192
const MAX_PARTS = 100

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const encoder = new TextEncoder()

/** Where a line of delimiter ends; null when there is no such line at this position. */
function afterDelimiter(body: Uint8Array, at: number, delimiter: Uint8Array): number | null {
  if (at > 0 && body[at - 1] !== LINE_FEED) return null
  for (let i = 0; i < delimiter.length; i++) if (body[at + i] !== delimiter[i]) return null
  const end = at + delimiter.length
  if (body[end] === LINE_FEED) return end + 1
  return body[end] === CARRIAGE_RETURN && body[end + 1] === LINE_FEED ? end + 2 : null
}

/** The headers of each part: where they begin, and their text up to the blank line. */
function* partHeaders(body: Uint8Array, boundary: string): Generator<{ start: number; text: string }> {
  const delimiter = encoder.encode(`--${boundary}`)
  let parts = 0
  for (let at = 0; at < body.length && parts < MAX_PARTS; at++) {
    if (body[at] !== DASH) continue
    const start = afterDelimiter(body, at, delimiter)
    if (start === null) continue
    const text = utf8.decode(body.subarray(start, start + MAX_HEADER_BYTES))
    const end = /\r?\n\r?\n/.exec(text)
    if (end) yield { start, text: text.slice(0, end.index) }
    parts++
  }
}

const DISPOSITION = /^Content-Disposition:[^\r\n]*/im

const quoted = (value: string): string => `"${value.replaceAll(/[\r\n]/g, ' ').replaceAll(/["\\]/g, '\\$&')}"`

function quotedDisposition(header: string): string {
  const [name, fileName] = [fieldNameOf(header), fileNameOf(header)]
  const parameters = [
    ...(name === null ? [] : [`; name=${quoted(name)}`]),
    ...(fileName === null ? [] : [`; filename=${quoted(fileName)}`]),
  ]
  return `Content-Disposition: form-data${parameters.join('')}`
}

/** The body with quoted names. The platform reads no others, but clients such as those of .NET send tokens. */
function withQuotedNames(body: Uint8Array, boundary: string): Uint8Array | Blob {
  const pieces: (Uint8Array | string)[] = []
  let kept = 0
  for (const { start, text } of partHeaders(body, boundary)) {
    const readable = text.replace(DISPOSITION, quotedDisposition)
    // A header that is not UTF-8 has another length as text, so it stays as it is.
    if (readable === text || text.includes('\ufffd')) continue
    pieces.push(body.subarray(kept, start), readable)
    kept = start + encoder.encode(text).byteLength
  }
  return pieces.length === 0 ? body : new Blob([...pieces, body.subarray(kept)])
}

function boundaryOf(contentType: string): string | undefined {
  const found = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  return found?.[1] ?? found?.[2]
}

/** The values of a field: a file where the part has a file name, else a text. Null when the body is no form. */
export async function formField(
  body: Uint8Array,
  contentType: string,
  field: string,
): Promise<(File | string)[] | null> {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return null
  const headers = { 'Content-Type': contentType }
  try {
    const form = await new Response(withQuotedNames(body, boundary), { headers }).formData()
    return form.getAll(field) as (File | string)[]
  } catch {
    return null
  }
}
