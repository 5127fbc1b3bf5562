import { ApiError } from '#errors'
import { readBody } from '#http/body'
import type { AppContext } from '#http/context'
import { inTurn, takeTurn } from '#http/turns'
import { encryptedFile, mediaTypeOf, readFile } from '#http/upload'
import { parseJson } from '#http/validation'
import { decodeText } from '#records/csv/decode'
import { readCsv } from '#records/csv/read'
import { parseRecords } from '#records/exact-json'
import { jsonSource } from '#records/json-source'
import type { RecordType } from '#records/record-type'
import type { RecordSource } from '#records/source'

/** The records of a write request and what is recorded of the file that they came in. */
export interface Upload {
  source: RecordSource
  fileName: string | null
  sizeBytes: number
}

/** A body that has arrived but has not been looked into, which takes several times its memory. */
export interface ReceivedUpload {
  /**
   * Waits for the request's turn, where the body is large; the turn ends before the answer is sent.
   *
   * @throws ApiError 400 for a body without records and for faults of the file as a whole
   */
  read(type: RecordType): Promise<Upload>
}

const CSV_TYPES = ['text/csv', 'application/csv', 'application/vnd.ms-excel']

const unsupported = (): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The Content-Type must be application/json, multipart/form-data or one of ${CSV_TYPES.join(', ')}.`,
    { headers: { Accept: ['application/json', 'multipart/form-data', ...CSV_TYPES].join(', ') } },
  )

/**
 * Reads the body of a write in any of the forms of decisions, section 4.
 *
 * @throws ApiError 415 for another content type, 413, 400 for a broken form
 */
export async function receiveUpload(c: AppContext): Promise<ReceivedUpload> {
  const mediaType = mediaTypeOf(c)
  const fileName = dispositionFileName(c.req.header('Content-Disposition'))
  if (mediaType === 'application/json') {
    const body = await readBody(c)
    const file = await inTurn(c, body.byteLength, () => encryptedFile(c, body))
    return file === null ? jsonUpload(c, body) : csvUpload(c, file, undefined, fileName)
  }
  if (CSV_TYPES.includes(mediaType)) {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(c.req.header('Content-Type') ?? '')?.[1]
    return csvUpload(c, await readBody(c), charset, fileName)
  }
  if (mediaType !== 'multipart/form-data') throw unsupported()
  const file = await readFile(c)
  return csvUpload(c, file.bytes, undefined, file.name)
}

/** Lets the bytes go when they have been read. */
const upload = (
  c: AppContext,
  bytes: Uint8Array,
  fileName: string | null,
  parse: (bytes: Uint8Array, type: RecordType) => RecordSource,
): ReceivedUpload => {
  const sizeBytes = bytes.byteLength
  let held: Uint8Array | undefined = bytes
  return {
    async read(type: RecordType): Promise<Upload> {
      await takeTurn(c, sizeBytes)
      const received = held!
      held = undefined
      return { source: parse(received, type), fileName, sizeBytes }
    },
  }
}

const jsonUpload = (c: AppContext, body: Uint8Array): ReceivedUpload =>
  upload(c, body, null, (bytes) => jsonSource(parseJson(bytes, parseRecords)))

const csvUpload = (
  c: AppContext,
  file: Uint8Array,
  charset: string | undefined,
  fileName: string | null,
): ReceivedUpload =>
  upload(c, file, fileName, (bytes, type) => {
    const { rows, warnings } = readCsv(decodeText(bytes, charset).text, type)
    return { format: 'csv', warnings, records: rows }
  })

/** The file name of a Content-Disposition header, the extended form (RFC 8187) before the plain one (RFC 6266). */
function dispositionFileName(header: string | undefined): string | null {
  if (header === undefined) return null
  const extended = /filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // Not the encoding that it claims to be: the plain form is left.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header)
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2] ?? null) : null
}
