import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'

/** The longest that a request may go on after its test, in milliseconds. */
const LONGEST_MS = 10_000

/** Those of the clock, even if a test has replaced them. */
const { setTimeout, clearTimeout } = globalThis

const contexts: ExecutionContext[] = []

/** The context of a request of the running test. */
export function newContext(): ExecutionContext {
  const context = createExecutionContext()
  contexts.push(context)
  return context
}

/**
 * Waits for everything that the requests of a test still do after their answers: the next test must not find it in its
 * databases.
 */
export async function settleBackground(): Promise<void> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error('A request of this test is still at work. Let the test end it.')),
    LONGEST_MS,
  )
  try {
    await Promise.race([Promise.allSettled(contexts.splice(0).map(waitOnExecutionContext)), tooLong])
  } finally {
    clearTimeout(timer)
  }
}
