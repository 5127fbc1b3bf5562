import { ApiError, apiErrorOf } from '#shared/errors/errors'
import type { Deadline } from './deadline'

/** Transient D1 faults (Cloudflare, "Debug D1"). They do not show whether a write took effect. */
const TRANSIENT = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
  "Can't read from request stream because client disconnected",
  // A proxy responded in its place.
  'Failed to parse body as JSON',
]

/** Faults of an overloaded or blocked database, or of an invocation with too many queries. */
const OVERLOADED = [
  'D1 DB is overloaded',
  'storage operation exceeded timeout',
  'exceeded its CPU time limit',
  'exceeded its memory limit',
  'long-running export',
  'long-running import',
  'Too many API requests',
  'timed out',
  'SQLITE_BUSY',
  'internal error; reference =',
]

const FULL = ['Exceeded maximum DB size', 'SQLITE_FULL']

const REFERENCE = /reference = ([0-9a-z]{8,64})\b/

/** Codes with which SQLite rejects a statement. Its transaction is rolled back. */
const REFUSED_STATEMENT = /SQLITE_(ERROR|CONSTRAINT|BUSY|TOOBIG|MISMATCH|RANGE|AUTH)/

/** Attempts for a write. D1 itself never retries writes. */
const ATTEMPTS = 4
/** Attempts for a read. D1 itself also tries each up to three times. */
const READ_ATTEMPTS = 2
const FIRST_BACKOFF_MS = 50
const LONGEST_BACKOFF_MS = 2000

/**
 * D1's message, from the innermost cause. Drizzle's own message contains parameters, which may be secret.
 */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  return error.cause instanceof Error ? messageOf(error.cause) : error.message
}

/** Why a transaction was stopped, as passed to `stopIf`. */
const STOP_REASONS = [
  'workspace_closed',
  'quota',
  'stale_revision',
  'upload_taken',
  'shrink_guard',
  'emptied_guard',
  'unrestorable_revision',
  'too_many_restored',
  'changed_later',
  'history',
] as const

export interface Stop {
  reason: (typeof STOP_REASONS)[number]
  /** Numbers at the time of the stop. */
  figures: string[]
}

const STOP = new RegExp(`\\b(${STOP_REASONS.join('|')})((?::[\\w,[\\]]+)+)`)

/** Why `stopIf` stopped a transaction; undefined for other errors. */
export function stopOf(error: unknown): Stop | undefined {
  const [, word, figures = ''] = STOP.exec(messageOf(error)) ?? []
  const reason = STOP_REASONS.find((one) => one === word)
  return reason && { reason, figures: figures.slice(1).split(':') }
}

/**
 * The D1 fault behind an error, for the log, without the rest of D1's message, which may contain values. Empty for
 * other errors.
 */
export function databaseFaultOf(error: unknown): { database_fault?: string; database_reference?: string } {
  const message = messageOf(error)
  const fault = [...FULL, ...TRANSIENT, ...OVERLOADED].find((text) => message.includes(text))
  if (fault === undefined) return {}
  const reference = REFERENCE.exec(message)?.[1]
  return { database_fault: fault, ...(reference === undefined ? {} : { database_reference: reference }) }
}

const says = (error: unknown, texts: readonly string[]): boolean => {
  const message = messageOf(error)
  return texts.some((text) => message.includes(text))
}

/** Whether a database is overloaded or blocked, so that an immediate retry would make it worse. */
export const isOverloaded = (error: unknown): boolean => says(error, OVERLOADED)

/**
 * Whether a transaction certainly had no effect: the database rejected one of its statements, or it was never sent.
 * After any other fault, known or unknown, it may have taken effect.
 */
export const wasRolledBack = (error: unknown): boolean =>
  REFUSED_STATEMENT.test(messageOf(error)) ||
  says(error, FULL) ||
  (error instanceof ApiError && error.cause === undefined)

/** The attempts of a write. After an ambiguous fault, the database may still carry it out at any later time. */
export class WriteAttempts {
  #mayBeCarriedOut = false

  /** Whether any attempt may have taken effect or still may. No query of the database can disprove it. */
  get mayBeCarriedOut(): boolean {
    return this.#mayBeCarriedOut
  }

  /** Makes one attempt. Call it within `retry`. */
  async make<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt()
    } catch (error) {
      this.#mayBeCarriedOut ||= !wasRolledBack(error)
      throw error
    }
  }
}

const unavailable = (error: unknown, attempts: number): ApiError =>
  new ApiError('unavailable', 'The database is temporarily unavailable. It is safe to retry.', {
    reason: attempts === 1 ? 'database unavailable, not tried again' : 'database unavailable after retries',
    cause: error,
  })

/** Waits before attempt `attempt` (1 is the first retry): exponential, with full jitter. */
const backoff = (attempt: number): Promise<void> => {
  const longestWait = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 4 ** attempt)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longestWait))
}

/** The error for a fault that no retry repairs; undefined for other faults. */
const databaseRefusal = (error: unknown, attempts: number): ApiError | undefined => {
  const refusal = apiErrorOf(error)
  if (refusal) return refusal
  if (!says(error, FULL)) return isOverloaded(error) ? unavailable(error, attempts) : undefined
  return new ApiError(
    'storage_full',
    'The database is full. Nothing was written. The operator of the service must make room or move ' +
      'workspaces to another database.',
    { reason: 'database full', cause: error },
  )
}

/** The same, unless an earlier attempt may have taken effect: that error would claim that nothing was written. */
const afterLostAttempt = (refusal: ApiError): ApiError =>
  refusal.status >= 500 && wasRolledBack(refusal)
    ? new ApiError(
        refusal.code,
        'The database connection was lost, and later attempts failed. The write may or may not have completed. It ' +
          'is safe to retry.',
        { ...refusal.details, cause: refusal },
      )
    : refusal

interface Retries {
  attempts?: number
  /** Deadline of the request, checked before each run: a write must not start after a response that it failed. */
  deadline?: Deadline | undefined
}

/**
 * Runs a function that is safe to repeat, and retries it after transient faults of D1.
 *
 * @param run receives a function that checks the deadline again, for a run that waits before it writes
 * @throws ApiError 503, 507; that of the deadline; any other error unchanged
 */
export async function retry<T>(
  run: (requireTime: () => void) => Promise<T>,
  { attempts = ATTEMPTS, deadline }: Retries = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const requireTime = () => deadline?.requireTime()
    requireTime()
    try {
      return await run(requireTime)
    } catch (error) {
      const refusal = databaseRefusal(error, attempt)
      if (refusal) throw attempt === 1 ? refusal : afterLostAttempt(refusal)
      if (!says(error, TRANSIENT)) throw error
      if (attempt >= attempts) throw unavailable(error, attempts)
      await backoff(attempt)
    }
  }
}

/** Passes transient faults on unchanged, because only the caller knows what to do. */
async function onceOnly<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw databaseRefusal(error, 1) ?? error
  }
}

export const retryIf = <T>(readOnly: boolean, run: () => Promise<T>): Promise<T> =>
  readOnly ? retry(run, { attempts: READ_ATTEMPTS }) : onceOnly(run)
