import { ApiError, type ErrorItem } from '#shared/errors/errors'

/** The result of work, or that of `whenLate`, which may throw, if it takes longer than `ms`. Late work goes on. */
export async function withinTime<T>(work: Promise<T>, ms: number, whenLate: () => T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, late.then(whenLate)])
  } finally {
    clearTimeout(timer)
  }
}

/** How far a request has come with writing. Decides what a 504 says. */
type WriteStage = 'nothing' | 'sent' | 'done'

/** How a caller can find out whether a write was carried out. */
export interface UnknownWrite {
  howToFindOut: string
  errors: ErrorItem[]
}

/**
 * The refusal of a change that the database may have carried out, or may carry out soon.
 *
 * @param what what may have completed: `the write`
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
   * Runs a write. If time runs out meanwhile, the 504 says that it may have been carried out; later, that it was.
   *
   * @param unknown for a write that can be found by an id
   * @throws ApiError 504 when time has already run out
   */
  async whileWriting<T>(write: () => Promise<T>, unknown?: UnknownWrite): Promise<T> {
    this.requireTime()
    this.#stage = 'sent'
    this.#unknownWrite = unknown
    const result = await write()
    this.#stage = 'done'
    return result
  }

  /** @throws ApiError 504 when time has run out: no write may begin after the answer that says so */
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
