import type { Data } from '#client/api'
import type { CatalogClient } from '#client/catalog-client'
import { hasStatus } from '#client/service-error'
import { RECORD_TYPES } from '#shared/records/record-type'
import { counted } from '#shared/records/warnings'
import { CommandEnd, EXIT, type ExitCode, wrongUse } from './exits'
import type { Output } from './output'
import { countsText, typeNamed } from './push'

const UPLOADS = '/admin/catalogs/v1/{type}/uploads'

type Upload = Data<'get', typeof UPLOADS>['items'][number]

/** Uploads that are shown. */
const SHOWN = 20

function uploadLine({
  upload_id,
  created_at,
  created_by,
  outcome,
  message,
  file_name,
  held_until,
}: Upload): string {
  const waits = held_until === null ? '' : `, until ${held_until}`
  return `${upload_id}  ${created_at}  ${outcome}${waits}  ${file_name ?? ''}  by ${created_by}\n    ${message}`
}

/** The newest uploads of a catalog: written, refused and waiting. */
export async function uploads(client: CatalogClient, typeName: string, output: Output): Promise<ExitCode> {
  const { name: type } = typeNamed(typeName)
  const { items } = await client.get(UPLOADS, { params: { type }, query: { limit: SHOWN } })
  const text = items.length === 0 ? `${type}: no uploads.` : items.map(uploadLine).join('\n')
  await output.result(text, { exit: EXIT.done, type, uploads: items })
  return EXIT.done
}

/** An upload, whatever its catalog. @throws CommandEnd 2 when there is none */
async function uploadNamed(client: CatalogClient, upload_id: string): Promise<Upload> {
  for (const type of RECORD_TYPES) {
    try {
      return await client.get(`${UPLOADS}/{upload_id}`, { params: { type, upload_id } })
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
  }
  throw wrongUse(`There is no upload ${upload_id}.`)
}

/** @throws CommandEnd 4 for a file that no longer waits */
function requireWaiting({ upload_id, outcome }: Upload): void {
  if (outcome === 'held') return
  throw new CommandEnd(EXIT.stopped, `The file of ${upload_id} does not wait: it is ${outcome}.`, { outcome })
}

export interface ApproveOptions {
  dryRun?: boolean
  confirmShrink?: boolean
}

/** Writes a file that waits. */
export async function approve(
  client: CatalogClient,
  upload_id: string,
  { dryRun, confirmShrink }: ApproveOptions,
  output: Output,
): Promise<ExitCode> {
  const upload = await uploadNamed(client, upload_id)
  requireWaiting(upload)
  const { type } = upload
  const result = await client.post(`${UPLOADS}/{upload_id}/write`, {
    params: { type, upload_id },
    query: { dry_run: dryRun, confirm_shrink: confirmShrink },
  })
  const done = dryRun ? 'This was a dry run; the file waits.' : `The revision is ${result.revision}.`
  await output.result(`${type}: ${counted(result.total, 'record')}: ${countsText(result)}. ${done}`, {
    exit: EXIT.done,
    result,
  })
  return EXIT.done
}

/** Discards a file that waits. */
export async function discard(client: CatalogClient, upload_id: string, output: Output): Promise<ExitCode> {
  const upload = await uploadNamed(client, upload_id)
  requireWaiting(upload)
  await client.delete(`${UPLOADS}/{upload_id}`, { params: { type: upload.type, upload_id } })
  await output.result(`The file ${upload.file_name ?? upload_id} is discarded.`, {
    exit: EXIT.done,
    upload_id,
  })
  return EXIT.done
}
