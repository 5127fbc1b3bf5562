import { describe, expect, it } from 'vitest'
import { foundBy } from '#element/rows'

const SYRUP = {
  medication_id: 'SYR-1',
  name: 'Zinc syrup',
  display_name: 'Zinc',
  aliases: ['Zincum Sulfuricum', 'Sírope de Zinco'],
  generic_list: ['ZINC SULFATE'],
  sku: 'ZK-77',
  otc: true,
  strength: null,
}

describe('the reason why a record was found', () => {
  it.each([
    ['an alias', 'zincum', 'Zincum Sulfuricum'],
    ['an alias with accents', 'sirope', 'Sírope de Zinco'],
    ['all words of an alias, in any order', 'zinco  sírope', 'Sírope de Zinco'],
    ['a generic name', 'sulfate', 'ZINC SULFATE'],
    ['the beginning of a code', 'zk-7', 'ZK-77'],
    ['its id', 'syr-1', 'SYR-1'],
    ['a code that is part of its id', '205613', '205613'],
  ])('is shown if it is %s', (_, q, by) => {
    const record = q === '205613' ? { medication_id: 'N205613-001', name: 'Uceris', sku: '205613' } : SYRUP
    expect(foundBy('medication', record, q)).toBe(by)
  })

  it.each([
    ['its name', 'syr'],
    ['words of both names', 'zinc syrup'],
    ['a name that only nearly matches', 'zimc'],
  ])('is not shown if it is %s', (_, q) => {
    expect(foundBy('medication', SYRUP, q)).toBeUndefined()
  })

  it('is not shown if it is displayed anyway, such as the code of a diagnosis', () => {
    const diagnosis = { diagnosis_id: 'D1', name: 'Diabetes', icd10: 'E11.9', aliases: ['Sugar'] }
    expect(foundBy('diagnosis', diagnosis, 'e11')).toBeUndefined()
    expect(foundBy('diagnosis', diagnosis, 'sug')).toBe('Sugar')
  })
})
