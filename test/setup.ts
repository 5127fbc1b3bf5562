import { afterEach, beforeEach, vi } from 'vitest'
import { settleBackground } from './support/background'
import { emptyStorage } from './support/storage'

beforeEach(emptyStorage)
// The last one runs first: what a test has replaced is put back, and then its requests come to an end.
afterEach(settleBackground)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
