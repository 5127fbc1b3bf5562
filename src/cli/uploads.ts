import type { Data } from '#client/api'
import type { CatalogClient } from '#client/catalog-client'
import { hasStatus } from '#client/service-error'
import { RECORD_TYPES, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { countText } from '#shared/records/warnings'
import { CliError, EXIT, type ExitCode, usageError } from './exits'
import type { Output } from './output'
import type { Connection } from './settings'
import { countsText } from './write-result'

const UPLOADS = '/admin/catalogs/v1/{type}/uploads'

type Upload = Data<'get', typeof UPLOADS>['items'][number]

/** Number of uploads to list. */
const LIMIT = 20

/** The reasons of a rejected upload: `aliases: emptied_guard, 12`. */
const reasonsOf = ({ errors }: Upload): string =>
  errors.map(({ field, code, count }) => `\n    ${field ?? 'file'}: ${code}, ${count}`).join('')

function uploadLine(upload: Upload): string {
  const { upload_id, created_at, created_by, outcome, message, file_name, held_until, revision } = upload
  const waits = held_until === null ? '' : `, until ${held_until}`
  return (
    `${upload_id}  ${created_at}  ${outcome}${waits}  ${file_name ?? ''}  by ${created_by}, revision ` +
    `${revision}\n    ${message}${reasonsOf(upload)}`
  )
}

/** Lists the pending uploads of a catalog, then the newest others. */
export async function uploads({ client }: Connection, output: Output, type: RecordTypeName): Promise<ExitCode> {
  const newest = (outcome?: 'held') => client.get(UPLOADS, { params: { type }, query: { limit: LIMIT, outcome } })
  const [waiting, all] = await Promise.all([newest('held'), newest()])
  const items = [...waiting.items, ...all.items.filter(({ outcome }) => outcome !== 'held')]
  const text = items.length === 0 ? `${type}: no uploads.` : items.map(uploadLine).join('\n')
  return output.result(text, { exit: EXIT.done, type, uploads: items })
}

/** Finds a pending upload in any catalog. @throws CliError 2 if it does not exist, 4 if it is no longer pending */
async function waitingUpload(client: CatalogClient, upload_id: string): Promise<Upload> {
  for (const type of RECORD_TYPES) {
    const upload = await client.get(`${UPLOADS}/{upload_id}`, { params: { type, upload_id } }).catch((error) => {
      if (!hasStatus(error, 404)) throw error
    })
    if (upload?.outcome === 'held') return upload
    if (upload === undefined) continue
    const { outcome } = upload
    throw new CliError(EXIT.stopped, `The upload ${upload_id} is not pending: it is ${outcome}.`, { outcome })
  }
  throw usageError(`There is no upload ${upload_id}.`)
}

interface ApproveOptions {
  dryRun?: boolean
  confirmShrink?: boolean
  allowEmptied?: readonly string[]
  /** Accepts a file that may be older than the last write of a job. */
  older?: boolean
}

/** Approves a pending upload after a dry run. */
export async function approve(
  { client }: Connection,
  output: Output,
  upload_id: string,
  { dryRun, confirmShrink, allowEmptied, older }: ApproveOptions,
): Promise<ExitCode> {
  const upload = await waitingUpload(client, upload_id)
  const { type } = upload
  const path = `${UPLOADS}/{upload_id}/write` as const
  const fields = allowEmptied?.includes('all') ? recordTypes[type].fields.map(({ name }) => name) : allowEmptied
  const query = { confirm_shrink: confirmShrink, allow_emptied: fields?.join() }
  const plan = await client.post(path, { params: { type, upload_id }, query: { ...query, dry_run: true } })
  const { revision, epoch, warnings } = plan
  output.note(`${upload.message}${reasonsOf(upload)}`)
  for (const { field, msg } of warnings) output.note(`${field}: ${msg}`)
  const end = (counts: typeof plan, done: string) => {
    const text = `${type}: ${countText(counts.total, 'record')}: ${countsText(counts)}. ${done}`
    return output.result(text, { exit: EXIT.done, result: counts })
  }
  if (dryRun) return end(plan, `This was a dry run. The upload stays pending. The revision is ${revision}.`)
  const isOlder = warnings.some(({ code }) => code === 'newer_write')
  if (isOlder && !older) {
    const message =
      'The catalog has been updated since this file was uploaded. To approve the older file anyway, add --older.'
    throw new CliError(EXIT.stopped, message, { plan })
  }
  const written = await client.post(path, {
    params: { type, upload_id },
    // Writes the same state that the dry run has shown.
    query: { ...query, expected_revision: revision, expected_epoch: epoch },
  })
  const back = written.revision === revision ? '' : ` To undo this: dcs restore ${type} --revision ${revision}`
  return end(written, `The revision is ${written.revision}.${back}`)
}

/** Discards a pending upload. */
export async function discard({ client }: Connection, output: Output, upload_id: string): Promise<ExitCode> {
  const { type, file_name } = await waitingUpload(client, upload_id)
  await client.delete(`${UPLOADS}/{upload_id}`, { params: { type, upload_id } })
  return output.result(`The upload of ${file_name ?? upload_id} was discarded.`, { exit: EXIT.done, upload_id })
}
