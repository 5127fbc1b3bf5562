/** Adds to the message of a test that failed what its visits saw, and what the service wrote into its log. */
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, inject } from 'vitest'
import { openVisits } from './open-visits'
import { service } from './workspaces'

/** Lines of the service's log that are printed with a failure. */
const LOG_LINES = 25

function logTail(): string {
  const file = service().logFile
  if (!existsSync(file)) return `The service has no log at ${file}.`
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return `The end of the service's log:\n${lines.slice(-LOG_LINES).join('\n')}`
}

let before = new Set(openVisits)

beforeEach(() => {
  before = new Set(openVisits)
})

afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0]
  if (error === undefined || inject('chromium') === undefined) return
  const told: string[] = []
  for (const visit of openVisits) {
    told.push(await visit.tell())
    // The test that began it did not come to its end.
    if (!before.has(visit)) await visit.end()
  }
  error.message = [error.message, ...told, logTail()].join('\n\n')
})
