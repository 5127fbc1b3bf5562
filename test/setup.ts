import { afterEach, beforeEach, vi } from 'vitest'
import { settleBackground } from './support/background'
import { emptyStorage } from './support/storage'

beforeEach(emptyStorage)
// In reverse order: first the replaced functions are restored, and then the test's requests end.
afterEach(settleBackground)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
