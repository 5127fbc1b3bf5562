import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'

/** Longest time that a request may continue after its test, in milliseconds. */
const LONGEST_MS = 10_000

/** The real functions of the clock, even if a test has replaced them. */
const { setTimeout, clearTimeout } = globalThis

const contexts: ExecutionContext[] = []

/** The context of a request of the running test. */
export function newContext(): ExecutionContext {
  const context = createExecutionContext()
  contexts.push(context)
  return context
}

/**
 * Waits for everything that a test's requests do after their responses, so that the next test does not find it in its
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
