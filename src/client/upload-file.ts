import { DATASETS, type Data, type FileInput, type Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { mergeResults } from '#client/merge-results'

type WriteResult = Data<'post', typeof DATASETS>

/** A part of a file that fits into one request, as CSV with its own header row. */
export interface FilePart {
  content: FileInput['file']
  /** Rows in the file before this part. */
  offset: number
  /** Number of records in this part; omitted if unknown. A response that counts a different number is rejected. */
  rows?: number | undefined
}

/** A file in as many parts as it needs. */
export interface FileInParts {
  fileName?: string | undefined
  parts: readonly FilePart[]
  /** Whether the parts are already compressed. */
  isCompressed?: boolean | undefined
}

/** How much of a file has been sent. */
export interface UploadProgress {
  /** The part that is being sent, from 0. */
  part: number
  parts: number
  /** Share of that part that has been sent, 0 to 1. Only browsers report it. */
  sent: number
}

export interface FileUploadOptions {
  /**
   * The query of each request. `expected_revision` and `expected_epoch` apply to the first request. If omitted, it
   * expects the state after the last of `results`.
   */
  query: Query<'post', typeof DATASETS>
  /** The key of the file's write. The same file with the same key is written once. */
  key?: string | undefined
  /**
   * The responses to parts that are already written and are not sent again. Responses of this call are added, so that
   * after an error the caller knows which parts are written.
   */
  results?: WriteResult[] | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

/** `formulary.csv` as `formulary (2 of 3).csv`. */
function partName(name: string, part: number, parts: number): string {
  if (parts === 1) return name
  const point = name.lastIndexOf('.')
  const end = point > 0 ? point : name.length
  return `${name.slice(0, end)} (${part + 1} of ${parts})${name.slice(end)}`
}

const stateAfter = ({ revision, epoch }: WriteResult) => ({ expected_revision: revision, expected_epoch: epoch })

/**
 * Sends a file part by part, as a write or a dry run. Each part expects the catalog state that the response to the
 * previous part reported, so that a write by others in between is detected.
 *
 * @returns what all parts together have changed, or would change
 * @throws ServiceError if a part is rejected or gets no response; `isStale` if someone else has written
 */
export async function uploadFile(
  client: Pick<ServiceClient, 'post'>,
  { fileName = 'upload', parts, isCompressed }: FileInParts,
  { query, key = crypto.randomUUID(), results = [], onProgress, signal }: FileUploadOptions,
): Promise<WriteResult> {
  let expected: Pick<typeof query, 'expected_revision' | 'expected_epoch'> = query
  for (const [part, { content, rows }] of [...parts.entries()].slice(results.length)) {
    const report = (sent: number) => onProgress?.({ part, parts: parts.length, sent })
    const before = results.at(-1)
    if (before !== undefined && expected.expected_revision === undefined) expected = stateAfter(before)
    report(0)
    const result = await client.post(DATASETS, {
      query: { ...query, ...expected },
      body: { file: content, fileName: partName(fileName, part, parts.length) },
      gzip: isCompressed ? 'done' : true,
      records: rows,
      headers: { 'Idempotency-Key': parts.length === 1 ? key : `${key}-${part + 1}` },
      onProgress: onProgress && ((sent, total) => report(sent / total)),
      signal,
    })
    results.push(result)
    expected = stateAfter(result)
  }
  const [first, ...others] = results
  if (first === undefined) throw new RangeError('a file has at least one part')
  return mergeResults(
    [first, ...others],
    parts.map(({ offset }) => offset),
  )
}
