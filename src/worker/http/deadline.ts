import { createMiddleware } from 'hono/factory'
import { REQUEST_DEADLINE_MS } from '#shared/limits'
import { Deadline } from '#worker/storage/deadline'
import type { AppEnv } from './context'

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
