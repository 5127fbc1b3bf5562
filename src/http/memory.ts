import { BODY_MEMORY_BYTES, LONGEST_LEASE_MS, WORKSPACE_BODY_MEMORY_BYTES } from '#limits'
import { LeasePool } from './lease-pool'

/** Memory of the isolate for large bodies, and for answers that are made of them, by workspace. */
export const bodyMemory = new LeasePool({
  total: BODY_MEMORY_BYTES,
  share: WORKSPACE_BODY_MEMORY_BYTES,
  longestMs: LONGEST_LEASE_MS,
})

/**
 * In an isolate, large bodies are processed one after another. Each takes several times its size while it is
 * decrypted, parsed, checked and given to the database, which runs one write at a time anyway.
 */
export const largeBodyTurns = new LeasePool({ total: 1, share: 1, longestMs: LONGEST_LEASE_MS })
