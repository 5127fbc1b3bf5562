import { vi } from 'vitest'

/** Waits until the assertions of `check` pass. Ten seconds, because a busy machine needs longer than Vitest's one. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 10_000, interval: 1 })
