import { ApiError, type ErrorItem } from '#shared/errors/errors'

/** The result of work or, after `ms`, that of `whenLate`, which may throw. Late work continues. */
export async function withinTime<T>(work: Promise<T>, ms: number, whenLate: () => T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, late.then(whenLate)])
  } finally {
    clearTimeout(timer)
  }
}

/** The progress of a request's write, which decides the text of a 504. */
type WriteStage = 'nothing' | 'sent' | 'done'

/** How a caller can find out whether a write was carried out. */
export interface UnknownWrite {
  howToFindOut: string
  errors: ErrorItem[]
}

/**
 * The error for a change that the database may have carried out or may still carry out.
 *
 * @param what the change, such as `the write`
 */
export const outcomeNotKnown = (what: string, { howToFindOut, errors }: UnknownWrite, cause: unknown): ApiError =>
  new ApiError(
    'unavailable',
    `The database is temporarily unavailable, and ${what} may or may not have completed. In a minute, ` +
      `${howToFindOut}. It is safe to retry.`,
    { errors, reason: 'outcome of a write unknown', cause },
  )

export class Deadline {
  #stage: WriteStage = 'nothing'
  #unknownWrite: UnknownWrite | undefined
  #expired = false

  /**
   * Runs a write. If time runs out during the write, the 504 says that it may have taken effect; after it, that it did.
   *
   * @param unknown how to find out about the write by its ID
   * @throws ApiError 504 if time has already run out
   */
  async whileWriting<T>(write: () => Promise<T>, unknown?: UnknownWrite): Promise<T> {
    this.requireTime()
    this.#stage = 'sent'
    this.#unknownWrite = unknown
    const result = await write()
    this.#stage = 'done'
    return result
  }

  /** @throws ApiError 504 if time has run out: no write may start after that response */
  requireTime(): void {
    if (this.#expired) throw this.#exceeded()
  }

  /** @returns the 504; no write may start after it */
  expire(): ApiError {
    this.#expired = true
    return this.#exceeded()
  }

  #exceeded(): ApiError {
    const unknown = this.#stage === 'sent' ? this.#unknownWrite : undefined
    if (unknown === undefined) return new ApiError('deadline_exceeded', MESSAGES[this.#stage])
    const message = `${MESSAGES.sent} In a minute, ${unknown.howToFindOut}.`
    return new ApiError('deadline_exceeded', message, { errors: unknown.errors })
  }
}

const MESSAGES: Record<WriteStage, string> = {
  nothing: 'No response within 29 seconds. Nothing was written.',
  sent: 'No response within 29 seconds. The write may or may not have completed. It is safe to retry.',
  done: 'No response within 29 seconds. The write completed. It is safe to retry.',
}
