import { createMiddleware } from 'hono/factory'
import { apiErrorOf } from '#shared/errors/errors'
import { logLine } from '#shared/errors/log-line'
import { Completion } from '#worker/http/sharing/completion'
import { RequestLeases } from '#worker/http/sharing/leases'
import { CutOffError } from '#worker/http/sharing/stream'
import { Meter } from '#worker/storage/meter'
import { writePoint } from './analytics'
import type { AppEnv } from './context'
import { refusalNotes } from './notes'

const isStackFrame = (line: string): boolean => line.trimStart().startsWith('at ')

/** The parts of an error that may be logged: names and places. Messages can quote the input, so they are left out. */
function errorFields(error: Error): Record<string, unknown> {
  const refusal = apiErrorOf(error)
  if (refusal) {
    const { reason, cause } = refusal.details
    return {
      error: refusal.code,
      ...refusalNotes(refusal),
      ...(reason ? { reason } : {}),
      ...(cause instanceof Error ? { cause: errorFields(cause) } : {}),
    }
  }
  if (error instanceof CutOffError) return { error: 'cut_off', outcome: 'cut_off', reason: error.message }
  const inner = error.cause instanceof Error ? error.cause : error
  return {
    error: error.name,
    outcome: 'fault',
    // SQLite's own messages name tables and constraints, never values.
    ...(inner.message.includes('SQLITE_') ? { database: inner.message } : {}),
    ...(error.message.startsWith('configuration:') ? { reason: error.message } : {}),
    // Without the message, which may span lines.
    stack: (error.stack ?? '').replace(error.message, '').split('\n').filter(isStackFrame),
  }
}

/** Writes one line per request when its answer, a streamed one included, is complete. */
export const logRequests = createMiddleware<AppEnv>(async (c, next) => {
  const started = Date.now()
  const meter = new Meter()
  const completion = new Completion()
  c.set('meter', meter)
  c.set('completion', completion)
  c.set('leases', new RequestLeases())
  // A client that leaves ends the request; its log line is still written.
  c.executionCtx.waitUntil(completion.finished)
  c.set('notes', {})
  completion.add(() => {
    const line = {
      request_id: c.var.requestId,
      workspace: c.var.caller?.workspaceId ?? null,
      method: c.req.method,
      // The pattern of the route, without values.
      route: c.var.endpoint?.path ?? null,
      status: c.res.status,
      ms: Date.now() - started,
      round_trips: meter.roundTrips,
      database_ms: Math.round(meter.databaseMs),
      rows_read: meter.rowsRead,
      rows_written: meter.rowsWritten,
      outcome: 'ok',
      ...c.var.notes,
      ...(c.error ? errorFields(c.error) : {}),
    }
    logLine(line)
    writePoint(c.env.ANALYTICS, line)
  })
  try {
    await next()
  } finally {
    c.var.leases.releaseAll()
    if (!completion.deferred) completion.run()
  }
})
