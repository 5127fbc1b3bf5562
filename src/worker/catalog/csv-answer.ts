import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import type { AppContext } from '#worker/http/context'
import { streamText } from '#worker/http/sharing/stream'

export const csvContentSchema = z.string().meta({ description: 'A CSV file.' })

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
