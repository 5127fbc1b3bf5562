import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newContext, settleBackground } from './background'

it('what requests do after their answers is done before the next test, whether it works or fails', async () => {
  const written = Promise.withResolvers<void>()
  newContext().waitUntil(written.promise.then(() => env.SEEN_JTI.put('late', 'a write after the answer')))
  newContext().waitUntil(Promise.reject(new Error('a failure after the answer')))
  const settled = settleBackground()
  written.resolve()
  await settled
  expect(await env.SEEN_JTI.get('late')).toBe('a write after the answer')
})

it('a test that leaves a request at work fails', async () => {
  const { promise: work, resolve: end } = Promise.withResolvers<void>()
  newContext().waitUntil(work)
  await expect(settleBackground(20)).rejects.toThrow('still at work')
  end()
})
