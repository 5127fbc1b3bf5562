import { afterAll, beforeAll } from 'vitest'
import './recording.mjs'
import './npm-start.mjs'
import './package.mjs'
import './push.mjs'
import './files.mjs'
import './reading.mjs'
import './waiting.mjs'
import './reports.mjs'
import './ends.mjs'
import './login.mjs'
import './guides.mjs'
import './week.mjs'
import './npm-end.mjs'
import { start, stop } from './started.mjs'

/** The tests share a service, whose start takes longer than most of them. The last ones end it. */
beforeAll(start)
afterAll(stop)
