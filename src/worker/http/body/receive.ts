import * as z from 'zod'
import { ApiError, invalidField } from '#shared/errors/errors'
import { scanJson } from '#shared/json/shape'
import { SMALL_JSON_LIMITS } from '#shared/limits'
import { OPENING_BRACE } from '#shared/text/characters'
import { lenientUtf8 } from '#shared/text/utf8'
import type { AppContext } from '#worker/http/context'
import { fileNameOf } from '#worker/http/endpoint/disposition'
import { parseJson } from '#worker/http/endpoint/validation'
import { inTurn } from '#worker/http/sharing/turns'
import { bodyOf, readBody, type SentBody } from './body'
import { formFields } from './form'
import type { FileInput, RequestBody } from './request-body'

/**
 * How a file comes in: as the body itself, in a form, or in an encrypted body as `{"file": "<base64>"}`
 * (docs/contract.md#encrypted-requests).
 */

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'multipart/form-data'

/** A body that has arrived, unpacked and decrypted. */
export interface ReceivedBody {
  /** Those of the file, if there is one inside. */
  bytes: Uint8Array
  /**
   * The media type, without parameters; null for a file that was in a form or in an encrypted body: its bytes decide.
   */
  mediaType: string | null
  /** The name that the client gave; null if it gave none. */
  fileName: string | null
}

type ReceivedFile = Pick<ReceivedBody, 'bytes' | 'fileName'>

const contentTypeHeader = ({ headers }: SentBody): string => headers.get('Content-Type') ?? ''

/** The media type of a body, without parameters, in lower case; empty when there is none. */
const mediaTypeOf = (sent: SentBody): string =>
  /^[^;]*/.exec(contentTypeHeader(sent))?.[0].trim().toLowerCase() ?? ''

const unsupported = (takes: readonly string[]): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The Content-Type must be ${takes.length > 1 ? 'one of ' : ''}${takes.join(', ')}.`,
    { headers: { Accept: takes.join(', ') } },
  )

/** The name in the `Content-Disposition` of a body. */
const sentFileName = ({ headers }: SentBody): string | null => {
  const disposition = headers.get('Content-Disposition')
  return disposition === null ? null : fileNameOf(disposition)
}

/** The form field `file`; its own content type does not matter. @throws ApiError 400 */
function formFile(sent: SentBody, body: Uint8Array): ReceivedFile {
  const [file, ...others] = formFields(body, contentTypeHeader(sent), 'file')
  if (file === undefined || others.length > 0) {
    throw new ApiError(
      'invalid_request',
      'The form must have exactly one field with the name `file`, which holds the file.',
    )
  }
  return { bytes: file.bytes, fileName: file.fileName === '' ? null : file.fileName }
}

declare global {
  // In the engine, not yet in TypeScript's library (ECMAScript 2026).
  interface Uint8ArrayConstructor {
    fromBase64(text: string): Uint8Array<ArrayBuffer>
  }
}

interface FileObject {
  file?: unknown
  records?: unknown
  items?: unknown
}

/** A JSON object with the member `file` instead of records; undefined for anything else, which the caller reads. */
function fileObject(body: Uint8Array): FileObject | undefined {
  // Recognises a list of records by its first character, without decoding the whole body.
  const isObject = body.find((byte) => byte > 0x20) === OPENING_BRACE
  const text = isObject ? lenientUtf8.decode(body) : ''
  if (!text.includes('"file"')) return undefined
  try {
    scanJson(body, SMALL_JSON_LIMITS)
    const value: FileObject = JSON.parse(text)
    const isFile = value.file !== undefined && value.records === undefined && value.items === undefined
    return isFile ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The file in a decrypted body, if there is one. @throws ApiError 400 when `file` is not base64 in the standard
 * alphabet
 */
function encryptedFile(sent: SentBody, body: Uint8Array): ReceivedFile | undefined {
  const found = fileObject(body)
  if (found === undefined) return undefined
  if (typeof found.file !== 'string') throw invalidField('file', 'wrong_type', 'must be a string', found.file)
  try {
    return { bytes: Uint8Array.fromBase64(found.file), fileName: sentFileName(sent) }
  } catch {
    throw invalidField('file', 'malformed', 'must be base64 in the standard alphabet')
  }
}

/**
 * Receives a body that may hold a file: in a form, or encrypted.
 *
 * @param takes the media types of bodies that are not encrypted. Encrypted ones are JSON (see
 * `encryption/middleware.ts`)
 * @param sent by default the body of the request
 * @throws ApiError 415 for another content type, 413, 400 for a broken form or one without exactly one file
 */
export async function receive(
  c: AppContext,
  takes: readonly string[],
  sent = bodyOf(c),
): Promise<ReceivedBody> {
  const isEncrypted = sent.open !== undefined
  const mediaType = isEncrypted ? JSON_TYPE : mediaTypeOf(sent)
  if (!isEncrypted && !takes.includes(mediaType)) throw unsupported(takes)
  const bytes = await readBody(c, sent)
  const unwrap = isEncrypted ? encryptedFile : mediaType === FORM_TYPE ? formFile : undefined
  const file = unwrap && (await inTurn(c, bytes.byteLength, () => unwrap(sent, bytes)))
  return file ? { ...file, mediaType: null } : { bytes, mediaType, fileName: sentFileName(sent) }
}

/** @throws ApiError 415, 413, 400 when there is no file */
async function receiveFile(c: AppContext): Promise<Uint8Array> {
  const { bytes, mediaType } = await receive(c, [FORM_TYPE])
  if (mediaType === null) return bytes
  parseJson(bytes)
  throw invalidField('file', 'required', 'is required: the base64 of the file')
}

/** A body that is one file: in a form, or in an encrypted body. */
export const fileBody: RequestBody<Uint8Array, FileInput> = {
  content: { [FORM_TYPE]: z.object({ file: z.string().meta({ format: 'binary' }) }) },
  required: true,
  small: false,
  read: receiveFile,
}
