import * as z from 'zod'
import { ApiError, invalidField } from '#errors'
import { SMALL_JSON_LIMITS } from '#limits'
import { readBody } from './body'
import type { AppContext } from './context'
import type { RequestBody } from './request-body'
import { checkJsonShape } from './json-shape'
import { inTurn } from './turns'
import { parseJson } from './validation'

export interface UploadedFile {
  bytes: Uint8Array
  /** As the client calls it; null where it does not. */
  name: string | null
}

/** The media type of a request, without parameters, in lower case; empty where there is none. */
export const mediaTypeOf = (c: AppContext): string =>
  (c.req.header('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

// In the engine, not yet in TypeScript's library (ECMAScript 2026, Uint8Array.fromBase64).
const { fromBase64 } = Uint8Array as unknown as { fromBase64(text: string): Uint8Array }

/** The form field `file`; its own content type does not matter. */
async function formFile(body: Uint8Array, contentType: string): Promise<UploadedFile> {
  let form: FormData
  try {
    form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData()
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid multipart/form-data.')
  }
  const files = form.getAll('file') as (File | string)[]
  const file = files[0]
  if (file === undefined || files.length > 1) {
    throw new ApiError('invalid_request', 'The form must have exactly one field `file`, holding the file.')
  }
  if (typeof file === 'string') return { bytes: bytesOfText(file), name: null }
  return { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name === '' ? null : file.name }
}

/**
 * A part without a file name comes as text that has been read as UTF-8. Where that failed, its bytes are lost.
 *
 * @throws ApiError 400 where the text has the sign that stands for unreadableFile bytes
 */
function bytesOfText(text: string): Uint8Array {
  if (text.includes('\ufffd')) {
    throw new ApiError(
      'invalid_request',
      'The form field `file` is not UTF-8: send it as a file, that is with a file name.',
    )
  }
  return new TextEncoder().encode(text)
}

const utf8 = new TextDecoder()
const OPENING_BRACE = 0x7b

/** The text of a JSON object that may have a member `file`; null for any other. */
function candidate(body: Uint8Array): string | null {
  // A list of records is told by its first character, without making a text of it.
  const first = body.find((byte) => byte > 0x20)
  if (first !== OPENING_BRACE) return null
  const text = utf8.decode(body)
  return text.includes('"file"') ? text : null
}

/**
 * The file in a decrypted body, `{"file": "<base64>"}` (specification, Encrypted request and response bodies, 4).
 *
 * @param body what `readBody` gave
 * @returns null when the request was not encrypted, or the body is something else: whoever reads it finds its faults
 * @throws ApiError 400 when `file` is not a string of base64 in the standard alphabet
 */
export function encryptedFile(c: AppContext, body: Uint8Array): Uint8Array | null {
  const text = c.var.openBody === undefined ? null : candidate(body)
  if (text === null) return null
  let value: { file?: unknown; records?: unknown; items?: unknown }
  try {
    checkJsonShape(body, SMALL_JSON_LIMITS)
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (value.file === undefined || value.records !== undefined || value.items !== undefined) return null
  if (typeof value.file !== 'string') throw invalidField('file', 'wrong_type', 'must be a string', value.file)
  try {
    return fromBase64.call(Uint8Array, value.file)
  } catch {
    throw invalidField('file', 'malformed', 'must be base64 in the standard alphabet')
  }
}

/**
 * The file of a request: the field `file` of `multipart/form-data`, or of an encrypted JSON object.
 *
 * @throws ApiError 415 for another content type, 413, 400 where there is no file or more than one
 */
export async function readFile(c: AppContext): Promise<UploadedFile> {
  if (c.var.openBody !== undefined) {
    const body = await readBody(c)
    const bytes = await inTurn(c, body.byteLength, () => encryptedFile(c, body))
    if (bytes !== null) return { bytes, name: null }
    parseJson(body)
    throw invalidField('file', 'required', 'is required')
  }
  if (mediaTypeOf(c) !== 'multipart/form-data') {
    throw new ApiError('unsupported_media_type', 'The Content-Type must be multipart/form-data.', {
      headers: { Accept: 'multipart/form-data' },
    })
  }
  const body = await readBody(c)
  return inTurn(c, body.byteLength, () => formFile(body, c.req.header('Content-Type')!))
}

/** A file as a body; see `readFile`. */
export const fileBody: RequestBody<UploadedFile> = {
  content: { 'multipart/form-data': z.object({ file: z.string().meta({ format: 'binary' }) }) },
  required: true,
  small: false,
  read: readFile,
}
