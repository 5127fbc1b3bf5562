import { expect, it } from 'vitest'
import { headerParts, isBareNumber, isUnit, withUnit } from '#files/columns/units'

it.each(['mg', 'mg/5 ml', 'IU', 'mmol', '%', 'µg'])('%s is a unit', (text) => {
  expect(isUnit(text)).toBe(true)
})

it.each(['', 'tablet', '5 mg', '%%', 'name'])('“%s” is no unit', (text) => {
  expect(isUnit(text)).toBe(false)
})

it.each([
  ['Strength (mg)', 'Strength', 'mg'],
  ['Strength (%)', 'Strength', '%'],
  ['strength_%', 'strength', '%'],
  ['Strength in mcg', 'Strength', 'mcg'],
  ['Strength (of a tablet)', 'Strength', undefined],
])('the header %s has a base and a unit', (header, base, unit) => {
  expect(headerParts(header)).toEqual({ base, unit })
})

it('a unit stands behind numbers alone, and a per cent sign without a space', () => {
  expect(['5', '250/125', '5-10'].map((text) => withUnit(text, 'mg'))).toEqual(['5 mg', '250/125 mg', '5-10 mg'])
  expect(withUnit('0.9', '%')).toBe('0.9%')
  expect(withUnit('5 mg', 'mg')).toBe('5 mg')
  expect(['5', '5 mg'].map(isBareNumber)).toEqual([true, false])
})
