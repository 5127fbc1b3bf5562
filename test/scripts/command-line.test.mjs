import { afterAll, beforeAll } from 'vitest'
import './command-line/recording.mjs'
import './command-line/package.mjs'
import './command-line/push.mjs'
import './command-line/reading.mjs'
import './command-line/waiting.mjs'
import './command-line/ends.mjs'
import './command-line/login.mjs'
import './command-line/guides.mjs'
import { start, stop } from './command-line/started.mjs'

/** The tests share a service, whose start takes longer than all of them. */
beforeAll(start)
afterAll(stop)
