import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldCode, foldedWords } from '#shared/text/fold'

// Without the Greek letters whose iota is a mark in lower case and a letter in upper case: among several marks Unicode
// puts it into another place than the letter.
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .filter((value) => !value.normalize('NFD').includes('\u0345'))

const folded = (value: string) => foldedWords(value).join(' ')

describe('folded words', () => {
  it('are the same for every case of every character, within a word too', () => {
    const differing: string[] = []
    // No letter beyond these two planes has a case.
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

  it('are the same for every case and every normal form of a text, and for folded text', () => {
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
})

it.each([
  ['718‑7', '7187'],
  [' A-076 974/001 ', 'a076974001'],
  ['--', ''],
])('the code %j has no signs: %j', (code, expected) => expect(foldCode(code)).toBe(expected))
