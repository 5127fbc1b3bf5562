import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldCode, foldedWords } from '#shared/text/fold'

// Without the Greek letters whose iota is a mark in lower case and a letter in upper case: among several marks, Unicode
// puts it in a different position than the letter.
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .filter((value) => !value.normalize('NFD').includes('\u0345'))

const folded = (value: string) => foldedWords(value).join(' ')

describe('folded words', () => {
  it('are the same for every case of every character, also within a word', () => {
    const differing: string[] = []
    // No letter outside these two planes has a case.
    for (let point = 1; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const letter = String.fromCodePoint(point)
      if (letter.toUpperCase() === letter && letter.toLowerCase() === letter) continue
      const value = `x${letter}y ${letter}`
      const words = folded(value)
      if ([value.toUpperCase(), value.toLowerCase()].some((other) => folded(other) !== words)) {
        differing.push(point.toString(16))
      }
    }
    expect(differing).toEqual([])
  })

  it('are the same for every case and every normal form of a text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const words = folded(value)
        expect(folded(words)).toBe(words)
        expect(folded(value.toUpperCase())).toBe(words)
        for (const form of ['NFC', 'NFD']) expect(folded(value.normalize(form))).toBe(words)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['Crème  Brûlée', 'creme brulee'],
    ['ΌΔΟΣ', 'οδοσ'],
    ['Straße', 'strasse'],
    ['שָׁלוֹם', 'שלום'],
    ['ＡＢＣ－１', 'abc 1'],
    ["Crohn's Crohn’s Crohnʼs Crohn`s", 'crohns crohns crohns crohns'],
    ['non-Hodgkin non‑Hodgkin non–Hodgkin', 'non hodgkin non hodgkin non hodgkin'],
    ['zero\u200bwidth soft\u00adhyphen', 'zerowidth softhyphen'],
    ['كتاب كتــاب کتاب', 'كتاب كتاب كتاب'],
    ['٥٠٠ ۵۰۰ १२ ５', '500 500 12 5'],
    ['500mg 0.50 g', '500 mg 0.5 g'],
    ['100,000 1,5 0,125 1,000,000.5', '100000 1.5 0.125 1000000.5'],
    ['.5 mg no.5', '0.5 mg no 5'],
    ['0.9% NaCl, 5 %', '0.9 % nacl 5 %'],
    ['ibuprofen阿司匹林', 'ibuprofen 阿司匹林'],
  ])('of %j are %j', (value, words) => expect(folded(value)).toBe(words))

  it.each([
    ['0·25 mg', '0.25 mg'],
    ['0٫9 %', '0.9 %'],
    ['٠٫٢٥ ملغ', '0.25 ملغ'],
    ['0،25 1‚5 ٥٪', '0.25 1.5 5 %'],
    ['阿司匹林0,25克', '阿司匹林 0.25 克'],
    ["0'25 mg 1'000 mg", '0.25 mg 1000 mg'],
    ['(.25MG) .5;.25MG', '0.25 mg 0.5 0.25 mg'],
    ['1½ mg 1 ½ mg ½ 1 1/2 mg', '1.5 mg 1.5 mg 0.5 1.5 mg'],
    ['1/2 mg', '1 2 mg'],
    ['2×10⁸ CFU 2x10^6 10⁸', '200000000 cfu 2000000 100000000'],
    ['m² B₁₂', 'm2 b12'],
    ['3x500mg 3 × 500 mg', '3 x 500 mg 3 x 500 mg'],
    ['5.000 I.E./ml 5 m.g.', '5.000 ie ml 5 mg'],
  ])('of numbers with other characters in %j are %j', (value, words) => expect(folded(value)).toBe(words))

  it.each([
    ['1,00,000 IU 12,34,567.5', '100000 iu 1234567.5'],
    ['1٬000 1.234.567 1.234,56 g', '1000 1234567 1234.56 g'],
    ['1 200 000 IU', '1200000 iu'],
    ['1\u00a0000\u202f000,5 IU', '1000000.5 iu'],
    ['1 000 tablets', '1000 tablets'],
    ['B12 1 000 mcg', 'b12 1000 mcg'],
    ['1 500 tablets', '1 500 tablets'],
    ['70/30 100 IU', '70 30 100 iu'],
    ['5 000/10 000 IU', '5000 10000 iu'],
    ['1 MIU 1MIU 2.4 MU 3 MUI', '1000000 iu 1000000 iu 2400000 u 3000000 ui'],
    ['1.2 million IU 1,2 Mio. I.E. 1 mega 10 lakh units', '1200000 iu 1200000 ie 1000000 1000000 units'],
    ['2.5,5,10 mg 5,10,20 mg', '2.5 5 10 mg 5 10 20 mg'],
  ])('of groups and multiples in %j are %j', (value, words) => expect(folded(value)).toBe(words))

  it.each([
    ['1.000 mg 2.500 100.000', '1.000 mg 2.500 100.000'],
    ['0.100 1.125 12345.670', '0.1 1.125 12345.67'],
    ['1.000 million', '1.000 million'],
    ['Mixtard 30 100 IU', 'mixtard 30..100 iu'],
    ['0�25 mg 0?25 mg 0. 25 mg', '0..25 mg 0..25 mg 0..25 mg'],
    ['500² mg 1⅓ mg 0,5,10', '500..2 mg 1..1..3 mg 0..5..10'],
    ['2E8 CFU', '2e8 cfu'],
  ])('leave a number in %j unchanged if it may mean another one: %j', (value, words) => {
    expect(folded(value)).toBe(words)
    expect(folded(words)).toBe(words)
  })
})

it.each([
  ['718‑7', '7187'],
  [' A-076 974/001 ', 'a076974001'],
  ['--', ''],
])('the code %j has no punctuation: %j', (code, expected) => expect(foldCode(code)).toBe(expected))
