import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppContext } from '#http/context'
import { streamText } from '#http/stream'
import { DEFAULT_MAX_SHRINK } from '#limits'
import { CHANGES } from '#records/change'
import type { RecordTypeName } from '#records/record-type'
import type { CatalogScope } from '#storage/catalog-scope'
import type { RestoreResult } from './restore'
import type { WriteResult } from './write'

/** Parts that the endpoints of catalogs share. */

/** The workspace comes from the credential and from nowhere else. */
export const scopeOf = (c: AppContext, type: RecordTypeName): CatalogScope => ({
  workspaceId: c.var.caller.workspaceId,
  type,
})

/** Whether the answer is CSV: by `format` if it is sent, else by the header `Accept`. */
export const wantsCsv = (c: Context, format: 'json' | 'csv' | undefined): boolean =>
  format === undefined
    ? accepts(c, {
        header: 'Accept',
        supports: ['application/json', 'text/csv'],
        default: 'application/json',
      }) === 'text/csv'
    : format === 'csv'

/** Streams a CSV file as an attachment. */
export const sendCsv = (
  c: AppContext,
  fileName: string,
  portions: AsyncIterable<string>,
  headers: Record<string, string> = {},
): Response =>
  streamText(c, portions, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    Vary: 'Accept',
    ...headers,
  })

/** The limit of the shrink guard in percent; null when `confirm_shrink` overrides the guard. */
export const maxShrinkOf = (query: {
  confirm_shrink?: boolean | undefined
  max_shrink?: number | undefined
}): number | null => (query.confirm_shrink ? null : (query.max_shrink ?? DEFAULT_MAX_SHRINK))

/** A sentence for people; programs read the counts. */
export function writeMessage(result: WriteResult | RestoreResult): string {
  const counts = CHANGES.filter((name) => result[name] > 0).map(
    (name) =>
      `${result[name]} ${name}${name === 'updated' && result.unchanged > 0 ? ` (${result.unchanged} of them unchanged)` : ''}`,
  )
  const verb = result.mode === 'restore' ? 'restored' : 'written'
  const done = result.dry_run ? `would be ${verb}` : verb
  return `${result.total} ${result.total === 1 ? 'record' : 'records'} ${done}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`
}
