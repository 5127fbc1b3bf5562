import { describe, expect, it } from 'vitest'
import { isNameOf } from '#element/rows'

/** A medication with its dose in a separate field, as in most catalogs. */
const drug = (name: string, strength: string) => ({
  name,
  display_name: name,
  strength,
  form_name: 'Tablet',
  manufacturer: 'Acme Ltd.',
  aliases: [`${name} Acme`],
})

/** The same medication with its dose in its name. */
const named = (name: string, strength: string) => ({ ...drug(`${name} ${strength}`, strength), display_name: null })

describe('the text of a page', () => {
  it.each([
    ['Warfarin', '0.5 mg', '5 mg'],
    ['Warfarin', '0.5 mg', '.5 mg'],
    ['Warfarin', '5 mg', '.5 mg'],
    ['Warfarin', '5 mg', '0.5 mg'],
    ['Warfarin', '5 mg', '0 5 mg'],
    ['Warfarin', '5 mg', '5 mcg'],
    ['Warfarin', '5 mg', '50 mg'],
    ['Zolmitriptan', '2.5 mg', '5 mg'],
    ['Zolmitriptan', '2.5 mg', '2 mg'],
    ['Levothy', '12.5 mcg', '12 mcg'],
    ['Levothy', '12,5 mcg', '5 mcg'],
    ['Amoxiclav', '500 mg/125 mg', '125 mg'],
    ['Amoxiclav', '500/125 mg', '125 mg'],
    ['Amoxiclav', '500 mg/125 mg', '125 mg/500 mg'],
    ['Amoxiclav', '500 mg + 125 mg', '500 mg'],
    ['Mixtard', '30/70', '70/30'],
    ['Mixtard', '30/70', '30'],
    ['Heparin', '10,000 units', '10 units'],
    ['Heparin', '10 000 units', '10 units'],
    ['Heparin', '10 000 units', '000 units'],
    ['Heparin', '10,000 units', '10'],
    ['Sodium chloride', '0.9 %', '9 %'],
    ['Sodium chloride', '0.9%', '9%'],
    ['Sodium chloride', '9 %', '9'],
    ['Digoxin', '0·25 mg', '25 mg'],
    ['Digoxin', '٠٫٢٥ mg', '٢٥ mg'],
    ['Warfarin', '1½ mg', '11 mg'],
    ['Warfarin', '1½ mg', '1 mg'],
    ['BCG', '10⁸ CFU', '108 CFU'],
    ['Adrenaline', '1:10,000', '1:1,000'],
    ['Adrenaline', '1:1000', '1000'],
    ['Amoxicillin', '250 mg/5 ml', '5 ml'],
    ['Amoxicillin', '250 mg per 5 ml', '5 ml'],
    ['Dopamine', '40 mg', '40 mg/ml'],
    ['Colistin', '1 200 000 IU', '200 000 IU'],
    ['Heparin', '1.000 I.E.', '1000 IE'],
    ['阿司匹林', '1.25g', '0.25g'],
  ])('%s of %s is no %s', (name, strength, other) => {
    for (const record of [drug(name, strength), named(name, strength)]) {
      expect(isNameOf(record, `${name} ${other}`)).toBe(false)
      expect(isNameOf(record, `${name} (${other}, Tablet)`)).toBe(false)
      expect(isNameOf(record, `${name} ${strength}`)).toBe(true)
    }
  })

  it.each([
    'Metformin',
    'METFORMIN',
    ' metformin  850mg ',
    'Metformin 850 mg',
    'Metformin, 850 mg, Tablet, Acme Ltd.',
    'Metformin (850 mg, Tablet)',
    'Metformin – 850 MG Tablet',
    'Tablet Metformin 850 mg',
    'Metformin [Metformin Acme]',
  ])("represents a record if it consists of the record's values including its name: %s", (text) => {
    expect(isNameOf(drug('Metformin', '850 mg'), text)).toBe(true)
  })

  it.each([
    '',
    'Metform',
    'Metformin 850',
    'Metformin XR',
    'Tablet 850 mg',
    'Metformin 850 mg Tab',
    'Metformin 8 50 mg',
  ])('represents no record if it lacks the name, or has another word or number: %s', (text) => {
    expect(isNameOf(drug('Metformin', '850 mg'), text)).toBe(false)
  })

  it('is the same text in capitals, with other whitespace and with differently encoded accents', () => {
    const record = { name: 'Weißdorn Paracétamol 500', display_name: 'Weißdorn 5', form_name: 'Sirop' }
    for (const text of ['WEISSDORN 5', 'Weißdorn 5', 'WEISSDORN PARACE\u0301TAMOL 500 SIROP', 'weißdorn 5 sirop'])
      expect(isNameOf(record, text)).toBe(true)
    // Numbers of two values do not form one number, and one number does not form two.
    expect(isNameOf({ name: 'Factor 8', strength: '500 units' }, 'Factor 8500 units')).toBe(false)
    expect(isNameOf({ name: 'Factor 8500', strength: 'units' }, 'Factor 8 500 units')).toBe(false)
    expect(isNameOf({ name: 'Amoxiclav', strength: '500 mg', aliases: ['125 mg'] }, 'Amoxiclav 500/125 mg')).toBe(false)
    expect(isNameOf({ name: 'Warfarin 5', strength: '10 IU' }, 'Warfarin 5 IU')).toBe(false)
  })

  it.each([
    ['Augmentin 625 Tablet', { name: 'Augmentin 625', form_name: 'Tablet' }],
    ['Vitamin B12', { name: 'Vitamin B12', strength: '1 mg' }],
    ['Amoxiclav 500 mg / 125 mg', { name: 'Amoxiclav', strength: '500 mg/125 mg' }],
    ['Mixtard 30/70, 100 IU/ml', { name: 'Mixtard 30/70', strength: '100 IU/ml' }],
  ])('contains the numbers of the record: %s', (text, record) => {
    expect(isNameOf(record, text)).toBe(true)
  })

  it('with vowel signs is a different word than without them', () => {
    expect(isNameOf({ name: 'कि' }, 'की')).toBe(false)
    expect(isNameOf({ name: 'कि' }, 'कि')).toBe(true)
  })

  it('represents the record if it is exactly its displayed name, whatever that contains', () => {
    expect(isNameOf({ name: '(…)' }, '(…)')).toBe(true)
    expect(isNameOf({ name: '(…)' }, '-')).toBe(false)
  })
})
