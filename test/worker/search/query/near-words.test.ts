import { expect, it } from 'vitest'
import { meaningOf, splitAfter } from '#worker/search/query/near-words'

it.each([
  ['ibuprofn', 'ibuprofen', 1, 'ibuprofen'],
  ['ibbuprofen', 'ibuprofen', 1, 'ibuprofen'],
  ['ibuporfen', 'ibuprofen', 1, 'ibuprofen'],
  ['metfromi', 'metformin', 1, 'metformi'],
  ['hydrochlr', 'hydrochlorothiazide', 1, 'hydrochlor'],
  ['aspirinx', 'aspirin', 1, 'aspirin'],
  ['naproxn', 'naproxen', 1, 'naproxen'],
  ['xarkto', 'xarelto', 2, 'xarelto'],
  ['vaachcloir', 'valacyclovir', 3, 'valacyclovir'],
  ['losrtyn', 'losartan', 1.5, 'losartan'],
  ['seftriaksone', 'ceftriaxone', 1.5, 'ceftriaxone'],
  ['kwetiapin', 'quetiapine', 1.5, 'quetiapine'],
  ['😀bcde', '😀bde', 1, '😀bde'],
])('%j means %j with the expected changes', (typed, word, distance, text) => {
  expect(meaningOf(typed, word)).toEqual({ distance, words: [text] })
})

it.each([
  ['ibup', 'ibuprofen', 'is its beginning'],
  ['aspirin', 'ibuprofen', 'is too far away'],
  ['insulin', 'sulindac', 'has another first letter and two letters wrong'],
  ['hydralazine', 'hydroxyzine', 'has three letters wrong in a word of eleven'],
  ['lirio', 'lyra', 'has too few consonants to sound alike'],
  ['kalsium', 'calciumfolinate', 'is much longer'],
  ['losrty', 'losartan', 'has two letters wrong and is too short'],
])('%j does not mean %j: it %s', (typed, word) => {
  expect(meaningOf(typed, word)).toBeNull()
})

it('a word may mean two, of at least three letters each', () => {
  expect(splitAfter('ibuprofensodium', 'ibuprofen')).toEqual({ distance: 1, words: ['ibuprofen', 'sodium'] })
  expect(splitAfter('ibuprofenx', 'ibuprofen')).toBeNull()
  expect(splitAfter('ibuprofen', 'ibuprofen')).toBeNull()
  expect(splitAfter('naproxen', 'ibuprofen')).toBeNull()
})
