import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Steps, textInSteps, withPauses } from '#worker/http/steps'
import { callService } from '../../support/service'

// Each test runs a minute later, so that earlier work no longer counts.
let minutes = 0
beforeEach(() => void vi.useFakeTimers({ now: Date.now() + 60_000 * minutes++ }))

/** Milliseconds until a promise settles, rounded up. */
async function lasts(promise: Promise<unknown>): Promise<number> {
  let isSettled = false
  void promise.then(() => {
    isSettled = true
  })
  for (let ms = 0; ; ms++) {
    await vi.advanceTimersByTimeAsync(ms === 0 ? 0 : 1)
    if (isSettled) return ms
  }
}

describe('a pause', () => {
  const isDueAfter = (steps: Steps, units: number) => !steps.isDue(units - 1) && steps.isDue(1)

  it('is due after some milliseconds of work', () => {
    expect(isDueAfter(new Steps(), 150_000)).toBe(true)
  })

  it('is due later after one that nobody needed', async () => {
    const [steps, other] = [new Steps(), new Steps()]
    await lasts(steps.pause())
    expect(isDueAfter(steps, 450_000)).toBe(true)
    await callService('/health')
    await lasts(steps.pause())
    expect(isDueAfter(steps, 150_000)).toBe(true)
    await vi.advanceTimersByTimeAsync(500)
    await lasts(steps.pause())
    expect(isDueAfter(steps, 450_000)).toBe(true)
    await lasts(other.pause())
    await lasts(steps.pause())
    expect(isDueAfter(steps, 150_000)).toBe(true)
  })

  it('is as long as the steps of all other running requests', async () => {
    const all = Array.from({ length: 5 }, () => new Steps())
    expect(await lasts(all[0]!.pause())).toBe(0)
    const pauses = all.slice(1).map((steps) => steps.pause())
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all(pauses)
    const four = await lasts(all[0]!.pause())
    expect(four).toBeGreaterThan(0)
    all[1]!.end()
    all[2]!.end()
    expect(await lasts(all[0]!.pause())).toBe(four / 2)
  })

  it('no longer counts work that is silent for a second, because its request may have ended', async () => {
    const [lost, other] = [new Steps(), new Steps()]
    await lasts(lost.pause())
    await vi.advanceTimersByTimeAsync(1000)
    expect(await lasts(other.pause())).toBe(0)
  })
})

it('work continues between pauses, and returns its result', async () => {
  function* work() {
    for (let n = 0; n < 4; n++) yield 450_000
    return 'done'
  }
  const result = withPauses(work())
  await vi.advanceTimersByTimeAsync(10)
  expect(await result).toBe('done')
})

it('rows become chunks of text, none of which takes long', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `${n},`)
  async function* pages() {
    yield rows.slice(0, 600)
    yield rows.slice(600)
  }
  const portions: string[] = []
  const reading = (async () => {
    for await (const portion of textInSteps(pages(), 1500, (row) => row)) portions.push(portion)
  })()
  await vi.advanceTimersByTimeAsync(100)
  await reading
  expect(portions.join('')).toBe(rows.join(''))
  expect(Math.max(...portions.map((portion) => portion.split(',').length - 1))).toBeLessThanOrEqual(300)
})
