import { BODY_MEMORY_BYTES, LONGEST_LEASE_MS, WORKSPACE_BODY_MEMORY_BYTES } from '#limits'
import { LeasePool } from './lease-pool'

/** Of the isolate: the bytes of large bodies, and of answers that are made of them, by workspace. */
export const bodyMemory = new LeasePool({
  total: BODY_MEMORY_BYTES,
  share: WORKSPACE_BODY_MEMORY_BYTES,
  longestMs: LONGEST_LEASE_MS,
})

/**
 * Of the isolate: large bodies are looked into one after another. Each takes several times its size while it is
 * decrypted, parsed, checked and handed to the database, which takes one write at a time anyway.
 */
export const largeBodyTurns = new LeasePool({ total: 1, share: 1, longestMs: LONGEST_LEASE_MS })
