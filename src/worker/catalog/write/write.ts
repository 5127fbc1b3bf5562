import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import type { WriteHead } from '#worker/catalog/write/sql/transaction'
import { writeStatements } from '#worker/catalog/write/sql/write'
import type { Deadline } from '#worker/storage/deadline'
import { checkAll } from './check-records'
import { commit } from './commit'
import { type DryRunOptions, dryRun } from './dry-run'
import { KeptFields } from './kept-fields'
import { committedResult } from './result'
import { unknownWrite } from './write-refusal'

export interface WriteOptions
  extends DryRunOptions,
    Omit<WriteHead, 'batchId' | 'format' | 'mode' | 'warnings' | 'restoredRevision' | 'approvalId' | 'total'> {
  dryRun: boolean
  /** Whether fields that are not sent keep their stored values. */
  keepsMissing: boolean
  /** The upload whose file is written, if the file has waited. */
  heldUpload: string | null
}

/**
 * Checks all records of a request and writes them, or returns what writing them would do.
 *
 * @throws ApiError 400 with every error of every record, as a sequence that is made while it is read; 409 for a stale
 *   revision and for a guard; 503 when the database cannot be reached
 */
export async function writeRecords(
  catalog: Catalog,
  source: RecordSource,
  { keepsMissing, ...requestOptions }: WriteOptions,
  deadline: Deadline,
): Promise<WriteResult> {
  const { scope, type } = catalog
  const keptFields = keepsMissing ? await KeptFields.begin(catalog, requestOptions) : undefined
  const options = { ...requestOptions, ...keptFields?.expected }
  const checkedRequest = await checkAll(type, source, options.mode, keptFields)
  const { chunks, idLists, total, warnings } = checkedRequest
  if (options.dryRun) {
    const result = await dryRun(catalog, checkedRequest, options)
    return { ...result, warnings: [...warnings, ...result.warnings] }
  }

  const head: WriteHead = {
    ...options,
    batchId: options.heldUpload ?? crypto.randomUUID(),
    approvalId: options.heldUpload === null ? null : crypto.randomUUID(),
    format: source.format,
    warnings: warnings.length,
    restoredRevision: null,
    total,
  }
  const row = await deadline.whileWriting(
    () => commit(catalog, head, writeStatements(scope, head, chunks, idLists)),
    unknownWrite(scope, head.batchId),
  )
  return { ...committedResult(scope, options.mode, row), warnings }
}
