import { LARGE_BODY_BYTES } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { LeaseQueue } from './lease-queue'

/** In an isolate, large bodies are processed one after another. Each takes several times its size meanwhile. */
const turns = new LeaseQueue({ total: 1, share: 1, of: 'large bodies' })

/** Waits for a turn, which ends before the answer is sent, or with the returned function. */
export async function takeTurn(c: AppContext, bytes: number): Promise<() => void> {
  if (bytes <= LARGE_BODY_BYTES) return () => undefined
  const lease = await turns.take(c.var.caller?.workspaceId ?? '', () => 1)
  return c.var.leases.add(lease).release
}

/** Runs work that takes several times the memory of a body, when the request's turn comes. */
export async function inTurn<T>(c: AppContext, bytes: number, run: () => T | Promise<T>): Promise<T> {
  const end = await takeTurn(c, bytes)
  try {
    return await run()
  } finally {
    end()
  }
}
