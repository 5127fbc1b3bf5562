import { isJsonFile } from '#shared/records/csv/file-kind'
import { csvSource } from '#shared/records/csv/read'
import { jsonSource } from '#shared/records/json-source'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { sha256Hex } from '#worker/crypto/hash'
import { bodyOf } from '#worker/http/body/body'
import { FORM_TYPE, JSON_TYPE, receive } from '#worker/http/body/receive'
import type { AppContext } from '#worker/http/context'
import { refuseParameters } from '#worker/http/endpoint/validation'
import { note } from '#worker/http/log'
import { takeTurn, withPauses } from '#worker/http/sharing/large-bodies'

/** A file that has arrived but has not been processed. Processing takes several times its memory. */
export interface ReceivedUpload {
  format: 'csv' | 'json'
  fileName: string | null
  sizeBytes: number
  /** What the bytes are: a media type, with its charset. */
  contentType: string
  /** The bytes of the file, until they are read. */
  bytes(): Uint8Array
  /** SHA-256 of the bytes, hexadecimal. Can be asked until they are read. */
  sha256(): Promise<string>
  /**
   * The records of the file. Waits for the request's turn if the file is large. The turn ends before the answer is
   * sent.
   *
   * @throws ApiError 400 for a body without records and for errors of the file as a whole
   */
  read(type: RecordType): Promise<RecordSource>
}

const CSV_TYPE = 'text/csv'
const CSV_TYPES = [CSV_TYPE, 'application/csv', 'application/vnd.ms-excel']

/**
 * Receives the body of a write: JSON, a CSV file, or either of them as a file of a form. Its bytes are dropped when
 * they are read.
 *
 * @param sent by default the body of the request
 * @throws ApiError 415 for another content type, 413, 400 for a broken form
 */
export async function receiveUpload(c: AppContext, sent = bodyOf(c)): Promise<ReceivedUpload> {
  const received = await receive(c, [JSON_TYPE, FORM_TYPE, ...CSV_TYPES], sent)
  const { bytes, mediaType, fileName, otherFields } = received
  const isJson = mediaType === null ? isJsonFile(bytes) : mediaType === JSON_TYPE
  const charset = isJson ? undefined : received.charset
  const csvType = `${mediaType ?? CSV_TYPE}${charset === undefined ? '' : `;charset=${charset}`}`
  const sizeBytes = bytes.byteLength
  note(c, { bytes: sizeBytes })
  let unread: Uint8Array | undefined = bytes
  let digest: Promise<string> | undefined
  const unreadBytes = (): Uint8Array => {
    if (unread === undefined) throw new Error('upload: its bytes were read before')
    return unread
  }
  return {
    format: isJson ? 'json' : 'csv',
    // JSON that is the body itself is no file.
    fileName: mediaType === JSON_TYPE ? null : fileName,
    contentType: isJson ? JSON_TYPE : csvType,
    sizeBytes,
    bytes: unreadBytes,
    sha256() {
      digest ??= sha256Hex(unreadBytes())
      return digest
    },
    async read(type) {
      await takeTurn(c, sizeBytes)
      const file = unreadBytes()
      unread = undefined
      const source = await withPauses(isJson ? jsonSource(file) : csvSource(file, type, charset))
      const namesBeside = [...otherFields, ...(source.namesBeside ?? [])]
      refuseParameters(c, namesBeside)
      return { ...source, namesBeside }
    },
  }
}
