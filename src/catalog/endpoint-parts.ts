import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { ChangeQuery } from '#catalog/read/queries'
import type { ExpectedState } from '#catalog/write/conflicts'
import type { DiffCsvOptions } from '#catalog/write/diff-csv'
import { configOf } from '#env'
import { shortened } from '#errors/echoed-value'
import { ApiError } from '#errors/errors'
import type { AppContext } from '#http/context'
import { catalogDatabaseOf } from '#http/databases'
import { pacedRead } from '#http/sharing/expensive-reads'
import { streamText } from '#http/sharing/stream'
import { DEFAULT_MAX_SHRINK } from '#limits'
import { RECORD_TYPES, type RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { BackgroundMeter } from '#storage/meter'
import { deliverNow } from '#webhooks/deliver'
import type { Catalog } from './catalog'

/** The workspace comes from the credential and from nowhere else. */
export const catalogOf = (c: AppContext, type: RecordTypeName, db = catalogDatabaseOf(c)): Catalog => ({
  db,
  scope: { workspaceId: c.var.caller.workspaceId, type },
  type: recordTypes[type],
  announce: () => {
    const { env, executionCtx, var: own } = c
    executionCtx.waitUntil(deliverNow(env, own.caller, new BackgroundMeter(own.meter)))
  },
})

/** The catalog in a path. @throws ApiError 404 when there is no such type */
export function catalogNamed(c: AppContext, name: string): Catalog {
  const type = RECORD_TYPES.find((known) => known === name)
  if (type === undefined) {
    throw new ApiError(
      'not_found',
      `There is no catalog "${shortened(name)}"; the catalogs are ${RECORD_TYPES.join(', ')}.`,
    )
  }
  return catalogOf(c, type)
}

/** Whether the answer is CSV: by `format` if it is sent, else by the header `Accept`. */
export const wantsCsv = (c: Context, format: 'json' | 'csv' | undefined): boolean =>
  format === undefined
    ? accepts(c, {
        header: 'Accept',
        supports: ['application/json', 'text/csv'],
        default: 'application/json',
      }) === 'text/csv'
    : format === 'csv'

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
export const maxShrinkOf = ({ confirm_shrink, max_shrink }: ChangeQuery): number | null =>
  confirm_shrink ? null : (max_shrink ?? DEFAULT_MAX_SHRINK)

const expectedState = ({ expected_revision, expected_epoch }: ChangeQuery): ExpectedState => ({
  expectedRevision: expected_revision ?? null,
  expectedEpoch: expected_epoch ?? null,
})

/** What a write and a restore have in common. */
export const changeOptions = (c: AppContext, query: ChangeQuery, now: Date) => ({
  dryRun: query.dry_run ?? false,
  diff: query.include === 'diff',
  keepsVersions: configOf(c.env).historyDays > 0,
  ...expectedState(query),
  createdBy: c.var.caller.actor,
  now: now.getTime(),
})

/** How the diff is written as CSV; undefined when the answer is JSON. */
export const diffCsvOptions = (c: AppContext, query: ChangeQuery): DiffCsvOptions | undefined =>
  query.include === 'diff' && wantsCsv(c, query.format)
    ? {
        ...expectedState(query),
        only: query.change ?? null,
        safe: query.safe === '1',
        paced: pacedRead(c),
      }
    : undefined
