import { ApiError } from '#errors/errors'
import { readBody } from '#http/body/body'
import { encryptedFile, mediaTypeOf, readFile } from '#http/body/upload'
import type { AppContext } from '#http/context'
import { fileNameOf } from '#http/endpoint/disposition'
import { note } from '#http/notes'
import { withPauses } from '#http/sharing/pause'
import { inTurn, takeTurn } from '#http/sharing/turns'
import type { Steps } from '#json/steps'
import { MAX_FILE_NAME_LENGTH } from '#limits'
import { isJsonFile } from '#records/csv/file-kind'
import { csvSource } from '#records/csv/source'
import { jsonSource } from '#records/json-source'
import type { RecordType } from '#records/record-type'
import type { RecordSource } from '#records/source'

/** The records of a write request, and the details of its file that are stored. */
export interface Upload {
  source: RecordSource
  fileName: string | null
  sizeBytes: number
}

/** A body that has arrived but has not been processed. Processing takes several times its memory. */
export interface ReceivedUpload {
  /**
   * Waits for the request's turn if the body is large. The turn ends before the answer is sent.
   *
   * @throws ApiError 400 for a body without records and for errors of the file as a whole
   */
  read(type: RecordType): Promise<Upload>
}

const CSV_TYPES = ['text/csv', 'application/csv', 'application/vnd.ms-excel']

const unsupported = (): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The Content-Type must be one of application/json, multipart/form-data, ${CSV_TYPES.join(', ')}.`,
    { headers: { Accept: ['application/json', 'multipart/form-data', ...CSV_TYPES].join(', ') } },
  )

/**
 * Reads the body of a write: JSON, a CSV file, or either of them as a file of a form or of an encrypted body.
 *
 * @throws ApiError 415 for another content type, 413, 400 for a broken form
 */
export async function receiveUpload(c: AppContext): Promise<ReceivedUpload> {
  const mediaType = mediaTypeOf(c)
  const disposition = c.req.header('Content-Disposition')
  const sentName = disposition === undefined ? null : fileNameOf(disposition)
  const fileName = sentName === null ? null : keptFileName(sentName)
  if (mediaType === 'application/json') {
    const body = await readBody(c)
    const file = await inTurn(c, body.byteLength, () => encryptedFile(c, body))
    return file === null ? jsonUpload(c, body) : fileUpload(c, file, fileName)
  }
  if (CSV_TYPES.includes(mediaType)) {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(c.req.header('Content-Type') ?? '')?.[1]
    return csvUpload(c, await readBody(c), charset, fileName)
  }
  if (mediaType !== 'multipart/form-data') throw unsupported()
  const file = await readFile(c)
  return fileUpload(c, file.bytes, file.name === null ? null : keptFileName(file.name))
}

/** Drops the bytes after they have been read. */
const upload = (
  c: AppContext,
  bytes: Uint8Array,
  fileName: string | null,
  parse: (bytes: Uint8Array, type: RecordType) => Steps<RecordSource>,
): ReceivedUpload => {
  const sizeBytes = bytes.byteLength
  note(c, { bytes: sizeBytes })
  let held: Uint8Array | undefined = bytes
  return {
    async read(type: RecordType): Promise<Upload> {
      await takeTurn(c, sizeBytes)
      const received = held!
      held = undefined
      return { source: await withPauses(parse(received, type)), fileName, sizeBytes }
    },
  }
}

/** A file whose own content type does not matter: its bytes decide. */
const fileUpload = (c: AppContext, file: Uint8Array, fileName: string | null): ReceivedUpload =>
  isJsonFile(file) ? jsonUpload(c, file, fileName) : csvUpload(c, file, undefined, fileName)

const jsonUpload = (c: AppContext, body: Uint8Array, fileName: string | null = null): ReceivedUpload =>
  upload(c, body, fileName, jsonSource)

const csvUpload = (
  c: AppContext,
  file: Uint8Array,
  charset: string | undefined,
  fileName: string | null,
): ReceivedUpload => upload(c, file, fileName, (bytes, type) => csvSource(bytes, type, charset))

/** Characters that are invisible or change the order in which others appear: a name must look like what it is. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A file name as it is stored: without invisible characters, and cut after `MAX_FILE_NAME_LENGTH` characters. */
export function keptFileName(name: string): string | null {
  // Cut twice: a name may be as long as a body.
  const shown = name
    .slice(0, 8 * MAX_FILE_NAME_LENGTH)
    .replace(UNSHOWN, '')
    .trim()
  return [...shown].slice(0, MAX_FILE_NAME_LENGTH).join('') || null
}
