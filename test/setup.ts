import { afterEach, beforeEach } from 'vitest'
import { settleBackground } from './support/background'
import { leaveReplayGuards } from './support/replay-guards'
import { emptyStorage } from './support/storage'

beforeEach(emptyStorage)
afterEach(() => settleBackground())
afterEach(leaveReplayGuards)
