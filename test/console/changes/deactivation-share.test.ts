import { expect, it } from 'vitest'
import { asksForNumber } from '#console/changes/deactivation-share'

const check = (deactivated: number, active_before: number) => ({ deactivated, active_before })

it.each([
  [0, 0, false],
  [0, 1000, false],
  [99, 1000, false],
  [100, 1000, true],
  // 10% of 15 are 1.5.
  [1, 15, false],
  [2, 15, true],
])('%i deactivations among %i active records require a typed number: %s', (deactivated, active, isAsked) => {
  expect(asksForNumber(check(deactivated, active))).toBe(isAsked)
})

it('a typed number is required whenever the shrink guard would block the write', () => {
  const shrink_guard = { active_records: 1000, would_deactivate: 1, max_shrink: 0 }
  expect(asksForNumber({ ...check(1, 1000), shrink_guard: shrink_guard as never })).toBe(true)
})
