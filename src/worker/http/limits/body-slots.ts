import { LARGE_BODY_BYTES } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { LeaseQueue } from './lease-queue'

/** An isolate processes one large body at a time, because each uses several times its size. */
const slots = new LeaseQueue({ total: 1, share: 1, of: 'large bodies' })

/** Waits for the slot of large bodies. It is released before the response is sent, or by the returned function. */
export async function takeBodySlot(c: AppContext, bytes: number): Promise<() => void> {
  if (bytes <= LARGE_BODY_BYTES) return () => undefined
  const lease = await slots.take(c.var.caller?.workspaceId ?? '', () => 1)
  return c.var.leases.add(lease).release
}

/** Runs work that uses several times the memory of a body, once the request has the slot. */
export async function withBodySlot<T>(c: AppContext, bytes: number, run: () => T | Promise<T>): Promise<T> {
  const end = await takeBodySlot(c, bytes)
  try {
    return await run()
  } finally {
    end()
  }
}
