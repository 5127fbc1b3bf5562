import { describe, expect, it } from 'vitest'
import { nearBeginning } from '#worker/search/query/near-words'

describe('the nearest beginning of a word', () => {
  it.each([
    ['ibuprofen', 'ibuprofen', 0, 'ibuprofen'],
    ['ibup', 'ibuprofen', 0, 'ibup'],
    ['ibuprofn', 'ibuprofen', 1, 'ibuprofen'],
    ['ibbuprofen', 'ibuprofen', 1, 'ibuprofen'],
    ['ibuporfen', 'ibuprofen', 1, 'ibuprofen'],
    ['metfromi', 'metformin', 1, 'metformi'],
    ['metfrmoi', 'metformin', 2, 'metformi'],
    ['aspirinx', 'aspirin', 1, 'aspirin'],
    ['😀bcde', '😀bde', 1, '😀bde'],
  ])('of %j in %j needs the expected changes', (typed, word, distance, text) => {
    expect(nearBeginning(typed, word, 2)).toEqual({ distance, text })
    expect(nearBeginning(typed, word, distance - 1)).toBeNull()
  })

  it('is none when all are further away', () => {
    expect(nearBeginning('aspirin', 'ibuprofen', 2)).toBeNull()
    expect(nearBeginning('aspirin', '', 2)).toBeNull()
    expect(nearBeginning('ab', '', 2)).toEqual({ distance: 2, text: '' })
  })
})
