import { LARGE_BODY_BYTES } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { LeaseQueue } from './lease-queue'

/** In an isolate, large bodies are processed one after another. Each takes several times its size meanwhile. */
const slots = new LeaseQueue({ total: 1, share: 1, of: 'large bodies' })

/** Waits for the slot of large bodies, which is free again before the answer is sent, or with the returned function. */
export async function takeBodySlot(c: AppContext, bytes: number): Promise<() => void> {
  if (bytes <= LARGE_BODY_BYTES) return () => undefined
  const lease = await slots.take(c.var.caller?.workspaceId ?? '', () => 1)
  return c.var.leases.add(lease).release
}

/** Runs work that takes several times the memory of a body, once the request has the slot. */
export async function withBodySlot<T>(c: AppContext, bytes: number, run: () => T | Promise<T>): Promise<T> {
  const end = await takeBodySlot(c, bytes)
  try {
    return await run()
  } finally {
    end()
  }
}
