import { createMiddleware } from 'hono/factory'
import { type ApiError, apiErrorOf, type ErrorItem, listedErrors } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import { recordTypes } from '#shared/records/record-types'
import { Completion } from '#worker/http/completion'
import { RequestLeases } from '#worker/http/limits/request-leases'
import { CutOffError } from '#worker/http/stream'
import { databaseFaultOf } from '#worker/storage/database-faults'
import { Meter } from '#worker/storage/meter'
import type { AppContext, AppEnv, LogFields } from './context'

export const addToLog = (c: AppContext, fields: LogFields): void => void Object.assign(c.var.logFields, fields)

const FIELD_NAMES: ReadonlySet<string> = new Set(
  Object.values(recordTypes).flatMap(({ fields }) => fields.map(({ name }) => name)),
)

function itemFields(item: ErrorItem): LogFields {
  if (!('msg' in item)) {
    const { code, ...figures } = item
    return { outcome: code, ...figures }
  }
  // Other names come from the caller: unknown columns, properties and parameters.
  const field = item.field !== null && FIELD_NAMES.has(item.field) ? item.field : null
  return { outcome: 'invalid', code: item.code, field, index: item.index }
}

/** What was rejected, and why: the first error, if there are several. */
function refusalFields(refusal: ApiError): LogFields {
  const first = refusal.details.logEntry ?? listedErrors(refusal)[0]
  if (first === undefined) return { outcome: refusal.code }
  return 'outcome' in first ? { ...first } : itemFields(first)
}

const isStackFrame = (line: string): boolean => line.trimStart().startsWith('at ')

/** The parts of an error that may be logged: names and places. Messages are omitted: they can quote the input. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: 'unknown', outcome: 'fault' }
  const refusal = apiErrorOf(error)
  if (refusal) {
    const { reason, cause } = refusal.details
    return {
      error: refusal.code,
      ...refusalFields(refusal),
      ...(reason ? { reason } : {}),
      ...databaseFaultOf(error),
      ...(cause instanceof Error ? { cause: errorFields(cause) } : {}),
    }
  }
  if (error instanceof CutOffError) return { error: 'cut_off', outcome: 'cut_off', reason: error.message }
  const inner = error.cause instanceof Error ? error.cause : error
  return {
    error: error.name,
    outcome: 'fault',
    // SQLite's own messages name tables and constraints, never values.
    ...databaseFaultOf(error),
    ...(inner.message.includes('SQLITE_') ? { database: inner.message } : {}),
    ...(error.message.startsWith('configuration:') ? { reason: error.message } : {}),
    // Omits the message, which may span lines.
    stack: (error.stack ?? '').replace(error.message, '').split('\n').filter(isStackFrame),
  }
}

/** Logs one line per request once its response, streaming or not, is complete. */
export const logRequests = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  const meter = new Meter()
  const completion = new Completion()
  c.set('meter', meter)
  c.set('completion', completion)
  c.set('leases', new RequestLeases())
  // If the client disconnects, the request ends, but its line is still logged.
  c.executionCtx.waitUntil(completion.finished)
  c.set('logFields', {})
  completion.add(() => {
    logLine({
      request_id: c.var.requestId,
      workspace: c.var.caller?.workspaceId ?? null,
      method: c.req.method,
      // The route pattern, without values.
      route: c.var.endpoint?.path ?? null,
      status: c.res.status,
      ms: Date.now() - startedAt,
      round_trips: meter.roundTrips,
      database_ms: Math.round(meter.databaseMs),
      rows_read: meter.rowsRead,
      rows_written: meter.rowsWritten,
      outcome: 'ok',
      ...c.var.logFields,
      ...(c.error ? errorFields(c.error) : {}),
    })
  })
  try {
    await next()
  } finally {
    c.var.leases.releaseAll()
    if (!completion.deferred) completion.run()
  }
})
