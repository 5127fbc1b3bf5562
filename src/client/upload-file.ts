import { DATASETS, type Data, type FileInput, type Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { mergeResults } from '#client/merge-results'

type WriteResult = Data<'post', typeof DATASETS>

/** A part of a file that fits into one request, as CSV with its own header row. */
export interface FilePart {
  content: FileInput['file']
  /** Rows of the file before this part. */
  offset: number
  /** Records of this part; left out if that is not known. An answer about another number is not believed. */
  rows?: number | undefined
}

/** A file in as many parts as it needs. */
export interface FileInParts {
  fileName?: string | undefined
  parts: readonly FilePart[]
  /** Whether the parts are compressed already. */
  isCompressed?: boolean | undefined
}

/** How much of a file has been sent. */
export interface UploadProgress {
  /** The part that is being sent, from 0. */
  part: number
  parts: number
  /** Share of that part that has been sent, 0 to 1. Only browsers tell it. */
  sent: number
}

export interface FileUploadOptions {
  /**
   * The query of each request. `expected_revision` and `expected_epoch` are for the first one that is sent; without
   * them it expects what the last one of `results` has left.
   */
  query: Query<'post', typeof DATASETS>
  /** Names the write of the file. The same file with the same key is written once. */
  key?: string | undefined
  /**
   * The answers to parts that are written already, which are not sent again. Those of this call are added, so that the
   * caller knows after an error what is written.
   */
  results?: WriteResult[] | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

/** `formulary.csv` as `formulary (2 of 3).csv`. */
export function partName(name: string, part: number, parts: number): string {
  if (parts === 1) return name
  const point = name.lastIndexOf('.')
  const end = point > 0 ? point : name.length
  return `${name.slice(0, end)} (${part + 1} of ${parts})${name.slice(end)}`
}

const stateAfter = ({ revision, epoch }: WriteResult) => ({ expected_revision: revision, expected_epoch: epoch })

/**
 * Sends a file part by part: a write, or a dry run. Each part expects the state of the catalog that the answer to the
 * part before it had, so that nobody writes in between unseen.
 *
 * @returns what all parts together have changed, or would change
 * @throws ServiceError for a part that is refused or not answered; `isStale` if somebody else has written
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
