import { unreachable } from '#client/service-error'

/** What a log may know of one request: no secret, no query and no record. */
export interface Attempt {
  method: string
  /** With the names of its parameters, not their values. */
  path: string
  /** Of the answer; 0 if there was none. */
  status: number
  /** The service's log has the cause of a failure under this id. */
  requestId: string | null
  durationMs: number
}

interface TimeLimit {
  signal: AbortSignal | undefined
  /** Forgets the time, so that it does not end what comes later. The caller's signal still does. */
  end(): void
}

/** A signal that is aborted with the caller's own or after a time. Without a time it is the caller's own. */
export function timeLimit(ms: number | undefined, signal: AbortSignal | undefined): TimeLimit {
  if (ms === undefined) return { signal, end: () => {} }
  const controller = new AbortController()
  const late = () => controller.abort(unreachable(new Error(`no answer within ${ms / 1000} seconds`)))
  const timer = setTimeout(late, ms)
  return {
    signal: AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]),
    end: () => clearTimeout(timer),
  }
}
