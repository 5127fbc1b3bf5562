import * as z from 'zod'
import { ApiError, invalidField } from '#errors'
import { SMALL_JSON_LIMITS } from '#limits'
import { readBody } from './body'
import type { AppContext } from './context'
import { formField } from './form'
import { checkJsonShape } from './json-shape'
import type { FileInput, RequestBody } from './request-body'
import { inTurn } from './turns'
import { parseJson } from './validation'

export interface UploadedFile {
  bytes: Uint8Array
  /** The name that the client gave; null if it gave none. */
  name: string | null
}

/** The media type of a request, without parameters, in lower case; empty when there is none. */
export const mediaTypeOf = (c: AppContext): string =>
  (c.req.header('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

// In the engine, not yet in TypeScript's library (ECMAScript 2026, Uint8Array.fromBase64).
const { fromBase64 } = Uint8Array as unknown as { fromBase64(text: string): Uint8Array }

/** The form field `file`; its own content type does not matter. */
async function formFile(body: Uint8Array, contentType: string): Promise<UploadedFile> {
  const files = await formField(body, contentType, 'file')
  if (files === null) {
    throw new ApiError(
      'invalid_request',
      'The body is not valid multipart/form-data. Send a form with the file in the field `file`.',
    )
  }
  const file = files[0]
  if (file === undefined || files.length > 1) {
    throw new ApiError(
      'invalid_request',
      'The form must have exactly one field with the name `file`, which holds the file.',
    )
  }
  if (typeof file === 'string') return { bytes: bytesOfText(file), name: null }
  return { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name === '' ? null : file.name }
}

/** A part without a file name arrives as text that was read as UTF-8. @throws ApiError 400 if that failed */
function bytesOfText(text: string): Uint8Array {
  if (text.includes('\ufffd')) {
    throw new ApiError(
      'invalid_request',
      'The form field `file` is not UTF-8. Send it as a file, which means with a file name.',
    )
  }
  return new TextEncoder().encode(text)
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
 * The file of a request: the form field `file`, or `file` of an encrypted JSON object.
 *
 * @throws ApiError 415 for another content type, 413, 400 when there is no file or more than one
 */
export async function readFile(c: AppContext): Promise<UploadedFile> {
  if (c.var.openBody !== undefined) {
    const body = await readBody(c)
    const bytes = await inTurn(c, body.byteLength, () => encryptedFile(c, body))
    if (bytes !== null) return { bytes, name: null }
    parseJson(body)
    throw invalidField('file', 'required', 'is required: the base64 of the file')
  }
  if (mediaTypeOf(c) !== 'multipart/form-data') {
    throw new ApiError('unsupported_media_type', 'The Content-Type must be multipart/form-data.', {
      headers: { Accept: 'multipart/form-data' },
    })
  }
  const body = await readBody(c)
  return inTurn(c, body.byteLength, () => formFile(body, c.req.header('Content-Type')!))
}

export const fileBody: RequestBody<UploadedFile, FileInput> = {
  content: { 'multipart/form-data': z.object({ file: z.string().meta({ format: 'binary' }) }) },
  required: true,
  small: false,
  read: readFile,
}
