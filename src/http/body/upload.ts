import * as z from 'zod'
import { ApiError, invalidField } from '#errors/errors'
import type { AppContext } from '#http/context'
import { parseJson } from '#http/endpoint/validation'
import { inTurn } from '#http/sharing/turns'
import { scanJson } from '#json/shape'
import { SMALL_JSON_LIMITS } from '#limits'
import { bodyOf, readBody, type SentBody } from './body'
import { formFields } from './form'
import type { FileInput, RequestBody } from './request-body'

interface UploadedFile {
  bytes: Uint8Array
  /** The name that the client gave; null if it gave none. */
  name: string | null
}

/** The media type of a body, without parameters, in lower case; empty when there is none. */
export const mediaTypeOf = ({ headers }: Pick<SentBody, 'headers'>): string =>
  (headers.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

// In the engine, not yet in TypeScript's library (ECMAScript 2026, Uint8Array.fromBase64).
const { fromBase64 } = Uint8Array as unknown as { fromBase64(text: string): Uint8Array }

/** The form field `file`; its own content type does not matter. @throws ApiError 400 */
function formFile(body: Uint8Array, contentType: string): UploadedFile {
  const [file, ...others] = formFields(body, contentType, 'file')
  if (file === undefined || others.length > 0) {
    throw new ApiError(
      'invalid_request',
      'The form must have exactly one field with the name `file`, which holds the file.',
    )
  }
  return { bytes: file.bytes, name: file.fileName === '' ? null : file.fileName }
}

const utf8 = new TextDecoder()
const OPENING_BRACE = 0x7b

/** The text of a JSON object that may have a member `file`; null for any other. */
function candidate(body: Uint8Array): string | null {
  // Recognises a list of records by its first character, without decoding the whole body.
  const first = body.find((byte) => byte > 0x20)
  if (first !== OPENING_BRACE) return null
  const text = utf8.decode(body)
  return text.includes('"file"') ? text : null
}

/**
 * The file in a decrypted body, `{"file": "<base64>"}` (docs/contract.md#encrypted-requests).
 *
 * @param body what `readBody` returned
 * @returns null when the request was not encrypted, or when the body is something else; the caller then reads it
 * @throws ApiError 400 when `file` is not base64 in the standard alphabet
 */
export function encryptedFile({ open }: SentBody, body: Uint8Array): Uint8Array | null {
  const text = open === undefined ? null : candidate(body)
  if (text === null) return null
  let value: { file?: unknown; records?: unknown; items?: unknown }
  try {
    scanJson(body, SMALL_JSON_LIMITS)
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
 * The file of a request, or of a body that was stored: the form field `file`, or `file` of an encrypted JSON object.
 *
 * @throws ApiError 415 for another content type, 413, 400 when there is no file or more than one
 */
export async function readFile(c: AppContext, sent = bodyOf(c)): Promise<UploadedFile> {
  if (sent.open !== undefined) {
    const body = await readBody(c, sent)
    const bytes = await inTurn(c, body.byteLength, () => encryptedFile(sent, body))
    if (bytes !== null) return { bytes, name: null }
    parseJson(body)
    throw invalidField('file', 'required', 'is required: the base64 of the file')
  }
  if (mediaTypeOf(sent) !== 'multipart/form-data') {
    throw new ApiError('unsupported_media_type', 'The Content-Type must be multipart/form-data.', {
      headers: { Accept: 'multipart/form-data' },
    })
  }
  const body = await readBody(c, sent)
  return inTurn(c, body.byteLength, () => formFile(body, sent.headers.get('Content-Type') ?? ''))
}

export const fileBody: RequestBody<UploadedFile, FileInput> = {
  content: { 'multipart/form-data': z.object({ file: z.string().meta({ format: 'binary' }) }) },
  required: true,
  small: false,
  read: (c) => readFile(c),
}
