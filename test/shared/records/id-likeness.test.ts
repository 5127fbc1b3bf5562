import { expect, it } from 'vitest'
import { atOnce } from '#shared/json/steps'
import { compareIds, likenessKeys } from '#shared/records/id-likeness'

const areAlike = (a: string, b: string): boolean =>
  likenessKeys(a).some((key) => likenessKeys(b).includes(key))

it.each([
  ['00123', '123', 'zeros in front'],
  ['A-001', 'A-1', 'zeros in front of a number within'],
  ['000', '0', 'nothing but zeros'],
  ['ab1', 'AB1', 'case'],
  ['Ä1', 'ä1', 'case of other letters'],
  ['A 1', 'A1', 'white space'],
  ['A\u00a01', 'A 1', 'other white space'],
  ['A1\u200b', 'A1', 'a character that cannot be seen'],
  ['\ufeffA1', 'A1', 'a byte order mark'],
  ['A-1', 'A_1', 'a separator'],
  ['A–1', 'A-1', 'a dash'],
  ['1.5/2', '1-5_2', 'separators between digits'],
  ['12-05', '1205', 'a separator that is missing'],
  ['12-05', '12-5', 'a zero behind a separator'],
  ['0002-1433-80', '2143380', 'separators and zeros that a spreadsheet program drops'],
  ['MED-001', 'med 1', 'all at once'],
])('%j and %j are alike: %s', (a, b) => {
  expect(areAlike(a, b)).toBe(true)
})

it.each([
  ['10', '1'],
  ['101', '11'],
  ['12-5', '1205'],
  ['A0', 'A'],
  ['N021532-810', 'N215328-010'],
  ['A:1', 'A1'],
  ['A1', 'B1'],
])('%j and %j are not alike', (a, b) => {
  expect(areAlike(a, b)).toBe(false)
})

const compared = (ids: string[]) => atOnce(compareIds(new Map(ids.map((id, n) => [id, 2 * n + 1]))))

it('finds the ids of a request that are alike, with their places, among thousands', () => {
  const ids = Array.from({ length: 5000 }, (_, n) => `A${1000 + n}-001`)
  const { groups, indexes, needsSameName } = compared([...ids, 'a1007-1', 'A1008001'])
  expect(groups).toEqual([
    [
      { place: 7, id: 'A1007-001' },
      { place: 5000, id: 'a1007-1' },
    ],
    [
      { place: 8, id: 'A1008-001' },
      { place: 5001, id: 'A1008001' },
    ],
  ])
  expect(indexes[5001]).toBe(10_003)
  expect(needsSameName).toBe(false)
})

it('asks for the same name if a request has very many ids of both kinds, with zeros in front and without', () => {
  const many = (count: number) => [
    ...Array.from({ length: 200 }, (_, n) => `0${1000 + n}`),
    ...Array.from({ length: count }, (_, n) => `${5000 + n}`),
  ]
  expect(compared(many(99)).needsSameName).toBe(false)
  expect(compared(many(100)).needsSameName).toBe(true)
})
