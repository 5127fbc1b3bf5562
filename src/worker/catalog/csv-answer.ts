import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import type { AppContext } from '#worker/http/context'
import { streamText } from '#worker/http/stream'

export const csvContentSchema = z.string().meta({
  description: 'A CSV file.',
  example:
    'medication_id,name,aliases,strength,form_name\n' +
    'MED-1001,Metformin hydrochloride 500 mg,Glucophage,500 mg,Tablet\n',
})

export const changesFileSchema = z.string().meta({
  description: 'A CSV file with a line for each field that changes.',
  example: 'change,id,name,field,old,new\nupdated,MED-1001,Metformin hydrochloride 500 mg,strength,250 mg,500 mg\n',
})

/** Whether to respond with CSV: by `format` if present, otherwise by the `Accept` header. */
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
