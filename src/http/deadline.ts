import { createMiddleware } from 'hono/factory'
import { ApiError } from '#errors'
import { REQUEST_DEADLINE_MS } from '#limits'
import type { AppEnv } from './context'

/** How far a request has come with writing. Decides what a 504 says. */
type WriteStage = 'nothing' | 'sent' | 'done'

/** Knows whether time has run out and how far the write of a request has come. */
export class Deadline {
  #stage: WriteStage = 'nothing'
  #expired = false

  /**
   * Runs a write. If time runs out during the write, the 504 says that it may have been carried out; later, the 504
   * says that it was.
   *
   * @throws ApiError 504, without running the write, when time has already run out: the client already knows that
   *   nothing was written
   */
  async whileWriting<T>(write: () => Promise<T>): Promise<T> {
    if (this.#expired) throw this.#exceeded()
    this.#stage = 'sent'
    const result = await write()
    this.#stage = 'done'
    return result
  }

  /** @returns the 504; no write may start after it */
  expire(): ApiError {
    this.#expired = true
    return this.#exceeded()
  }

  #exceeded(): ApiError {
    return new ApiError('deadline_exceeded', MESSAGES[this.#stage])
  }
}

const MESSAGES: Record<WriteStage, string> = {
  nothing: 'No answer within 29 seconds. Nothing was written.',
  sent: 'No answer within 29 seconds. It is not known whether the write was carried out; a retry is safe.',
  done: 'No answer within 29 seconds. The write was carried out; a retry is safe.',
}

/**
 * Answers 504 when a request takes longer than `limitMs` (docs/contract.md#deadline). Work that has started
 * cannot be stopped; the message says what that means for the caller.
 */
export const enforceDeadline = (limitMs: number = REQUEST_DEADLINE_MS) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const deadline = new Deadline()
    c.set('deadline', deadline)
    const { promise: expired, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(deadline.expire()), limitMs)
    try {
      const work = next()
      // Work that has started is finished, even if time runs out or the client leaves.
      c.executionCtx.waitUntil(work.catch(() => undefined))
      await Promise.race([work, expired])
    } finally {
      clearTimeout(timer)
      c.var.leases?.releaseAll()
    }
  })
