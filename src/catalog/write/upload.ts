import { ApiError } from '#errors/errors'
import { bodyOf, readBody } from '#http/body/body'
import { encryptedFile, mediaTypeOf, readFile } from '#http/body/upload'
import type { AppContext } from '#http/context'
import { fileNameOf } from '#http/endpoint/disposition'
import { withPauses } from '#http/sharing/pause'
import { inTurn, takeTurn } from '#http/sharing/turns'
import type { Steps } from '#json/steps'
import { MAX_FILE_NAME_LENGTH } from '#limits'
import { isJsonFile } from '#records/csv/file-kind'
import { csvSource } from '#records/csv/source'
import { jsonSource } from '#records/json-source'
import type { RecordType } from '#records/record-type'
import type { RecordSource } from '#records/source'

/** A file that has arrived but has not been processed. Processing takes several times its memory. */
export interface ReceivedUpload {
  format: 'csv' | 'json'
  fileName: string | null
  sizeBytes: number
  /** The bytes of the file. They are given once: by this or by `read`. */
  takeBytes(): Uint8Array
  /**
   * The records of the file. Waits for the request's turn if the file is large. The turn ends before the answer is sent.
   *
   * @throws ApiError 400 for a body without records and for errors of the file as a whole
   */
  read(type: RecordType): Promise<RecordSource>
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
 * @param sent by default the body of the request
 * @throws ApiError 415 for another content type, 413, 400 for a broken form
 */
export async function receiveUpload(c: AppContext, sent = bodyOf(c)): Promise<ReceivedUpload> {
  const mediaType = mediaTypeOf(sent)
  const disposition = sent.headers.get('Content-Disposition')
  const fileName = disposition === null ? null : keptFileName(fileNameOf(disposition))
  if (mediaType === 'application/json') {
    const body = await readBody(c, sent)
    const file = await inTurn(c, body.byteLength, () => encryptedFile(sent, body))
    return file === null ? jsonUpload(c, body, null) : fileUpload(c, file, fileName)
  }
  if (CSV_TYPES.includes(mediaType)) {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(sent.headers.get('Content-Type') ?? '')?.[1]
    return csvUpload(c, await readBody(c, sent), fileName, charset)
  }
  if (mediaType !== 'multipart/form-data') throw unsupported()
  const file = await readFile(c, sent)
  return fileUpload(c, file.bytes, keptFileName(file.name))
}

/** Drops the bytes after they have been read. */
function upload(
  c: AppContext,
  bytes: Uint8Array,
  file: Pick<ReceivedUpload, 'format' | 'fileName'>,
  parse: (bytes: Uint8Array, type: RecordType) => Steps<RecordSource>,
): ReceivedUpload {
  const sizeBytes = bytes.byteLength
  let held: Uint8Array | undefined = bytes
  const takeBytes = (): Uint8Array => {
    const taken = held
    held = undefined
    if (taken === undefined) throw new Error('upload: its bytes were taken before')
    return taken
  }
  return {
    ...file,
    sizeBytes,
    takeBytes,
    async read(type) {
      await takeTurn(c, sizeBytes)
      return withPauses(parse(takeBytes(), type))
    },
  }
}

/** A file whose own content type does not matter: its bytes decide. */
const fileUpload = (c: AppContext, file: Uint8Array, fileName: string | null): ReceivedUpload =>
  isJsonFile(file) ? jsonUpload(c, file, fileName) : csvUpload(c, file, fileName)

const jsonUpload = (c: AppContext, body: Uint8Array, fileName: string | null): ReceivedUpload =>
  upload(c, body, { format: 'json', fileName }, jsonSource)

const csvUpload = (
  c: AppContext,
  file: Uint8Array,
  fileName: string | null,
  charset?: string,
): ReceivedUpload =>
  upload(c, file, { format: 'csv', fileName }, (bytes, type) => csvSource(bytes, type, charset))

/** Characters that are invisible or change the order in which others appear: a name must look like what it is. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A file name as it is stored: without invisible characters, and cut after `MAX_FILE_NAME_LENGTH` characters. */
export function keptFileName(name: string | null): string | null {
  if (name === null) return null
  // Cut twice: a name may be as long as a body.
  const shown = name
    .slice(0, 8 * MAX_FILE_NAME_LENGTH)
    .replace(UNSHOWN, '')
    .trim()
  return [...shown].slice(0, MAX_FILE_NAME_LENGTH).join('') || null
}
