import * as z from 'zod'
import { ApiError, invalidField } from '#shared/errors/errors'
import type { AppContext } from '#worker/http/context'
import { fileNameOf, parameter, storableFileName } from '#worker/http/endpoint/disposition'
import { parseJson, validBody } from '#worker/http/endpoint/validation'
import { withBodySlot } from '#worker/http/limits/body-slots'
import { bodyOf, readBody, type SentBody } from './body'
import { type FormField, formFields } from './form'
import type { RequestBody } from './request-body'

/** Receives files: as the body, in a form, or encrypted (docs/contract.md#encrypted-requests). */

export const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'multipart/form-data'

export interface ReceivedBody {
  bytes: Uint8Array
  /** The media type, without parameters; null for a file in a form, where the bytes decide. */
  mediaType: string | null
  /** Charset of the body's or part's content type, in lower case. */
  charset: string | undefined
  /** The client's file name after `storableFileName`; null if there is none. */
  fileName: string | null
  /** The other form fields, or other properties next to the file. */
  otherFields: readonly [name: string, value: unknown][]
}

const FILE_FIELD = 'file'

/** No error echoes more bytes of a value. */
const MAX_ECHOED_BYTES = 1000

const contentTypeHeader = ({ headers }: SentBody): string => headers.get('Content-Type') ?? ''

/** The media type of a body, without parameters, in lower case; empty if there is none. */
const mediaTypeOf = (sent: SentBody): string => /^[^;]*/.exec(contentTypeHeader(sent))?.[0].trim().toLowerCase() ?? ''

const charsetOf = (contentType: string): string | undefined =>
  parameter(contentType, 'charset')?.toLowerCase() || undefined

const sentFileName = ({ headers }: SentBody): string | null => {
  const disposition = headers.get('Content-Disposition')
  return storableFileName(disposition === null ? null : fileNameOf(disposition))
}

/** The name of a form field, and the beginning of its value, which is enough for an error. */
const echoedField = ({ name, bytes }: FormField): [name: string, value: string] => [
  name,
  new TextDecoder().decode(bytes.subarray(0, MAX_ECHOED_BYTES)),
]

/** The form field `file`. Only the charset of its own content type matters. @throws ApiError 400, 415 */
function formFile(sent: SentBody, body: Uint8Array): ReceivedBody {
  const fields = formFields(body, contentTypeHeader(sent))
  const [file, ...otherFiles] = fields.filter(({ name }) => name === FILE_FIELD)
  if (file === undefined || otherFiles.length > 0) {
    throw new ApiError(
      'invalid_request',
      'The form must have exactly one field with the name `file`, which holds the file.',
    )
  }
  const otherFields = fields.filter(({ name }) => name !== FILE_FIELD).map(echoedField)
  const { bytes, fileName, contentType } = file
  return { bytes, mediaType: null, charset: charsetOf(contentType), fileName: storableFileName(fileName), otherFields }
}

declare global {
  // In the engine, not yet in TypeScript's library (ECMAScript 2026).
  interface Uint8ArrayConstructor {
    fromBase64(text: string): Uint8Array<ArrayBuffer>
  }
}

const encryptedFileSchema = z.looseObject({
  file: z.string({
    error: ({ input }) => (input === undefined ? 'is required: the base64 of the file' : 'must be a string'),
  }),
})

/** Receives a decompressed and decrypted body, or the file in its form. @throws ApiError 415, 413, 400 */
export async function receive(c: AppContext, takes: readonly string[], sent = bodyOf(c)): Promise<ReceivedBody> {
  const mediaType = mediaTypeOf(sent)
  if (!takes.includes(mediaType)) {
    const list = takes.join(', ')
    const message = `The Content-Type must be ${takes.length > 1 ? 'one of ' : ''}${list}.`
    throw new ApiError('unsupported_media_type', message, { headers: { Accept: list } })
  }
  const bytes = await readBody(c, sent)
  if (mediaType !== FORM_TYPE) {
    const charset = charsetOf(contentTypeHeader(sent))
    return { bytes, mediaType, charset, fileName: sentFileName(sent), otherFields: [] }
  }
  return withBodySlot(c, bytes.byteLength, () => formFile(sent, bytes))
}

type ReceivedFile = Pick<ReceivedBody, 'bytes' | 'fileName' | 'otherFields'>

async function receiveFile(c: AppContext): Promise<ReceivedFile> {
  if (c.var.openBody === undefined) return receive(c, [FORM_TYPE])
  const plaintext = await readBody(c)
  const { file, ...others } = validBody(encryptedFileSchema, parseJson(plaintext))
  try {
    // Accepts no file name outside the encrypted body, because it could reveal the contents.
    return { bytes: Uint8Array.fromBase64(file), fileName: null, otherFields: Object.entries(others) }
  } catch {
    throw invalidField('file', 'malformed', 'must be base64 in the standard alphabet')
  }
}

export const fileBody: RequestBody<ReceivedFile> = {
  content: { [FORM_TYPE]: z.object({ file: z.string().meta({ format: 'binary', example: '%PDF-1.7' }) }) },
  required: true,
  small: false,
  read: receiveFile,
}
