import { isJsonFile } from '#shared/records/csv/file-kind'
import { csvSource } from '#shared/records/csv/read'
import { jsonSource } from '#shared/records/json-source'
import type { RecordType } from '#shared/records/record-type'
import type { RecordSource } from '#shared/records/source'
import { FORM_TYPE, JSON_TYPE, type ReceivedBody } from '#worker/http/body/receive'
import { withPauses } from '#worker/http/sharing/large-bodies'

const CSV_TYPE = 'text/csv'

/** The media types of a write: JSON, a CSV file, or either of them as a file of a form. */
export const UPLOAD_TYPES = [JSON_TYPE, FORM_TYPE, CSV_TYPE, 'application/csv', 'application/vnd.ms-excel']

/** A file that has arrived but has not been read. Reading takes several times its memory. */
export class Upload {
  readonly format: 'csv' | 'json'
  readonly fileName: string | null
  readonly sizeBytes: number
  /** What the bytes are: a media type, with its charset. */
  readonly contentType: string
  readonly #charset: string | undefined
  readonly #otherFields: readonly string[]
  #bytes: Uint8Array | undefined

  constructor({ bytes, mediaType, charset, fileName, otherFields }: ReceivedBody) {
    const isJson = mediaType === null ? isJsonFile(bytes) : mediaType === JSON_TYPE
    this.format = isJson ? 'json' : 'csv'
    // JSON that is the body itself is no file.
    this.fileName = mediaType === JSON_TYPE ? null : fileName
    this.sizeBytes = bytes.byteLength
    this.#charset = isJson ? undefined : charset
    const csvType = mediaType ?? CSV_TYPE
    this.contentType = isJson ? JSON_TYPE : `${csvType}${charset === undefined ? '' : `;charset=${charset}`}`
    this.#otherFields = otherFields
    this.#bytes = bytes
  }

  /** The bytes of the file, until they are read. */
  get bytes(): Uint8Array {
    if (this.#bytes === undefined) throw new Error('upload: its bytes were read before')
    return this.#bytes
  }

  /**
   * The records of the file. Drops its bytes.
   *
   * @throws ApiError 400 for a body without records and for errors of the file as a whole
   */
  async read(type: RecordType): Promise<RecordSource> {
    const { bytes } = this
    this.#bytes = undefined
    const source = await withPauses(this.format === 'json' ? jsonSource(bytes) : csvSource(bytes, type, this.#charset))
    return { ...source, namesBeside: [...this.#otherFields, ...(source.namesBeside ?? [])] }
  }
}
